//! `<home>/.env`: read and edited with comments, order and every byte of a value kept.

mod document;
mod file;
mod parse;
mod quote;

pub use document::EnvDocument;
pub use file::EnvFile;
pub(crate) use parse::is_name;
