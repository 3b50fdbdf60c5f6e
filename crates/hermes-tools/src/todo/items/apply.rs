//! Changing the list: merging, identities, and the rule that one task is worked on at a time.

use std::collections::HashSet;

use super::item::{Change, Item, Status};

const MAX_ITEMS: usize = 256;
const MAX_CONTENT_CHARS: usize = 4_000;
const CUT_MARK: &str = " … [cut]";
const NO_CONTENT: &str = "(no description)";

/// What came of a change, besides the list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::todo) struct Applied {
    pub(in crate::todo) items: Vec<Item>,
    pub(in crate::todo) notes: Vec<String>,
}

/// Replaces the list, or merges the changes into it by id. An item without an id is the one with the same
/// content, if there is one, so that sending the list again does not renumber it.
pub(in crate::todo) fn apply(old: &[Item], changes: Vec<Change>, merge: bool) -> Applied {
    let mut items: Vec<Item> = if merge { old.to_vec() } else { Vec::new() };
    let mut touched = HashSet::new();
    let mut fresh_ids = FreshIds::beside(old, &changes);
    for change in changes {
        let content = change.content.as_deref().map(str::trim).filter(|content| !content.is_empty());
        let id = change.id.as_deref().map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned);
        let known = |item: &&Item| match &id {
            Some(id) => item.id == *id,
            None => Some(item.content.as_str()) == content && !touched.contains(&item.id),
        };
        let known = items.iter().chain(old).find(known).cloned();
        let item = Item {
            id: id.or_else(|| known.as_ref().map(|item| item.id.clone())).unwrap_or_else(|| fresh_ids.next()),
            content: match (content, &known) {
                (Some(content), _) => cut(content),
                (None, Some(known)) => known.content.clone(),
                (None, None) => NO_CONTENT.to_owned(),
            },
            status: change.status.or(known.map(|item| item.status)).unwrap_or_default(),
        };
        touched.insert(item.id.clone());
        match items.iter_mut().find(|known| known.id == item.id) {
            Some(place) => *place = item,
            None => items.push(item),
        }
    }
    let mut notes = Vec::new();
    if items.len() > MAX_ITEMS {
        notes.push(format!(
            "The list holds {MAX_ITEMS} items; the last {} were left out.",
            items.len() - MAX_ITEMS
        ));
        items.truncate(MAX_ITEMS);
    }
    notes.extend(keep_one_in_progress(&mut items, &touched));
    Applied { items, notes }
}

/// What was just marked wins over what was in progress before; the first of several wins.
fn keep_one_in_progress(items: &mut [Item], touched: &HashSet<String>) -> Option<String> {
    let in_progress = |item: &&Item| item.status == Status::InProgress;
    let kept = items
        .iter()
        .filter(in_progress)
        .find(|item| touched.contains(&item.id))
        .or_else(|| items.iter().find(in_progress))?
        .id
        .clone();
    let mut others = Vec::new();
    for item in items.iter_mut().filter(|item| item.status == Status::InProgress && item.id != kept) {
        item.status = Status::Pending;
        others.push(item.id.as_str());
    }
    (!others.is_empty()).then(|| {
        format!("One item is in progress at a time: kept {kept}, set back to pending: {}.", others.join(", "))
    })
}

/// The mark counts, so that a cut text is not cut again when it comes back.
fn cut(content: &str) -> String {
    if content.chars().count() <= MAX_CONTENT_CHARS {
        return content.to_owned();
    }
    content.chars().take(MAX_CONTENT_CHARS - CUT_MARK.chars().count()).chain(CUT_MARK.chars()).collect()
}

/// Numbers that no item has or had in this list.
struct FreshIds {
    taken: HashSet<String>,
    last: u64,
}

impl FreshIds {
    fn beside(old: &[Item], changes: &[Change]) -> Self {
        let given = changes.iter().filter_map(|change| change.id.as_deref()).map(|id| id.trim().to_owned());
        let taken: HashSet<String> = old.iter().map(|item| item.id.clone()).chain(given).collect();
        let last = taken.iter().filter_map(|id| id.parse().ok()).max().unwrap_or(0);
        FreshIds { taken, last }
    }

    fn next(&mut self) -> String {
        loop {
            self.last = self.last.wrapping_add(1);
            let id = self.last.to_string();
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(id: &str, content: &str, status: Option<Status>) -> Change {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Change { id: some(id), content: some(content), status }
    }

    fn shown(applied: &Applied) -> Vec<(&str, &str, Status)> {
        applied.items.iter().map(|item| (item.id.as_str(), item.content.as_str(), item.status)).collect()
    }

    #[test]
    fn items_without_ids_stay_apart_and_keep_their_ids() {
        use Status::{Completed, Pending};
        let first =
            apply(&[], vec![change("", "a", None), change("", "b", None), change("", "b", None)], false);
        assert_eq!(shown(&first), [("1", "a", Pending), ("2", "b", Pending), ("3", "b", Pending)]);
        let again = vec![change("", "b", Some(Completed)), change("", "c", None), change("", "b", None)];
        let again = apply(&first.items, again, false);
        assert_eq!(shown(&again), [("2", "b", Completed), ("4", "c", Pending), ("3", "b", Pending)]);
    }

    #[test]
    fn merging_changes_what_is_named_and_appends_the_rest() {
        use Status::{Completed, InProgress, Pending};
        let old =
            apply(&[], vec![change("x", "one", Some(InProgress)), change("y", "two", None)], false).items;
        let merged = apply(&old, vec![change("y", "", Some(InProgress)), change("z", "three", None)], true);
        assert_eq!(
            shown(&merged),
            [("x", "one", Pending), ("y", "two", InProgress), ("z", "three", Pending)]
        );
        assert_eq!(merged.notes.len(), 1);
        let last_wins = apply(&[], vec![change("a", "1", None), change("a", "2", Some(Completed))], false);
        assert_eq!(shown(&last_wins), [("a", "2", Completed)]);
    }

    #[test]
    fn contents_are_bounded_once() {
        let long = cut(&"é".repeat(5_000));
        assert_eq!(long.chars().count(), MAX_CONTENT_CHARS);
        assert_eq!(cut(&long), long);
        let many = (0..300).map(|index| change("", &format!("task {index}"), None)).collect();
        assert_eq!(apply(&[], many, false).items.len(), MAX_ITEMS);
        assert_eq!(apply(&[], vec![Change::default()], false).items[0].content, NO_CONTENT);
    }
}
