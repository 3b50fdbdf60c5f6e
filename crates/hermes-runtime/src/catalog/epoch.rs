//! Keeps a session's catalog until something it was made from changes, and says what changed.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::build::{CatalogInputs, build};
use super::definition::Definition;
use super::snapshot::Catalog;
use crate::hooks::ListMemo;
use crate::registry::Snapshot;

/// What a catalog was made from, by generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    registry: u64,
    toolsets: u64,
    policy: u64,
    parent: u64,
}

#[derive(Debug)]
struct Kept {
    key: Key,
    valid_until: Option<Instant>,
    catalog: Arc<Catalog>,
}

/// A session's place for its current catalog.
#[derive(Debug, Default)]
pub(crate) struct CatalogCell {
    kept: ArcSwapOption<Kept>,
    /// Held while one is built; what hooks said the last time.
    building: Mutex<ListMemo>,
}

impl CatalogCell {
    /// The current catalog; a warm look costs a few atomic loads and no allocation.
    pub(crate) async fn current(&self, inputs: &CatalogInputs<'_>) -> Arc<Catalog> {
        let key = Key {
            registry: inputs.registered.generation,
            toolsets: inputs.toolsets.generation(),
            policy: inputs.policy.generation(),
            parent: inputs.parent.map_or(0, |parent| parent.revision),
        };
        if let Some(catalog) = self.fresh(key) {
            return catalog;
        }
        let mut memo = self.building.lock().await;
        if let Some(catalog) = self.fresh(key) {
            return catalog;
        }
        let built = build(inputs, &mut memo).await;
        let previous = self.kept.load_full();
        let mut next = built.catalog;
        next.removed = removed(previous.as_ref(), inputs.registered);
        let catalog = with_epoch(next, previous.as_ref().map(|kept| &kept.catalog));
        let kept = Kept { key, valid_until: built.valid_until, catalog: Arc::clone(&catalog) };
        self.kept.store(Some(Arc::new(kept)));
        catalog
    }

    /// The kept catalog if it still holds. Cheap enough for every call.
    pub(crate) fn peek(&self, registry: u64, toolsets: u64, policy: u64) -> Option<Arc<Catalog>> {
        self.fresh(Key { registry, toolsets, policy, parent: 0 })
    }

    fn fresh(&self, key: Key) -> Option<Arc<Catalog>> {
        let kept = self.kept.load();
        let kept = kept.as_ref()?;
        let holds = kept.key == key && kept.valid_until.is_none_or(|until| until > Instant::now());
        holds.then(|| Arc::clone(&kept.catalog))
    }
}

/// What the session had and the registry's last change took away. What it never had it does not hear of.
fn removed(previous: Option<&Arc<Kept>>, registered: &Snapshot) -> BTreeSet<String> {
    let Some(before) = previous.map(|kept| &kept.catalog) else { return BTreeSet::new() };
    let had = before.places.keys().chain(before.hidden.keys()).chain(&before.removed);
    had.filter(|name| registered.was_removed(name)).cloned().collect()
}

/// Keeps the old epoch and the old bytes if nothing the model sees has changed.
fn with_epoch(mut next: Catalog, previous: Option<&Arc<Catalog>>) -> Arc<Catalog> {
    let Some(previous) = previous else {
        next.epoch = 1;
        next.revision = 1;
        next.reason = "first look".to_owned();
        return Arc::new(next);
    };
    next.revision = previous.revision + 1;
    if let (Some(bridge), Some(before)) = (&mut next.bridge, &previous.bridge) {
        bridge.keep_words_of(before);
    }
    match difference(previous, &next) {
        None => {
            next.epoch = previous.epoch;
            next.reason.clone_from(&previous.reason);
            if let Some(json) = previous.json.get() {
                let _ = next.json.set(Arc::clone(json));
            }
        }
        Some(reason) => {
            next.epoch = previous.epoch + 1;
            next.reason = reason;
        }
    }
    Arc::new(next)
}

/// What the model would see change. Deferred tools come and go unseen.
fn difference(old: &Catalog, new: &Catalog) -> Option<String> {
    let by_name = |catalog: &Catalog| -> HashMap<String, Definition> {
        catalog.visible().map(|tool| (tool.shown_name.clone(), tool.definition.clone())).collect()
    };
    let (before, after) = (by_name(old), by_name(new));
    let mut changes = Vec::new();
    for tool in new.visible() {
        let name = tool.shown_name.as_str();
        match before.get(name) {
            None => changes.push(format!("+{name}")),
            Some(definition) if *definition != tool.definition => changes.push(format!("~{name}")),
            Some(_) => {}
        }
    }
    for tool in old.visible().filter(|tool| !after.contains_key(&tool.shown_name)) {
        let name = tool.shown_name.as_str();
        match new.hidden.get(&tool.entry.info().name) {
            Some(hidden) => changes.push(format!("-{name} ({})", hidden.text())),
            None if new.get(name).is_some() => changes.push(format!("-{name} (deferred)")),
            None => changes.push(format!("-{name}")),
        }
    }
    (!changes.is_empty()).then(|| changes.join(", "))
}
