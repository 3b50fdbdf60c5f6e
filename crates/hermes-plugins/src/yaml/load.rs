//! From the text of a file to its tools, or to everything that is wrong with it.

use std::time::Duration;

use hermes_core::yaml::{Budget, Kind as NodeKind, Mark, Node, Problem, Reader, quote};

use super::arguments::schema;
use super::command_keys::{self, command};
use super::http_keys::{self, Judge, http};
use super::parameter::{one_of, parameters};
use super::spec::{Kind, Parameter, ToolSpec};
use crate::env_need::needs;
use crate::pattern_budget::PatternBudget;
use crate::schema_check::{Flaw, Words, flaws};

/// Far more than any hand writes.
pub(super) const MAX_BYTES: u64 = 512 << 10;
const BUDGET: Budget = Budget { what: "a file of tools", max_bytes: MAX_BYTES as usize };
pub(super) const TOP: &[&str] = &["tools", "requires_env"];
pub(super) const COMMON: &[&str] =
    &["name", "description", "type", "parameters", "tags", "timeout_seconds", "toolset", "override"];
const TYPES: &[&str] = &["http_wrapper", "command"];
const MAX_TOOLS: usize = 500;
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// The toolset of tools that name none.
pub const DEFAULT_TOOLSET: &str = "custom";

/// The keys of a file, for editors. Kept beside the code that reads them, and compared with it by a test.
pub const FILE_SCHEMA: &str = include_str!("tools.schema.json");

/// Reads a file of tools. `name` is what messages call it.
pub fn load(name: &str, text: &str, judge: Judge<'_>) -> Result<Vec<ToolSpec>, Vec<Problem>> {
    let mut reader = Reader::new(name);
    let tools = reader.root(text, BUDGET).map(|root| file(&mut reader, &root, judge));
    reader.finish(tools)
}

fn file(reader: &mut Reader, root: &Node, judge: Judge<'_>) -> Vec<ToolSpec> {
    let mut patterns = PatternBudget::default();
    let entries = reader.table(root, "a file of tools", TOP);
    let find = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    let declared = find("requires_env").map(|node| needs(reader, node)).unwrap_or_default();
    let Some(list) = find("tools") else {
        // Half-written files are empty for a moment, and must not take tools away.
        let hint = "write tools: [], or remove the file".to_owned();
        reader.error(root.at, "the file has no tools", Some(hint));
        return Vec::new();
    };
    let items = reader.list(list, "tools").unwrap_or_default();
    let mut tools: Vec<ToolSpec> = Vec::new();
    for item in items {
        if tools.len() == MAX_TOOLS {
            reader.error(item.at, format!("more than {MAX_TOOLS} tools"), None);
            break;
        }
        // Nobody reads more mistakes than a reader keeps.
        if reader.is_full() {
            break;
        }
        let Some(spec) = tool(reader, item, judge, &mut patterns) else { continue };
        if let Some(first) = tools.iter().find(|known| known.name == spec.name) {
            let hint = Some(format!("line {} has one already", first.at.line));
            reader.error(item.at, format!("a second tool is called {}", spec.name), hint);
        }
        tools.push(ToolSpec { declared: declared.clone(), ..spec });
    }
    tools
}

