//! `plugin.yaml`: who a plugin is, how it is started, and what it asks for.

use std::path::Path;

use hermes_core::Permission;
use hermes_core::yaml::{Budget, Node, Problem, Reader, quote};
use hermes_host::plain_file;

use super::content::is_unbound;
use crate::env_need::{EnvNeed, needs};
use crate::yaml::one_of;

/// The file that makes a folder a plugin.
pub const MANIFEST: &str = "plugin.yaml";

const MAX_BYTES: u64 = 64 << 10;
const BUDGET: Budget = Budget { what: "a manifest", max_bytes: MAX_BYTES as usize };
const KEYS: &[&str] = &[
    "id",
    "version",
    "description",
    "command",
    "protocol",
    "toolset",
    "tools",
    "permissions",
    "requires_env",
    "hooks",
    "build",
];

/// What a plugin may be asked about, as in `hooks` of the configuration.
pub const EVENTS: &[&str] = &["pre_tool_call", "post_tool_call", "transform_tool_result"];

/// What is spoken over the program's standard input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Lines of JSON as `docs/plugins.md` has them.
    #[default]
    Lines,
    /// The Model Context Protocol.
    Mcp,
}

impl Protocol {
    const NAMES: &[&str] = &["lines", "mcp"];

    fn named(name: &str) -> Option<Self> {
        match name {
            "lines" => Some(Protocol::Lines),
            "mcp" => Some(Protocol::Mcp),
            _ => None,
        }
    }
}

/// A manifest that was read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub id: String,
    pub version: String,
    pub description: String,
    /// The program and its words, started in the plugin's folder.
    pub command: Vec<String>,
    pub protocol: Protocol,
    pub toolset: String,
    /// The tools it may offer; `None` leaves that to the plugin.
    pub tools: Option<Vec<String>>,
    /// What it asks for.
    pub permissions: Vec<String>,
    pub requires_env: Vec<EnvNeed>,
    /// The events it wants to be asked about.
    pub hooks: Vec<String>,
    /// How to make the program, for people.
    pub build: Option<String>,
}

