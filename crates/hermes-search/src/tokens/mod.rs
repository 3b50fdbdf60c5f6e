//! From text to the terms that are indexed and searched: the same for names, descriptions and queries.

mod fold;
mod light;
mod pieces;
mod stem;
mod stop;
mod terms;

pub use fold::fold;
pub(crate) use light::{LIGHT, is_light};
pub use pieces::{is_unspaced, pieces, words};
pub use stem::stem;
pub use stop::is_stop_word;
pub use terms::{each_term, terms};
