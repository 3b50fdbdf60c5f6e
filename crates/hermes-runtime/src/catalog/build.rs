//! Builds a catalog from the registry, the toolsets, the session's selection and availability.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use hermes_core::ports::Ports;
use hermes_core::redact::Redactor;
use hermes_core::schema::Provider;
use hermes_core::{Offer, Policy, SchemaOverride, SchemaView, SessionIdentity, ToolInfo};
use tokio::time::Instant;

use super::definition::{Naming, redefine};
use super::snapshot::{Catalog, Hidden, Listed};
use crate::availability::AvailabilityCache;
use crate::disclosure::{Bridge, Deferred, ToolSearch, should_defer};
use crate::hooks::{HookChain, ListMemo};
use crate::registry::{Entry, Snapshot};
use crate::toolsets::{Problem, Selection};

/// When a hook that failed is asked again.
const HOOK_RETRY: Duration = Duration::from_secs(30);

/// What a catalog is made from.
pub struct CatalogInputs<'a> {
    pub registered: &'a Arc<Snapshot>,
    pub toolsets: &'a crate::toolsets::Toolsets,
    pub availability: &'a AvailabilityCache,
    pub selection: &'a Selection,
    pub policy: &'a dyn Policy,
    pub identity: &'a SessionIdentity,
    pub provider: Provider,
    pub naming: Naming,
    pub ports: &'a Ports,
    pub search: &'a Arc<ToolSearch>,
    pub redactor: &'a Redactor,
    pub hooks: &'a HookChain,
    /// The context of the session's model, if known.
    pub context_tokens: Option<usize>,
    /// The parent's catalog, if this session is a child: it never sees more.
    pub parent: Option<&'a Catalog>,
}

/// A catalog without an epoch yet, and until when its availability answers hold.
pub(super) struct Built {
    pub(super) catalog: Catalog,
    pub(super) valid_until: Option<Instant>,
}

pub(super) async fn build(inputs: &CatalogInputs<'_>, memo: &mut ListMemo) -> Built {
    let selected = inputs.selection.resolve(&inputs.toolsets.table(), inputs.registered);
    let (candidates, denied) = judged(inputs, candidates(inputs, &selected.tools));
    let answers = inputs.availability.of_all(&candidates, inputs.ports).await;
    let mut valid_until = answers.iter().map(|answer| answer.valid_until).min();

    let mut hidden = BTreeMap::new();
    let mut shut_out = HashMap::new();
    for (entry, reason) in denied {
        let (info, shown_name) = (entry.info(), inputs.naming.shown_name(entry.info()).to_owned());
        hidden.insert(info.name.clone(), Hidden::Denied(reason));
        if let Ok(definition) = entry.definitions.get(&entry.tool, inputs.provider, inputs.naming) {
            let listed = Listed { definition, shown_name, entry: Arc::clone(&entry) };
            shut_out.extend(info.all_names().map(|name| (name.to_owned(), listed.clone())));
        }
    }
    let mut offered = Vec::with_capacity(candidates.len());
    for (entry, answer) in candidates.into_iter().zip(answers) {
        if answer.available {
            offered.push(entry);
        } else {
            let reason = answer.reason.unwrap_or_else(|| "its check failed".to_owned());
            let why = if entry.tool.is_kept_back() { Hidden::KeptBack } else { Hidden::Unavailable };
            hidden.insert(entry.info().name.clone(), why(reason));
        }
    }
    let mut described = BTreeMap::new();
    if inputs.hooks.change_lists() {
        described = changed_by_hooks(inputs, &mut offered, &mut hidden, memo).await;
        if memo.failed {
            let again = Instant::now() + HOOK_RETRY;
            valid_until = Some(valid_until.map_or(again, |until| until.min(again)));
        }
    }
    let catalog = list(inputs, offered, hidden, &described, selected.problems);
    let hidden_names = names_of(&catalog.hidden, inputs.registered);
    let catalog = Catalog { shut_out, hidden_names, ..catalog };
    Built { catalog, valid_until }
}

/// Takes away what hooks hide; returns what they describe anew, by canonical name.
async fn changed_by_hooks(
    inputs: &CatalogInputs<'_>,
    offered: &mut Vec<Arc<Entry>>,
    hidden: &mut BTreeMap<String, Hidden>,
    memo: &mut ListMemo,
) -> BTreeMap<String, String> {
    let SessionIdentity { id, actor, cwd } = inputs.identity;
    let tools: Vec<&ToolInfo> = offered.iter().map(|entry| entry.info()).collect();
    let verdict = inputs.hooks.list((id, actor, cwd), &tools, memo).await;
    let by_canonical = |named: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        let canonical = |name: &String| inputs.registered.canonical(name).unwrap_or(name).to_owned();
        named.iter().map(|(name, text)| (canonical(name), text.clone())).collect()
    };
    let hide = by_canonical(&verdict.hide);
    offered.retain(|entry| match hide.get(&entry.info().name) {
        Some(reason) => {
            hidden.insert(entry.info().name.clone(), Hidden::ByHook(reason.clone()));
            false
        }
        None => true,
    });
    by_canonical(&verdict.describe)
}