/// Reads the manifest of a folder, or says everything that is wrong with it, a line each.
pub fn read_manifest(folder: &Path) -> Result<Manifest, String> {
    let path = folder.join(MANIFEST);
    let shown = path.display().to_string();
    let text = plain_file::read_text(&path, MAX_BYTES).map_err(|error| format!("{shown}: {error}"))?;
    parse(&shown, &text).map_err(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn parse(name: &str, text: &str) -> Result<Manifest, Vec<Problem>> {
    let mut reader = Reader::new(name);
    let manifest = reader.root(text, BUDGET).and_then(|root| manifest(&mut reader, &root));
    reader.finish(manifest)
}

fn manifest(reader: &mut Reader, root: &Node) -> Option<Manifest> {
    let entries = reader.table(root, "a manifest", KEYS);
    let find = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    for needed in ["id", "command"] {
        if find(needed).is_none() {
            reader.error(
                root.at,
                format!("the manifest has no {needed}"),
                Some(format!("write {needed}: …")),
            );
        }
    }
    let mut text = |name: &str| find(name).and_then(|node| Some(reader.text(node, name)?.value));
    let (version, description, build) = (text("version"), text("description"), text("build"));
    let (id, toolset) = (text("id"), text("toolset"));
    let mut named = |text: Option<String>, key: &str| {
        let text = text?;
        if is_id(&text) {
            return Some(text);
        }
        let at = find(key).map_or(root.at, |node| node.at);
        let hint = "use small letters, digits, _ and -, beginning with a letter, at most 64".to_owned();
        reader.error(at, format!("{} is no {key}", quote(&text)), Some(hint));
        None
    };
    let id = named(id, "id");
    let toolset = named(toolset, "toolset").unwrap_or_else(|| crate::yaml::DEFAULT_TOOLSET.to_owned());
    let mut list = |name: &str| {
        let texts = find(name).map(|node| reader.texts(node, name).unwrap_or_default())?;
        Some(texts.into_iter().map(|(text, mark)| (text.value, mark)).collect::<Vec<_>>())
    };
    let (command, tools) = (list("command"), list("tools"));
    let (permissions, hooks) = (list("permissions"), list("hooks"));
    for (permission, at) in permissions.iter().flatten() {
        if !Permission::is_known(permission) {
            let near = hermes_core::names::nearest(permission, Permission::KNOWN.iter().copied(), 1);
            let hint = near.first().map(|near| format!("did you mean {near}?"));
            reader.error(*at, format!("there is no permission {}", quote(permission)), hint);
        }
    }
    for (event, at) in hooks.iter().flatten() {
        if !EVENTS.contains(&event.as_str()) {
            let hint = Some(format!("known: {}", EVENTS.join(", ")));
            reader.error(*at, format!("there is no event {}", quote(event)), hint);
        }
    }
    let protocol = protocol(reader, find("protocol"));
    if let (Protocol::Mcp, Some(node)) = (protocol, find("hooks")) {
        let hint = Some("leave hooks out, or speak lines".to_owned());
        reader.error(node.at, "a plugin that speaks mcp cannot be asked about events", hint);
    }
    let requires_env = find("requires_env").map(|node| needs(reader, node)).unwrap_or_default();
    let plain =
        |list: Vec<(String, hermes_core::yaml::Mark)>| list.into_iter().map(|(text, _)| text).collect();
    for (word, at) in command.iter().flatten().filter(|(word, _)| is_unbound(Path::new(word))) {
        let hint = Some("put it beside the manifest".to_owned());
        reader.error(*at, format!("{} is where files change without being agreed to", quote(word)), hint);
    }
    let command: Vec<String> = command.map(plain).unwrap_or_default();
    if let (true, Some(node)) = (command.is_empty(), find("command")) {
        reader.error(node.at, "the command names no program", None);
    }
    Some(Manifest {
        id: id?,
        version: version.unwrap_or_else(|| "0.0.0".to_owned()),
        description: description.unwrap_or_default(),
        command,
        protocol,
        toolset,
        tools: tools.map(plain),
        permissions: permissions.map(plain).unwrap_or_default(),
        requires_env,
        hooks: hooks.map(plain).unwrap_or_default(),
        build,
    })
}

fn protocol(reader: &mut Reader, node: Option<&Node>) -> Protocol {
    let name = node.and_then(|node| one_of(reader, node, "protocol", Protocol::NAMES));
    name.and_then(|name| Protocol::named(&name)).unwrap_or_default()
}

/// Whether a plugin or toolset may be called so. No dots and slashes: ids are names of folders.
pub(super) fn is_id(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        parse("plugin.yaml", text).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_manifest_says_who_it_is_and_what_it_wants() {
        let read = parse(
            "plugin.yaml",
            "id: weather\ncommand: [python3, weather.py]\npermissions: [network:fetch]\nrequires_env: [A_KEY, {name: B, url: 'https://b.example', optional: true}]",
        );
        let manifest = read.unwrap();
        assert_eq!((manifest.id.as_str(), manifest.toolset.as_str()), ("weather", "custom"));
        assert_eq!(manifest.requires_env.len(), 2);
        assert!(manifest.requires_env[1].optional);
    }

    #[test]
    fn mistakes_have_places_and_remedies() {
        assert!(
            wrong("id: a\ncomand: [x]")
                .contains("plugin.yaml:2:1: unknown key \"comand\" in a manifest (did you mean command?)")
        );
        assert!(wrong("id: ../x\ncommand: [x]").contains("plugin.yaml:1:5: \"../x\" is no id"));
        assert!(wrong("id: a\ncommand: []").contains("names no program"));
        assert!(
            wrong("id: a\ncommand: [sh, lib/.git/x]")
                .contains("plugin.yaml:2:15: \"lib/.git/x\" is where files change without being agreed to")
        );
        assert!(wrong("id: a\ncommand: [python3, ../other/run.py]").contains("without being agreed to"));
        assert!(
            wrong("id: a\ncommand: [x]\npermissions: [network:fetsh]")
                .contains("did you mean network:fetch?")
        );
        assert!(
            wrong("id: a\ncommand: [x]\nrequires_env: [LD_PRELOAD]").contains("is no name of a variable")
        );
    }
}
