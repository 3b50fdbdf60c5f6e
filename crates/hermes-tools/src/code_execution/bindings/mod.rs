//! What code sees of the tools: one function each, made from their schemas, that asks over standard input.

mod answering;
mod javascript;
mod python;
mod shell;
mod signature;

pub(super) use answering::Answering;
pub(super) use javascript::javascript;
pub(super) use python::{STARTUP, python};
pub(super) use shell::shell;
pub(super) use signature::callable;
