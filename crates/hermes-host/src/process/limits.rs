//! How much a program may use.

/// Bounds for one program. Those on processes and memory hold for everything it starts together where a control group
/// can be made for it. `None` leaves the bound as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that one file may have.
    pub file_bytes: Option<u64>,
    /// Descriptors that one process may have.
    pub open_files: Option<u64>,
    /// Processes and threads; without a control group, of the user, where that is not root.
    pub processes: Option<u64>,
    /// Bytes of memory; without a control group, of each process.
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// Whether there is something that a control group could hold.
    pub(crate) fn bound_a_tree(&self) -> bool {
        self.processes.is_some() || self.memory_bytes.is_some()
    }
}

/// What the bounds on memory and processes hold for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// The program and everything it starts, together.
    Tree,
    /// Every process by itself.
    EachProcess,
}

impl Bounds {
    pub const fn as_str(self) -> &'static str {
        match self {
            Bounds::Tree => "whole tree",
            Bounds::EachProcess => "each process",
        }
    }
}
