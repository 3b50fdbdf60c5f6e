//! What a plugin says about itself when it is asked.

use hermes_core::Permission;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::manifest::Manifest;
use super::plan::is_provided;
use crate::env_need::{EnvNeed, is_variable};
use crate::pattern_budget::PatternBudget;
use crate::schema_check::{Flaw, Words, flaws};

/// The version of the protocol that is spoken here.
pub(super) const PROTOCOL: u64 = 1;
const MAX_TOOLS: usize = 200;

/// The answer to `describe`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Described {
    #[serde(default)]
    pub protocol: u64,
    #[serde(default)]
    pub tools: Vec<ToolDescription>,
    #[serde(default, deserialize_with = "needs")]
    pub requires_env: Vec<EnvNeed>,
    /// What it asks for beyond its manifest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
}

/// One tool of a plugin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDescription {
    pub name: String,
    pub description: String,
    #[serde(default = "any_object")]
    pub parameters: Value,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default = "a_minute")]
    pub timeout_seconds: u64,
    /// `none`, `read_only` or `mutating`; what says nothing may change things.
    #[serde(default)]
    pub effect: Option<String>,
    /// `file:line` of its definition, for messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A plugin may write a need as its name alone.
fn needs<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<EnvNeed>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Name(String),
        Need(EnvNeed),
    }
    let all = Vec::<Either>::deserialize(from)?;
    let need = |either| match either {
        Either::Name(name) => EnvNeed { name, ..EnvNeed::default() },
        Either::Need(need) => need,
    };
    Ok(all.into_iter().map(need).collect())
}

fn any_object() -> Value {
    serde_json::json!({"type": "object"})
}

fn a_minute() -> u64 {
    60
}

impl Described {
    /// Checks the answer against the manifest; an error says what is wrong in one line.
    pub(super) fn checked(mut self, manifest: &Manifest) -> Result<Described, String> {
        if self.protocol != PROTOCOL {
            return Err(format!("it speaks protocol {}, and this Hermes speaks {PROTOCOL}", self.protocol));
        }
        if let Some(unknown) = self.permissions.iter().find(|name| !Permission::is_known(name)) {
            return Err(format!("it asks for {unknown:?}, and there is no such permission"));
        }
        if self.tools.len() > MAX_TOOLS {
            return Err(format!("it offers more than {MAX_TOOLS} tools"));
        }
        self.tools.sort_by(|left, right| left.name.cmp(&right.name));
        for pair in self.tools.windows(2) {
            if let [first, second] = pair
                && first.name == second.name
            {
                return Err(format!("it offers two tools called {}", first.name));
            }
        }
        let mut patterns = PatternBudget::default();
        for tool in &self.tools {
            let at = tool.at.as_deref().filter(|at| !at.is_empty());
            let at = at.map(|at| format!("{at}: ")).unwrap_or_default();
            if !hermes_core::names::is_valid(&tool.name) {
                return Err(format!("{at}{:?} is no name for a tool", tool.name));
            }
            if manifest.tools.as_ref().is_some_and(|listed| !listed.contains(&tool.name)) {
                return Err(format!("it offers {}, which its manifest does not list", tool.name));
            }
            if !tool.parameters.is_object() {
                return Err(format!("{at}the parameters of {} are no JSON Schema", tool.name));
            }
            if !(1..=300).contains(&tool.timeout_seconds) {
                return Err(format!("{at}timeout_seconds of {} must be from 1 to 300", tool.name));
            }
            if let Some(flaw) = flaws(&tool.parameters, Words::Any, &mut patterns).first() {
                let Flaw { pointer, message, .. } = flaw;
                let place = if pointer.is_empty() { String::new() } else { format!(" at {pointer}") };
                return Err(format!("{at}the parameters of {}{place}: {message}", tool.name));
            }
            if tool
                .effect
                .as_deref()
                .is_some_and(|effect| !matches!(effect, "none" | "read_only" | "mutating"))
            {
                return Err(format!("{at}the effect of {} is none of none, read_only, mutating", tool.name));
            }
        }
        if let Some(missing) = manifest.tools.iter().flatten().find(|name| !self.offers(name)) {
            return Err(format!("it does not offer {missing}, which its manifest lists"));
        }
        if self.tools.is_empty() && manifest.hooks.is_empty() {
            return Err("it offers no tools, and is not asked about events either".to_owned());
        }
        self.requires_env.retain(|need| !is_provided(&need.name));
        if let Some(bad) = self.requires_env.iter().find(|need| !is_variable(&need.name)) {
            return Err(format!("it may not ask for the variable {:?}", bad.name));
        }
        // What the manifest says of a variable is said better than by a name alone.
        self.requires_env.retain(|need| !manifest.requires_env.iter().any(|known| known.name == need.name));
        self.requires_env.extend(manifest.requires_env.iter().cloned());
        self.requires_env.sort_by(|left, right| left.name.cmp(&right.name));
        self.requires_env.dedup_by(|later, kept| later.name == kept.name);
        Ok(self)
    }

    fn offers(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == *name)
    }
}
