//! The keys of a `command` tool. Words are given to the program one by one; no shell ever reads them.

use hermes_core::yaml::{Key, Kind as NodeKind, Node, Reader, quote};
use hermes_core::{Steers, steers};

use super::auth_keys::is_variable;
use super::code_words::{Placed, refuse_code};
use super::parameter::{one_of, refuse_unknown};
use super::spec::{CommandSpec, EnvValue, Parameter, Word};
use super::template::Template;

pub(super) const KEYS: &[&str] =
    &["command", "stdin", "env", "output", "ok_exit_codes", "max_output_bytes", "read_only"];
pub(super) const ENV_KEYS: &[&str] = &["from_env"];
const DEFAULT_MAX_BYTES: usize = 1024 * 1024;
const LARGEST_MAX_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn command(
    reader: &mut Reader,
    tool: &Node,
    entries: &[(&Key, &Node)],
    parameters: &[Parameter],
) -> Option<CommandSpec> {
    let find = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    let Some(node) = find("command") else {
        let hint = "write command: [program, argument, \"{parameter}\"]".to_owned();
        reader.error(tool.at, "a command tool needs a command", Some(hint));
        return None;
    };
    let (argv, placed) = words(reader, node)?;
    let stdin = find("stdin").and_then(|node| Some((node.at, template(reader, node, "stdin")?)));
    refuse_code(reader, &placed, stdin.as_ref());
    let stdin = stdin.map(|(_, template)| template);
    let env = find("env").map(|node| variables(reader, node)).unwrap_or_default();
    let json = find("output").and_then(|node| one_of(reader, node, "output", &["text", "json"])).as_deref()
        == Some("json");
    let read_only = find("read_only").is_some_and(|node| reader.switch(node, "read_only"));
    let mut spec = CommandSpec {
        argv,
        stdin,
        env,
        json,
        ok_exit_codes: vec![0],
        max_bytes: DEFAULT_MAX_BYTES,
        read_only,
    };
    if let Some(number) =
        find("max_output_bytes").and_then(|node| reader.whole(node, "max_output_bytes", 1, LARGEST_MAX_BYTES))
    {
        spec.max_bytes = usize::try_from(number.value).unwrap_or(DEFAULT_MAX_BYTES);
    }
    if let Some(node) = find("ok_exit_codes") {
        let items = reader.list(node, "ok_exit_codes").unwrap_or_default();
        let codes = items.iter().filter_map(|item| reader.whole(item, "an exit code", 0, 255));
        spec.ok_exit_codes = codes.filter_map(|code| i32::try_from(code.value).ok()).collect();
    }
    check_names(reader, tool, &spec, parameters);
    Some(spec)
}

/// The words, and each of them with its place.
fn words(reader: &mut Reader, node: &Node) -> Option<(Vec<Word>, Vec<Placed>)> {
    if let NodeKind::Scalar { text, .. } = &node.kind {
        let hint = match text.is_empty() {
            true => "write [program, argument]".to_owned(),
            false => format!("write [{}]", text.split_whitespace().collect::<Vec<_>>().join(", ")),
        };
        reader.error(node.at, "command must be a list of words: no shell takes it apart", Some(hint));
        return None;
    }
    let mut all = Vec::new();
    let mut placed = Vec::new();
    let mut one = |reader: &mut Reader, node: &Node| {
        let word = template(reader, node, "a word")?;
        placed.push((node.at, word.clone()));
        Some(word)
    };
    for item in reader.list(node, "command")? {
        match &item.kind {
            NodeKind::List(group) => {
                all.push(Word::Group(group.iter().filter_map(|word| one(reader, word)).collect()));
            }
            _ => all.extend(one(reader, item).map(Word::One)),
        }
    }
    let why = match all.first() {
        None => "the command names no program",
        Some(Word::Group(_)) => "the program is fixed: it may not stand in a group",
        Some(Word::One(first)) => match first.literal() {
            None => "the program is fixed: the first word may hold no argument",
            Some("") => "the command names no program",
            Some(_) => return Some((all, placed)),
        },
    };
    reader.error(node.at, why, Some("write [program, argument, \"{parameter}\"]".to_owned()));
    None
}

impl Word {
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template> {
        match self {
            Word::One(one) => std::slice::from_ref(one).iter(),
            Word::Group(group) => group.iter(),
        }
    }
}

fn template(reader: &mut Reader, node: &Node, what: &str) -> Option<Template> {
    // Numbers and switches are words too: -n 5.
    let NodeKind::Scalar { text, .. } = &node.kind else {
        reader.error(node.at, format!("{what} must be text, not {}", node.written()), None);
        return None;
    };
    Template::parse(text).map_err(|why| reader.error(node.at, why, None)).ok()
}

fn variables(reader: &mut Reader, node: &Node) -> Vec<(String, EnvValue)> {
    let mut all = Vec::new();
    for (key, value) in reader.entries(node, "env") {
        let name = key.name.as_str();
        if !is_variable(name) {
            reader.error(key.at, format!("{} is no name of a variable", quote(name)), None);
            continue;
        }
        if steers(name) == Some(Steers::Loading) {
            reader.error(key.at, format!("{name} decides what is loaded, and is not a tool's to set"), None);
            continue;
        }
        let NodeKind::Map(_) = &value.kind else {
            let Some(template) = template(reader, value, name) else { continue };
            if steers(name).is_some() && template.names().next().is_some() {
                let message = format!("{name} decides what is run, and no argument may fill it");
                reader.error(value.at, message, None);
            }
            all.push((name.to_owned(), EnvValue::Template(template)));
            continue;
        };
        for (_, from) in reader.table(value, "a variable", ENV_KEYS) {
            if let Some(from) = reader.text(from, "from_env") {
                match is_variable(&from.value) {
                    true => all.push((name.to_owned(), EnvValue::FromEnv(from.value))),
                    false => reader.error(value.at, "from_env must name a variable", None),
                }
            }
        }
    }
    all
}

fn check_names(reader: &mut Reader, tool: &Node, spec: &CommandSpec, parameters: &[Parameter]) {
    let in_env = spec.env.iter().filter_map(|(_, value)| match value {
        EnvValue::Template(template) => Some(template),
        EnvValue::FromEnv(_) => None,
    });
    let templates = spec.argv.iter().flat_map(Word::templates).chain(&spec.stdin).chain(in_env);
    let spoken: Vec<&str> = templates.flat_map(Template::names).collect();
    refuse_unknown(reader, tool, spoken.iter().copied(), parameters);
    for parameter in parameters.iter().filter(|parameter| !spoken.contains(&parameter.name.as_str())) {
        let hint = Some(format!("write {{{}}} where it belongs", parameter.name));
        reader.error(parameter.at, format!("the parameter {} is used nowhere", parameter.name), hint);
    }
}
