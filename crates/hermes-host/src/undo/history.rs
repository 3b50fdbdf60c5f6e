//! What is remembered as a whole: what of it is in force, and what may be missing.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::record::UndoRecord;

/// The records as they are on disk.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Newest first.
    pub records: Vec<UndoRecord>,
    /// The ids of records that cannot be read, oldest first. Ids grow with time.
    pub damaged: Vec<String>,
}

impl History {
    /// The ids of the changes that are taken back: by an undo that was not taken back itself.
    pub fn taken_back(&self) -> BTreeSet<&str> {
        let mut taken_back = BTreeSet::new();
        // An undo is newer than what it takes back.
        for record in &self.records {
            if !taken_back.contains(record.id.as_str()) {
                taken_back.extend(record.undoes.iter().map(String::as_str));
            }
        }
        taken_back
    }

    /// A record that cannot be read and may be a part of this record's turn; or, unless the turn was named, of a later one.
    pub(super) fn hidden_in(&self, record: &UndoRecord, is_named: bool) -> Option<&String> {
        let of_turn = || self.records.iter().filter(|other| other.is_of_turn(record));
        // A turn gets its name before anything happens in it, and mostly one that grows with time too.
        let name = Some(record.turn.as_str()).filter(|name| grows_with_time(name));
        let from = of_turn().map(|record| record.id.as_str()).chain(name).min()?;
        let last = of_turn().map(|record| record.id.as_str()).max()?;
        // A session goes from one turn to the next; what other sessions do meanwhile says nothing about it.
        let is_next = |other: &&UndoRecord| {
            other.session == record.session && other.turn != record.turn && other.id.as_str() > last
        };
        let next = self.records.iter().filter(is_next).map(|next| next.id.as_str()).min();
        let until = next.filter(|_| is_named);
        self.damaged.iter().find(|id| id.as_str() > from && until.is_none_or(|until| id.as_str() < until))
    }
}

fn grows_with_time(name: &str) -> bool {
    const BY_TIME: usize = 7;
    Uuid::try_parse(name).is_ok_and(|id| id.get_version_num() == BY_TIME)
}
