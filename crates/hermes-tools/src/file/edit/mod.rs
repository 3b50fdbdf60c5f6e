//! Finding and replacing text so that an edit is right or refused, never nearly right.

mod apostrophes;
mod blanks;
mod blocks;
mod both;
mod candidates;
mod carried;
mod characters;
mod composed;
mod depth;
mod endings;
mod escapes;
mod gist;
mod indent;
mod literals;
mod punctuation;
mod replace;
mod steps;
mod view;

pub(crate) use blanks::{is_same_but_for_blanks, keep_blanks};
pub(crate) use candidates::{Candidate, nearest};
pub(crate) use composed::{is_composed_alike, keep_accents};
pub(crate) use endings::{ends_in_returns, own_endings, with_ending};
pub(crate) use gist::could_fit;
pub(crate) use indent::Mapping;
pub(crate) use literals::lines_spanned;
pub(crate) use punctuation::{is_plainly_same, with_own_punctuation};
pub(crate) use replace::{Refusal, RefusalKind, replace};
pub(crate) use steps::{Levels, depth_of, is_comment_rest};
