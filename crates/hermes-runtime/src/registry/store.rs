//! The registry itself: one pointer to the current snapshot, changed by one writer at a time.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use hermes_core::{AnyTool, Owner, Source, names};

use super::{Entry, Refused, RegistryError, Set, Snapshot, SyncReport};

/// Names that belong to the runtime: the tool-search bridge is unwrapped before any lookup.
pub const RESERVED: &[&str] = &["tool_call", "tool_describe", "tool_search"];

/// All tools of a process.
pub struct Registry {
    current: ArcSwap<Snapshot>,
    /// Serialises writers; readers never take it.
    writing: Mutex<()>,
    /// Owners whom the operator allowed to override tools that are not theirs.
    may_override: BTreeSet<String>,
}

impl Registry {
    /// `may_override` lists the owner ids with `allow_tool_override: true`.
    pub fn new(may_override: impl IntoIterator<Item = String>) -> Self {
        Registry {
            current: ArcSwap::default(),
            writing: Mutex::new(()),
            may_override: may_override.into_iter().collect(),
        }
    }

    /// The tools of the program itself, which nobody may override.
    pub fn of_host(tools: impl IntoIterator<Item = Arc<dyn AnyTool>>) -> Result<Self, RegistryError> {
        let registry = Registry::new([]);
        tools.into_iter().try_for_each(|tool| registry.register(Owner::Host, tool))?;
        Ok(registry)
    }

    /// The tools as they are now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Grows by one with every change.
    pub fn generation(&self) -> u64 {
        self.current.load().generation
    }

    /// Adds a tool, or replaces the owner's own tool of that name.
    pub fn register(&self, owner: Owner, tool: Arc<dyn AnyTool>) -> Result<(), RegistryError> {
        self.change(|next| admit(next, &owner, &tool, None).map(|()| put(next, &owner, tool)))?;
        Ok(())
    }

    /// Adds a tool even over another owner's, if the operator allowed this owner to.
    pub fn register_override(&self, owner: Owner, tool: Arc<dyn AnyTool>) -> Result<(), RegistryError> {
        self.change(|next| {
            let allowed = self.may_override.contains(owner.id());
            admit(next, &owner, &tool, Some(allowed)).map(|()| put(next, &owner, tool))
        })?;
        Ok(())
    }

    /// Removes a tool. Unknown names are no error; somebody else's tool is.
    pub fn remove(&self, owner: &Owner, name: &str) -> Result<(), RegistryError> {
        self.change(|next| {
            next.covered.retain(|entry| entry.owner != *owner || entry.info().name != name);
            let Some(entry) = next.entries.get(name) else { return Ok(Vec::new()) };
            if entry.owner != *owner {
                return Err(RegistryError::NotOwner {
                    name: name.to_owned(),
                    held_by: entry.owner.clone(),
                    claimed_by: owner.clone(),
                });
            }
            Ok(next.remove(name).into_iter().collect())
        })?;
        Ok(())
    }

    /// Swaps in a source's whole current set as one snapshot. What it offers and may not have is
    /// reported; the rest goes in.
    pub async fn sync(&self, source: &dyn Source) -> Result<SyncReport, String> {
        let tools = source.tools().await?;
        Ok(self.replace_all(source.owner(), tools))
    }

    /// Makes `tools` the owner's whole set. An owner whom the operator allowed to may take others' names.
    pub fn replace_all(&self, owner: Owner, tools: Vec<Arc<dyn AnyTool>>) -> SyncReport {
        self.replace_sets(vec![Set::new(owner, tools)])
    }

