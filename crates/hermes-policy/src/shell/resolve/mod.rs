//! From the tree to commands: walks a script in the order it runs, with what is known of its variables.

mod arithmetic;
mod array;
mod brace;
mod builtin;
mod call;
mod choice;
mod compound;
mod declare;
mod env;
mod expand;
mod export;
mod fields;
mod folder;
mod input;
mod lookup;
mod operation;
mod parameter;
mod patterned;
mod reading;
mod redirect;
mod resolver;
mod simple;
mod walk;

pub(crate) use folder::{joined, walked};
pub(super) use resolver::script;
use resolver::{PASSES, Place, Resolver};
