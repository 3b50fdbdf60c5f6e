//! What a tool may do and be given, as far as its registration tells.

use hermes_core::Effect;
use serde_json::Value;

use crate::pattern::Pattern;
use crate::profile::ground::{Known, KnownTool};
use crate::profile::matchers::{Argument, ArgumentTest, Wildcard};
use crate::profile::model::Rule;

/// Actions that change something.
const CHANGES: &[&str] = &["write", "delete", "send", "manage", "execute"];

pub(super) struct Tool<'a> {
    pub(super) known: &'a KnownTool,
}

/// The tools that a rule names; nothing if it may mean tools that are not known here.
pub(super) fn tools<'a>(rule: &Rule, known: &'a Known) -> Option<Vec<(&'a str, Tool<'a>)>> {
    if rule.tool.is_empty() || rule.tool.iter().any(|name| !name.is_exact()) {
        return None;
    }
    let fact = |name: &Wildcard| {
        let (name, known) = known.facts.get_key_value(name.text())?;
        Some((name.as_str(), Tool { known }))
    };
    rule.tool.iter().map(fact).collect()
}

impl KnownTool {
    /// Whether a call of it may need a permission of this pattern.
    pub(super) fn may_use(&self, pattern: &Pattern) -> bool {
        let changes = pattern.action().is_some_and(|action| CHANGES.contains(&action));
        let of_files = self.built_in && self.toolset == "file";
        match self.effect {
            Effect::None => false,
            Effect::ReadOnly if changes => false,
            _ => !of_files || pattern.domain().is_none_or(|domain| domain == "file"),
        }
    }
}

impl Tool<'_> {
    pub(super) fn is_in(&self, toolsets: &[Wildcard]) -> bool {
        // A tool may be listed by composed toolsets, but it belongs to one; requests name that one.
        toolsets.iter().any(|toolset| toolset.matches(&self.known.toolset))
    }

    /// Whether a call can have this argument: it is one of the tool's, and the test can be passed by one of the
    /// values it takes.
    pub(super) fn may_have(&self, argument: &Argument) -> bool {
        let mut names = argument.pointer.split('/').skip(1);
        let Some(first) = names.next() else { return true };
        let name = first.replace("~1", "/").replace("~0", "~");
        let Some(properties) = self.known.parameters.get("properties").and_then(Value::as_object) else {
            return true;
        };
        let Some(schema) = properties.get(&name) else {
            return self.known.parameters.get("additionalProperties") != Some(&Value::Bool(false));
        };
        match schema.get("enum").and_then(Value::as_array).filter(|_| names.next().is_none()) {
            Some(values) => values.iter().any(|value| passes(&argument.test, value)),
            None => true,
        }
    }
}

fn passes(test: &ArgumentTest, value: &Value) -> bool {
    let test = test.clone();
    Argument { pointer: String::new(), test }.matches(value, false)
}
