//! Messages as lines, one each: what both sides of a link over a pipe have in common.

mod digits;
mod frame;
mod mend;
mod outbox;
mod quick;

pub(crate) use digits::{long_integer, with_all_digits};
pub(crate) use frame::{Frame, Frames, MAX_FRAME, answered_by, asked_by};
pub(crate) use mend::{MAX_DEPTH, TOO_DEEP, mended};
pub(crate) use outbox::{Outbox, Sending};
pub(crate) use quick::{call_answer, call_line, call_request};
