//! Finding and replacing text so that an edit is right or refused, never nearly right.

mod blanks;
mod blocks;
mod both;
mod candidates;
mod composed;
mod endings;
mod escapes;
mod indent;
mod literals;
mod punctuation;
mod replace;
mod view;

pub(crate) use blanks::is_same_but_for_blanks;
pub(crate) use candidates::nearest;
pub(crate) use composed::is_composed_alike;
pub(crate) use indent::Mapping;
pub(crate) use literals::lines_spanned;
pub(crate) use punctuation::is_plainly_same;
pub(crate) use replace::{Refusal, RefusalKind, replace};
