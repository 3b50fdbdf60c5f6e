//! What a call touches, as far as it matters for running beside others.

use std::path::PathBuf;

use hermes_core::{Access, Parallel, Target};

/// The part of the world a call occupies while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Footprint {
    /// Nothing may run beside it.
    Exclusive,
    /// Others may run beside it unless a write overlaps with a read or write. Paths cover what is
    /// beneath them.
    Shared { reads: Vec<PathBuf>, writes: Vec<PathBuf> },
    /// A guard may still change what it touches: it keeps its place at the gate, and who comes after it waits until the
    /// guard has spoken.
    Guarded,
}

impl Footprint {
    /// From a tool's parallel class and a call's resolved accesses.
    pub fn of(parallel: Parallel, access: &[Access]) -> Self {
        if parallel == Parallel::Exclusive {
            return Footprint::Exclusive;
        }
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        if parallel == Parallel::Queued {
            // A name in the place of a path: what bears the same one waits.
            writes.extend(access.iter().map(|access| PathBuf::from(access.permission.as_str())));
        }
        for access in access {
            let path = match &access.target {
                Target::Resolved(path) => path.clone(),
                Target::Path(path) | Target::Elsewhere(path) => PathBuf::from(path),
                _ => continue,
            };
            if access.permission.as_str() == "file:read" { &mut reads } else { &mut writes }.push(path);
        }
        Footprint::Shared { reads, writes }
    }

    /// Whether it touches nothing that another call could change.
    pub(crate) fn is_light(&self) -> bool {
        matches!(self, Footprint::Shared { reads, writes } if reads.is_empty() && writes.is_empty())
    }

    /// Whether readers may have to wait for it.
    pub(super) fn is_changing(&self) -> bool {
        !matches!(self, Footprint::Shared { writes, .. } if writes.is_empty())
    }

    pub fn conflicts_with(&self, other: &Footprint) -> bool {
        let (
            Footprint::Shared { reads, writes },
            Footprint::Shared { reads: other_reads, writes: other_writes },
        ) = (self, other)
        else {
            return true;
        };
        overlap(writes, other_writes) || overlap(writes, other_reads) || overlap(reads, other_writes)
    }
}

/// Whether any path of one list lies at or beneath a path of the other, by components.
fn overlap(left: &[PathBuf], right: &[PathBuf]) -> bool {
    left.iter().any(|a| right.iter().any(|b| a.starts_with(b) || b.starts_with(a)))
}
