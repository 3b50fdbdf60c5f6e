//! The items of the task list and how they change.

mod apply;
mod item;

pub(super) use apply::apply;
pub use item::{Change, Item, Status};
