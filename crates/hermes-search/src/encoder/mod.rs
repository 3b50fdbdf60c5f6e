//! A small sentence encoder: three BERT layers, int8 weights in the binary, no network, no threads.
//! Everything is integer arithmetic or a fixed order of float operations, so the same text gives the
//! same vector on every machine. `model/MODEL.md` says where the weights come from.

mod activation;
mod attention;
mod forward;
mod kernel;
mod text;
mod vector;
mod weights;
mod wordpiece;

pub use forward::Encoder;
pub use text::{QUERY_TOKENS, TOOL_TOKENS, tool_text};
pub use vector::{DIMENSIONS, Vector, Vectors};
pub(crate) use wordpiece::{all_words, is_mostly_read, is_read, is_word};
