//! Places that others must leave empty and that a command is about to take by somebody's word. Whoever says so takes it
//! back where the command does not begin.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::walls::Expected;
use crate::places::{QUARANTINE, expect, expect_within, withdraw};

/// Dropped before the command has begun, nothing comes of it.
#[derive(Debug, Default)]
#[must_use]
pub(super) struct Announced {
    quarantine: PathBuf,
    places: BTreeSet<PathBuf>,
}

impl Announced {
    pub(super) fn now(hermes_home: &Path, expected: &Expected) -> Self {
        // What is there is looked at before anything is said of it.
        expected.around.iter().for_each(|place| {
            expect_within(hermes_home, place);
        });
        Announced { quarantine: hermes_home.join(QUARANTINE), places: expect(hermes_home, &expected.places) }
    }

    /// From now on it is for the custodian to say what came of it.
    pub(super) fn begun(mut self) {
        self.places.clear();
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        withdraw(&self.quarantine, &self.places);
    }
}
