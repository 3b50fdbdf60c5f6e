//! Shell text to a syntax tree: one recursive descent over the bytes, without a token list, because what
//! a byte means in shell depends on where it stands.

mod arithmetic;
mod assign;
mod command;
mod compound;
mod condition;
mod dollar;
mod heredoc;
mod list;
mod loops;
mod parameter;
mod parser;
mod quote;
mod redirect;
mod word;

use parser::Parser;
pub(super) use parser::{Origin, expression, script};
pub(super) use quote::{ansi_c, printed};
