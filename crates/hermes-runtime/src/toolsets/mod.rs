//! Named bundles of tools, as data. Unknown names and cycles are reported, never silently dropped.

mod data;
mod resolve;
mod select;
mod table;

pub use data::{Toolset, ToolsetFile};
pub use resolve::{Problem, Resolution};
pub use select::Selection;
pub use table::{ToolsetError, Toolsets};
