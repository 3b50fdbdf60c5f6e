//! Keeps this process's memory and environment to itself.

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// No core dumps, and no other process of the same user may look in or attach. For the start of `main`.
pub fn keep_private() {
    // A kernel that refuses leaves things as they were; the sandbox does not rest on this.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
