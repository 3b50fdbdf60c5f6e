//! The environment that a command gets from the script: exported variables and assignments in front of it.

use std::sync::Arc;

use super::super::model::{Assignment, Word};
use super::Resolver;
use super::env::Alternative;

/// More exported variables are not told.
const MAX_EXPORTS: usize = 64;

/// Variables that are exported before the script begins, so that an assignment reaches what it starts.
const USUAL: [&str; 10] =
    ["HOME", "PATH", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TMPDIR"];

impl Resolver<'_> {
    pub(super) fn export(&mut self, name: &str) {
        if self.exports.len() < MAX_EXPORTS && !self.exports.iter().any(|known| known == name) {
            self.exports.push(name.to_owned());
        }
    }

    /// An assignment to a variable that is exported anyway, or while everything is.
    pub(super) fn note_assignment(&mut self, name: &str) {
        if self.exports_all || USUAL.contains(&name) {
            self.export(name);
        }
    }

    /// What a command with these assignments in front finds in its environment, beside what it inherits.
    pub(super) fn environment(&mut self, prefix: &[Assignment]) -> Option<Arc<[(String, Word)]>> {
        if self.exports.is_empty() && prefix.is_empty() {
            return None;
        }
        let count = self.exports.len().saturating_add(prefix.len());
        if !self.notes.spend(count.saturating_mul(8)) {
            return None;
        }
        let mut all: Vec<(String, Word)> = Vec::with_capacity(count);
        for name in &self.exports {
            let slot = self.env.get(name);
            // Of several values it is not certain which one it has.
            if let Some([Alternative::Scalar(value)]) = slot.map(|slot| slot.alternatives.as_slice()) {
                all.push((name.clone(), Word { pieces: value.to_vec() }));
            }
        }
        for assignment in prefix.iter().filter(|assignment| !assignment.append) {
            all.retain(|(name, _)| *name != assignment.name);
            all.push((assignment.name.clone(), assignment.value.clone()));
        }
        (!all.is_empty()).then(|| all.into())
    }
}
