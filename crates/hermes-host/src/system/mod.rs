//! The door to facts about the machine: what `free`, `df`, `nproc`, `uptime` and `top` would say, and the
//! limits of the container around this process.

mod cgroup;
mod devices;
mod disks;
mod door;
mod load;
mod machine;
mod network;

pub use cgroup::CgroupLimits;
pub use devices::{Battery, Gpu};
pub use disks::Disk;
pub use door::{Look, System};
pub use load::{Load, ProcessLoad};
pub use machine::{Cpu, Memory, Os};
pub use network::Interface;
