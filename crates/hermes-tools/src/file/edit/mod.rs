//! Finding and replacing text so that an edit is right or refused, never nearly right.

mod blanks;
mod blocks;
mod candidates;
mod endings;
mod escapes;
mod indent;
mod punctuation;
mod replace;
mod view;

pub(super) use indent::Mapping;
pub(super) use punctuation::is_plainly_same;
pub(super) use replace::{Refusal, RefusalKind, Replaced, replace};