    /// Swaps in the whole sets of several owners as one snapshot: a tool that moves from one to another is
    /// never missing and never claimed twice.
    pub fn replace_sets(&self, sets: Vec<Set>) -> SyncReport {
        let mut report = SyncReport::default();
        let result: Result<(), RegistryError> = self.change(|next| {
            let mut retired = Vec::new();
            let covered: Vec<Vec<String>> = sets.iter().map(|set| next.forget_covered(&set.owner)).collect();
            for set in &sets {
                let offered: BTreeSet<&str> =
                    set.tools.iter().map(|tool| tool.info().name.as_str()).collect();
                let mine = next.entries.values().filter(|entry| entry.owner == set.owner);
                let names = mine.map(|entry| entry.info().name.clone());
                let gone: Vec<String> = names.filter(|name| !offered.contains(name.as_str())).collect();
                for name in gone {
                    retired.extend(next.remove(&name));
                    report.removed.push(name);
                }
            }
            next.uncover();
            for (set, covered) in sets.into_iter().zip(covered) {
                let everything = self.may_override.contains(set.owner.id());
                for tool in set.tools {
                    let name = tool.info().name.clone();
                    let overriding = (everything || set.may_take.contains(&name)).then_some(true);
                    match admit(next, &set.owner, &tool, overriding) {
                        Ok(()) => {
                            let replaced = put(next, &set.owner, tool);
                            if replaced.is_empty() { &mut report.added } else { &mut report.replaced }
                                .push(name);
                            retired.extend(replaced);
                        }
                        Err(RegistryError::Collision { .. }) if covered.contains(&name) => {
                            next.covered.push(Arc::new(Entry::new(set.owner.clone(), tool)));
                        }
                        Err(error) => report.refused.push(Refused { name, error }),
                    }
                }
            }
            Ok(retired)
        });
        debug_assert!(result.is_ok(), "replacing a set reports refusals instead of failing");
        report
    }

    /// Retires every tool; used when the runtime shuts down.
    pub(crate) fn clear(&self) -> Vec<Arc<Entry>> {
        let mut all = Vec::new();
        let _: Result<(), RegistryError> = self.change(|next| {
            all = std::mem::take(&mut next.entries).into_values().collect();
            next.aliases.clear();
            next.covered.clear();
            Ok(Vec::new())
        });
        all
    }

    /// Runs one change on a copy and publishes it whole. `edit` returns the entries it displaced, which
    /// are torn down once their last call has ended.
    fn change<E>(&self, edit: impl FnOnce(&mut Snapshot) -> Result<Vec<Arc<Entry>>, E>) -> Result<(), E> {
        let _writer = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.current.load_full();
        let mut next = Snapshot::clone(&before);
        let retired = edit(&mut next)?;
        next.uncover();
        next.follow(&before);
        self.current.store(Arc::new(next));
        for entry in retired {
            crate::lifecycle::retire(entry);
        }
        Ok(())
    }
}

/// Puts a tool in the place of whatever holds its names. Tools of others are covered, not lost.
fn put(next: &mut Snapshot, owner: &Owner, tool: Arc<dyn AnyTool>) -> Vec<Arc<Entry>> {
    let mut displaced = Vec::new();
    for name in tool.info().all_names() {
        let holder = next.holder(name).map(|entry| entry.info().name.clone());
        displaced.extend(holder.and_then(|canonical| next.remove(&canonical)));
    }
    next.covered.extend(displaced.iter().filter(|entry| entry.owner != *owner).cloned());
    next.insert(Arc::new(Entry::new(owner.clone(), tool)));
    displaced
}

/// Checks the canonical name and every alias: only the owner replaces, unless the operator opted in.
/// `overriding` is `None` where nobody asked to take what is others', and otherwise the operator's answer.
fn admit(
    next: &Snapshot,
    owner: &Owner,
    tool: &Arc<dyn AnyTool>,
    overriding: Option<bool>,
) -> Result<(), RegistryError> {
    for name in tool.info().all_names() {
        if !names::is_valid(name) {
            return Err(RegistryError::InvalidName { name: name.to_owned() });
        }
        if RESERVED.contains(&name) {
            return Err(RegistryError::Reserved { name: name.to_owned() });
        }
        let Some(holder) = next.holder(name).filter(|entry| entry.owner != *owner) else { continue };
        let (name, held_by, claimed_by) = (name.to_owned(), holder.owner.clone(), owner.clone());
        match overriding {
            None => return Err(RegistryError::Collision { name, held_by, claimed_by }),
            Some(false) => return Err(RegistryError::OverrideNotAllowed { name, held_by, claimed_by }),
            Some(true) => {}
        }
    }
    Ok(())
}
