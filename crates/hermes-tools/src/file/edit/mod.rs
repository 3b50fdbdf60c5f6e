//! Finding and replacing text so that an edit is right or refused, never nearly right.

mod apostrophes;
mod blanks;
mod blocks;
mod candidates;
mod carried;
mod characters;
mod combined;
mod composed;
mod depth;
mod endings;
mod escapes;
mod gist;
mod indent;
mod literals;
mod places;
mod punctuation;
mod quote_pairs;
mod replace;
mod signs;
mod steps;
mod strategies;
mod tokens;
mod view;

pub(crate) use blanks::{is_same_but_for_blanks, keep_blanks};
pub(crate) use blocks::bare;
pub(crate) use candidates::{Candidate, nearest};
pub(crate) use composed::{is_composed_alike, keep_accents};
pub(crate) use endings::{ends_in_returns, own_endings, with_ending};
pub(crate) use gist::could_fit;
pub(crate) use indent::{Mapping, split};
pub(crate) use literals::lines_spanned;
pub(crate) use punctuation::{is_plainly_same, with_own_punctuation};
pub(crate) use replace::{Refusal, RefusalKind, replace};
pub(crate) use signs::{places_seen_as, with_own_signs};
pub(crate) use steps::{Levels, depth_of, is_comment_rest};