fn tool(
    reader: &mut Reader,
    node: &Node,
    judge: Judge<'_>,
    patterns: &mut PatternBudget,
) -> Option<ToolSpec> {
    let all: Vec<&str> = COMMON.iter().chain(http_keys::KEYS).chain(command_keys::KEYS).copied().collect();
    let entries = reader.table(node, "a tool", &all);
    let find = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    let mut needed = |key: &str| {
        let value = find(key);
        if value.is_none() {
            reader.error(node.at, format!("the tool has no {key}"), Some(format!("write {key}: …")));
        }
        value
    };
    let (name, description, kind) = (needed("name"), needed("description"), needed("type"));
    let name = name.and_then(|node| tool_name(reader, node, "tool"));
    let description = description.and_then(|node| Some(reader.text(node, "description")?.value));
    let kind = kind.and_then(|node| one_of(reader, node, "type", TYPES))?;
    for (key, _) in &entries {
        let other = if kind == "command" { http_keys::KEYS } else { command_keys::KEYS };
        if other.contains(&key.name.as_str()) {
            reader.error(key.at, format!("{} means nothing for a tool of type {kind}", key.name), None);
        }
    }
    let mut parameters = find("parameters").map(|node| parameters(reader, node)).unwrap_or_default();
    check_schema(reader, find("parameters"), &parameters, patterns);
    let kind = match kind.as_str() {
        "command" => Kind::Command(Box::new(command(reader, node, &entries, &parameters)?)),
        _ => Kind::Http(Box::new(http(reader, node, &entries, &mut parameters, judge)?)),
    };
    let seconds = find("timeout_seconds").and_then(|node| reader.whole(node, "timeout_seconds", 1, 300));
    let tags = find("tags").and_then(|node| reader.texts(node, "tags")).unwrap_or_default();
    let toolset = match find("toolset") {
        Some(node) => tool_name(reader, node, "toolset")?,
        None => DEFAULT_TOOLSET.to_owned(),
    };
    Some(ToolSpec {
        name: name?,
        description: description?,
        toolset,
        tags: tags.into_iter().map(|(tag, _)| tag.value).collect(),
        timeout: seconds.map_or(DEFAULT_TIMEOUT, |seconds| Duration::from_secs(seconds.value)),
        parameters,
        kind,
        overrides: find("override").is_some_and(|node| reader.switch(node, "override")),
        declared: Vec::new(),
        at: reader.place(node.at),
    })
}

/// Calls are checked against the whole of the parameters, with all that stands within them.
fn check_schema(
    reader: &mut Reader,
    node: Option<&Node>,
    parameters: &[Parameter],
    patterns: &mut PatternBudget,
) {
    let Some(node) = node.filter(|_| !parameters.is_empty()) else { return };
    for Flaw { pointer, message, hint } in flaws(&schema(parameters), Words::Known, patterns) {
        reader.error(place_of(node, &pointer), message, hint);
    }
}

/// Where the part of the schema that a pointer leads to was written.
fn place_of(parameters: &Node, pointer: &str) -> Mark {
    let names: Vec<String> =
        pointer.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
    let (Some(name), NodeKind::List(items)) = (names.get(1), &parameters.kind) else { return parameters.at };
    let is_it = |item: &&Node| {
        matches!(&item.kind, NodeKind::Map(entries) if entries.iter()
        .any(|(key, value)| key.name == "name" && value.to_value() == name.as_str()))
    };
    let Some(mut node) = items.iter().find(is_it) else { return parameters.at };
    let mut at = node.at;
    for name in names.iter().skip(2) {
        let below = match &node.kind {
            NodeKind::Map(entries) => {
                entries.iter().find(|(key, _)| key.name == *name).map(|(key, value)| (key.at, value))
            }
            NodeKind::List(items) => {
                let item = name.parse().ok().and_then(|index: usize| items.get(index));
                item.map(|item| (item.at, item))
            }
            NodeKind::Scalar { .. } | NodeKind::Broken => None,
        };
        let Some((key_at, value)) = below else { break };
        // The value where it is one, its name where it is a whole table.
        at = if matches!(value.kind, NodeKind::Scalar { .. }) { value.at } else { key_at };
        node = value;
    }
    at
}

/// A name that a tool or a toolset may have.
fn tool_name(reader: &mut Reader, node: &Node, of: &str) -> Option<String> {
    let text = reader.text(node, "name")?.value;
    let fits = text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'));
    if fits {
        return Some(text);
    }
    let hint = "use small letters, digits, _ and -, beginning with a letter, at most 64".to_owned();
    reader.error(node.at, format!("{} is no name for a {of}", quote(&text)), Some(hint));
    None
}
