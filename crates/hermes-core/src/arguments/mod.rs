//! Arguments as models send them: parsed once, repaired where nothing is lost, explained where not.

mod children;
mod coerce;
mod document;
mod equality;
mod exact;
mod example;
mod explain;
mod known_fields;
mod number;
mod number_example;
mod parse;
mod reader;
mod shape;
mod text_example;

pub use coerce::{Repair, coerce};
pub use document::{field_as_written, parse_json, parse_json_apart};
pub use exact::{exact_json, with_exact_integers};
pub use example::example;
pub use explain::{Problem, explain};
pub use parse::{Parsed, parse};
pub use shape::Shape;
