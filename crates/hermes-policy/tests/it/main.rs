//! Policy rules against tables and a reference evaluator.

mod levels;
mod rules;
