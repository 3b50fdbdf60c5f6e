//! How the state of Hermes is kept.

use crate::clock::Clock;

/// What an acknowledged write survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The death of this process, `kill -9` included.
    #[default]
    Process,
    /// A power cut as well, for the price of a disk flush per group of writes.
    Power,
}

/// Settings of the state database.
#[derive(Clone, Debug, Default)]
pub struct StateOptions {
    pub durability: Durability,
    /// Refuse to grow the database beyond this, as on a full disk.
    pub max_bytes: Option<u64>,
    pub clock: Clock,
}
