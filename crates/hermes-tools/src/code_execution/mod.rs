//! Code that calls tools.

mod bindings;
mod execute_code;
