//! Messages as lines, one each: what both sides of a link over a pipe have in common.

mod frame;
mod outbox;
mod quick;

pub(crate) use frame::{Frame, Frames, MAX_FRAME, answered_by};
pub(crate) use outbox::{Outbox, Sending};
pub(crate) use quick::{call_answer, call_line, call_request};
