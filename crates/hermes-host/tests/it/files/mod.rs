//! Files under faults: killed writers, failing disks, hostile neighbours.

mod faults;
mod kills;
mod races;
mod support;
