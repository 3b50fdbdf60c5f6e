//! Programs that may outlive the runtime that started them: their custodian keeps their output in files and
//! takes words by a socket of its own.

mod hold;
mod log;
mod stdin;
mod word;

pub(crate) use hold::LET_GO;
pub(super) use hold::hold;
pub(crate) use log::Begins as LogBegins;
pub(crate) use word::Word;

/// In the folder of the program: where words are taken.
pub(crate) const SOCKET: &str = "socket";
/// In the folder of the program: how it ended.
pub(crate) const END: &str = "end";