/// Every name that would reach one of these tools.
fn names_of(hidden: &BTreeMap<String, Hidden>, registered: &Snapshot) -> BTreeMap<String, String> {
    let entries = hidden.keys().filter_map(|name| registered.get(name));
    let names = entries.flat_map(|entry| entry.info().all_names().map(|name| (name, &entry.info().name)));
    names.map(|(name, canonical)| (name.to_owned(), canonical.clone())).collect()
}

/// What the session asked for and its parent has, by canonical name.
fn candidates(inputs: &CatalogInputs<'_>, selected: &BTreeSet<String>) -> Vec<Arc<Entry>> {
    // Both are sorted by name and walked side by side.
    let mut selected = selected.iter().peekable();
    let mut is_selected = |name: &String| {
        while selected.next_if(|next| *next < name).is_some() {}
        selected.next_if_eq(&name).is_some()
    };
    inputs
        .registered
        .entries()
        .filter(|entry| is_selected(&entry.info().name))
        .filter(|entry| inputs.parent.is_none_or(|parent| parent.get(&entry.info().name).is_some()))
        .cloned()
        .collect()
}

type Denied = Vec<(Arc<Entry>, String)>;

/// Parts what policy lets somebody call from what it never does, with the rule.
fn judged(inputs: &CatalogInputs<'_>, candidates: Vec<Arc<Entry>>) -> (Vec<Arc<Entry>>, Denied) {
    let (mut open, mut denied) = (Vec::with_capacity(candidates.len()), Vec::new());
    for entry in candidates {
        let (info, identity) = (entry.info(), inputs.identity);
        let offer = Offer {
            tool: &info.name,
            toolset: &info.toolset,
            owner: &entry.owner,
            session: &identity.id,
            actor: &identity.actor,
            cwd: &identity.cwd,
            uses: &|| entry.uses(),
        };
        match inputs.policy.shuts_out(&offer) {
            None => open.push(entry),
            Some(decision) => denied.push((entry, format!("{}: {}", decision.rule, decision.reason))),
        }
    }
    (open, denied)
}

fn list(
    inputs: &CatalogInputs<'_>,
    mut offered: Vec<Arc<Entry>>,
    mut hidden: BTreeMap<String, Hidden>,
    described: &BTreeMap<String, String>,
    problems: Vec<Problem>,
) -> Catalog {
    let (provider, naming) = (inputs.provider, inputs.naming);
    // Mostly sorted already: the registry is, by canonical name.
    let mut names: Vec<String> =
        offered.iter().map(|entry| naming.shown_name(entry.info()).to_owned()).collect();
    names.sort_unstable();
    offered.sort_by(|a, b| a.info().toolset.cmp(&b.info().toolset));
    let view = SchemaView { offered: &names };
    let mut tools = Vec::with_capacity(offered.len());
    let mut places = HashMap::with_capacity(offered.len() * 2);
    for entry in offered {
        let definition = match overridden(&entry, &view, described) {
            None => entry.definitions.get(&entry.tool, provider, naming),
            Some(changed) => redefine(entry.info(), provider, naming, changed),
        };
        match definition {
            Ok(definition) => {
                for name in entry.info().all_names() {
                    places.insert(name.to_owned(), tools.len());
                }
                let shown_name = naming.shown_name(entry.info()).to_owned();
                tools.push(Listed { definition, shown_name, entry });
            }
            Err(reason) => {
                hidden.insert(entry.info().name.clone(), Hidden::Quarantined(reason));
            }
        }
    }
    let settings = inputs.search.settings();
    let bridge = should_defer(settings, &tools, inputs.context_tokens).then(|| {
        let deferred = Arc::new(Deferred::new(tools.clone(), Arc::clone(inputs.registered)));
        Bridge::new(deferred, inputs.search, provider)
    });
    let (detail, detail_tokens) = (settings.detail, settings.definition_tokens);
    let generation = inputs.registered.generation;
    Catalog {
        tools,
        hidden,
        problems,
        places,
        bridge,
        detail,
        detail_tokens,
        generation,
        ..Catalog::default()
    }
}

/// What differs in this session: what the tool says of itself, and over that what a hook says of it.
fn overridden(
    entry: &Entry,
    view: &SchemaView<'_>,
    described: &BTreeMap<String, String>,
) -> Option<SchemaOverride> {
    let own = dynamic(entry, view);
    match described.get(&entry.info().name) {
        None => own,
        Some(text) => Some(SchemaOverride { description: Some(text.clone()), ..own.unwrap_or_default() }),
    }
}

/// A dynamic schema that panics costs the tool its change, not the session its catalog.
fn dynamic(entry: &Entry, view: &SchemaView<'_>) -> Option<SchemaOverride> {
    let asked = std::panic::AssertUnwindSafe(|| entry.tool.dynamic_schema(view));
    std::panic::catch_unwind(asked).unwrap_or_else(|_| {
        tracing::warn!(tool = %entry.info().name, "dynamic schema panicked; the static one is used");
        None
    })
}
