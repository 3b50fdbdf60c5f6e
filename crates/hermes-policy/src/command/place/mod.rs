//! Where a path argument points: the root of the system, somebody's home, the workspace, a device.

mod kind;
mod locate;
mod path;

pub(crate) use kind::{Kind, Place};
pub(crate) use locate::locate;
pub(crate) use path::{is_below, normal};
