//! The catalog itself: ordered, byte-stable, with an epoch that says why it changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use hermes_core::names;
use serde::Serialize;
use serde_json::Value;

use super::definition::Definition;
use super::room::fits;
use crate::disclosure::{Bridge, Detail, DetailChoice, is_deferrable};
use crate::registry::Entry;
use crate::toolsets::Problem;

/// One tool as the session sees it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub entry: Arc<Entry>,
    /// The name the model is shown.
    pub shown_name: String,
    /// The provider's definition object, made when it is looked at.
    pub definition: Definition,
}

/// A tool that the session asked for and does not get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "hidden", content = "reason", rename_all = "snake_case")]
pub enum Hidden {
    Unavailable(String),
    /// Somebody has to agree to it first.
    KeptBack(String),
    /// The schema cannot be shown to this provider; the other tools go out without it.
    Quarantined(String),
    /// The policy denies every call of it; the rule and its reason.
    Denied(String),
    /// A hook of the operator took it off the list, and says why.
    ByHook(String),
}

/// Everything one session may see, sorted by toolset and name.
#[derive(Debug, Default)]
pub struct Catalog {
    /// Grows by one whenever the definitions change.
    pub epoch: u64,
    /// What changed since the epoch before.
    pub reason: String,
    pub tools: Vec<Listed>,
    pub hidden: BTreeMap<String, Hidden>,
    pub problems: Vec<Problem>,
    /// Names that were here until the registry's last change took them away.
    pub(super) removed: BTreeSet<String>,
    /// The registry's generation it was made from.
    pub(super) generation: u64,
    /// In front of the deferred tools, if any are.
    pub bridge: Option<Bridge>,
    /// Grows by one whenever anything changes, also what the model does not see.
    pub(super) revision: u64,
    pub(super) detail: DetailChoice,
    pub(super) detail_tokens: usize,
    /// Canonical names, shown names and aliases, to the place in `tools`.
    pub(super) places: HashMap<String, usize>,
    /// Tools that policy shuts out, by every name. Nobody is shown them; whoever calls one hears from policy why not.
    pub(super) shut_out: HashMap<String, Listed>,
    /// Every name of the hidden tools, to the canonical one.
    pub(super) hidden_names: BTreeMap<String, String>,
    pub(super) json: OnceLock<Arc<str>>,
}

impl Catalog {
    /// The tool behind a canonical name, shown name or alias; nothing outside this session's scope.
    pub fn get(&self, name: &str) -> Option<&Listed> {
        match self.places.get(name) {
            Some(place) => self.tools.get(*place),
            None => self.bridge.as_ref()?.get(name),
        }
    }

    /// A tool that this session does not have because policy denies every call of it.
    pub(crate) fn get_shut_out(&self, name: &str) -> Option<&Listed> {
        self.shut_out.get(name)
    }

    /// Why this session does not have the tool that it asked for and that has this name, however it is written.
    pub(crate) fn get_hidden(&self, name: &str) -> Option<&Hidden> {
        let known = || {
            let wanted = names::normalise(name);
            let named = |(alias, _): &(&String, &String)| names::normalise(alias) == wanted;
            self.hidden_names.iter().find(named)
        };
        let canonical = self.hidden_names.get(name).or_else(|| known().map(|(_, canonical)| canonical))?;
        self.hidden.get(canonical)
    }

    /// The same for a misspelt name.
    pub(crate) fn get_hidden_repaired(&self, name: &str) -> Option<&Hidden> {
        self.get_hidden(names::repair(name, self.hidden_names.keys().map(String::as_str))?)
    }

    /// The generation of the registry at which this session lost a tool, for as long as that generation lasts.
    pub fn removed_at(&self, name: &str) -> Option<u64> {
        self.removed.contains(name).then_some(self.generation)
    }

    /// The tool that a misspelt name clearly means.
    pub fn get_repaired(&self, name: &str) -> Option<&Listed> {
        let shown = names::repair(name, self.shown_names());
        // A name that is accepted without being shown may be misspelt too, unless it says by its word breaks whose
        // tool it is: the same letters may be another server's.
        let accepted = || {
            let names = self.places.keys().map(String::as_str);
            let mut all: Vec<&str> = names.filter(|name| !name.contains("__")).collect();
            all.sort_unstable();
            names::repair(name, all.into_iter())
        };
        self.get(shown.or_else(accepted)?)
    }

    /// The names nearest to one that was not found.
    pub fn nearest(&self, name: &str, limit: usize) -> Vec<&str> {
        names::nearest(name, self.shown_names(), limit)
    }

    /// Whether the model sees this tool only by searching for it.
    pub fn is_deferred(&self, tool: &Listed) -> bool {
        self.bridge.is_some() && is_deferrable(tool.entry.info())
    }

    /// What the model is shown: the tools that are not deferred, then the bridge.
    pub fn visible(&self) -> impl Iterator<Item = &Listed> {
        self.direct().chain(self.bridge())
    }

    fn direct(&self) -> impl Iterator<Item = &Listed> {
        self.tools.iter().filter(|tool| !self.is_deferred(tool))
    }

    fn bridge(&self) -> impl Iterator<Item = &Listed> {
        self.bridge.iter().flat_map(|bridge| &bridge.tools)
    }

    /// How much of each definition the model is shown.
    pub fn detail(&self) -> Detail {
        match self.detail {
            DetailChoice::Always(detail) => detail,
            DetailChoice::Auto if self.bridge.is_none() => Detail::Full,
            DetailChoice::Auto => {
                let fit = |detail: &Detail| fits(&as_text(&self.with_detail(*detail)), self.detail_tokens);
                Detail::ALL.into_iter().find(fit).unwrap_or(Detail::Outline)
            }
        }
    }

    /// The bridge is always whole: it is made to be short, and every word of it is needed.
    fn with_detail(&self, detail: Detail) -> Vec<Cow<'_, Value>> {
        let direct = self.direct().map(|tool| match detail {
            Detail::Full => Cow::Borrowed(&*tool.definition),
            Detail::Slim | Detail::Outline => Cow::Owned(detail.of(&tool.definition)),
        });
        direct.chain(self.bridge().map(|tool| Cow::Borrowed(&*tool.definition))).collect()
    }

    /// The names the model is shown, in catalog order.
    pub fn shown_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.shown_name.as_str())
    }

    /// The canonical names, in catalog order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.entry.info().name.as_str())
    }

    /// The provider's tools array.
    pub fn definitions(&self) -> Vec<Value> {
        self.with_detail(self.detail()).into_iter().map(Cow::into_owned).collect()
    }

    /// The provider's tools array as JSON text: the same bytes as long as the epoch stands.
    pub fn definitions_json(&self) -> Arc<str> {
        Arc::clone(self.json.get_or_init(|| as_text(&self.with_detail(self.detail())).into()))
    }
}

fn as_text(definitions: &[Cow<'_, Value>]) -> String {
    serde_json::to_string(definitions).unwrap_or_else(|_| "[]".to_owned())
}

impl Hidden {
    /// The reason as one phrase.
    pub fn text(&self) -> &str {
        match self {
            Hidden::Unavailable(reason)
            | Hidden::KeptBack(reason)
            | Hidden::Quarantined(reason)
            | Hidden::Denied(reason)
            | Hidden::ByHook(reason) => reason,
        }
    }
}
