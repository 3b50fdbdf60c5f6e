//! Code that calls tools.

mod bindings;
mod drivers;
mod execute_code;
mod repl;
