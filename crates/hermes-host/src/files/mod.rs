//! Files where the session's commands run: on this machine through the workspace's own doors, on another one
//! through the terminal backend. Tools see one door and need not know which.

mod door;
mod there;

pub use door::{FileDoor, Files};
