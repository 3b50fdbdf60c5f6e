//! Changes to one mapping of a YAML file that leave every other character of it as it is.

mod block;
mod flow;
mod key;
mod section;

pub(super) use section::{cut, put};
