//! Several calls at once: planned by what they touch, answered one to one and in call order.

mod copies;
mod execute;
mod ids;
mod occupied;
mod plan;

pub(crate) use execute::Placed;
pub(crate) use ids::make_ids_unique;
pub use plan::{Segment, SegmentKind, plan};
