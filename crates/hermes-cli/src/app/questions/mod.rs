//! What MCP servers ask while they work, put to the person at the terminal: the real fields, in the server's words,
//! and nothing is sent that was not typed or agreed to.

mod at_terminal;
mod fields;
mod form;
mod sampling;

pub(super) use at_terminal::desk;
