//! Asking for keys, or taking one from standard input, and telling what becomes available.

use std::io::Read;

use hermes_host::env_file::EnvFile;
use hermes_plugins::{EnvNeed, can_be_hidden};
use serde_json::{Value, json};

use super::ask::{ask, is_attended};
use super::keys::{Key, keys};
use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

/// A key that is longer is something else.
const MAX_KEY_BYTES: u64 = 64 << 10;

#[derive(clap::Args, Debug)]
pub(crate) struct SetupArgs {
    /// Only these keys, also where they are set already
    names: Vec<String>,
    /// Read the value of one key from standard input
    #[arg(long)]
    stdin: bool,
}

pub(crate) async fn run(args: &SetupArgs, app: &App, json: bool, style: Style) -> Result<u8, Failure> {
    let keys = keys(app)?;
    if args.stdin {
        let [name] = args.names.as_slice() else {
            return Err(Failure::usage(
                "--stdin takes exactly one key, such as: hermes setup --stdin SERVICE_TOKEN",
            ));
        };
        let mut value = String::new();
        let read = std::io::stdin().lock().take(MAX_KEY_BYTES + 1).read_to_string(&mut value);
        read.map_err(Failure::io("standard input"))?;
        if u64::try_from(value.len()).unwrap_or(u64::MAX) > MAX_KEY_BYTES {
            return Err(Failure::usage(format!("the value of {name} has more than {MAX_KEY_BYTES} bytes")));
        }
        let value = value.trim_end_matches(['\n', '\r']);
        let named = EnvNeed::named(name.as_str());
        let need = keys.iter().find(|key| key.need.name == *name).map_or(&named, |key| &key.need);
        store(app, need, value)?;
        let lines = value.lines().count();
        if lines > 1 && !json {
            // A key file has several lines; a token that was cut out of a page should not.
            print_text(&format!("{name} has {lines} lines\n"))?;
        }
        return became(app, &keys, std::slice::from_ref(name), json, style).await;
    }
    let chosen: Vec<&Key> = keys
        .iter()
        .filter(|key| if args.names.is_empty() { !key.set } else { args.names.contains(&key.need.name) })
        .collect();
    if !is_attended() || json {
        return list(&keys, json, style);
    }
    if chosen.is_empty() {
        print_text("Every key that a tool needs is set.\n")?;
        return Ok(exit::OK);
    }
    let mut entered = Vec::new();
    for key in chosen {
        for line in about(key) {
            print_text(&format!("{line}\n"))?;
        }
        let prompt = key.need.prompt.clone().unwrap_or_else(|| key.need.name.clone());
        let mut stored = false;
        while !stored {
            let value = ask(&format!("{prompt} (empty to skip): "), key.need.is_secret())?;
            if value.is_empty() {
                break;
            }
            match store(app, &key.need, &value) {
                Ok(()) => stored = true,
                // Whoever mistyped is asked again, and what was entered before is not lost.
                Err(failure) if failure.code == exit::USAGE => print_text(&format!("{}\n", failure.message))?,
                Err(failure) => return Err(failure),
            }
        }
        if stored {
            entered.push(key.need.name.clone());
        }
    }
    became(app, &keys, &entered, json, style).await
}

fn store(app: &App, need: &EnvNeed, value: &str) -> Result<(), Failure> {
    let name = &need.name;
    if value.is_empty() {
        return Err(Failure::usage(format!("the value of {name} is empty")));
    }
    if need.is_secret() && !can_be_hidden(value) {
        let text = format!(
            "the value of {name} is too short: a secret of so few letters cannot be hidden in answers"
        );
        return Err(Failure::usage(text)
            .with_hint("where it is none, 'secret: false' in requires_env says so; docs/yaml-tools.md"));
    }
    Ok(EnvFile::new(app.surroundings.home.clone()).set(name, value)?)
}

/// What a person needs to know to come by a key.
fn about(key: &Key) -> Vec<String> {
    let mut lines = vec![format!("\n{} is used by {}", key.need.name, key.tools.join(", "))];
    lines.extend(key.need.description.clone().map(|text| format!("  {text}")));
    lines.extend(key.need.url.clone().map(|url| format!("  get it at {url}")));
    lines
}

async fn became(
    app: &App,
    keys: &[Key],
    entered: &[String],
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let mut tools: Vec<&str> = Vec::new();
    for tool in keys.iter().filter(|key| entered.contains(&key.need.name)).flat_map(|key| &key.tools) {
        // Kept in a file since this process looked: the key door reads it again, and so do the tools.
        let snapshot = app.runtime.registry().snapshot();
        if let Some(entry) = snapshot.get(tool)
            && entry.tool.check().await.is_ok()
        {
            tools.push(tool);
        }
    }
    tools.sort_unstable();
    tools.dedup();
    if json {
        print_json(&json!({"stored": entered, "available": tools}))?;
        return Ok(exit::OK);
    }
    for name in entered {
        print_text(&format!("{} {name}\n", style.good("stored")))?;
    }
    if !tools.is_empty() {
        print_text(&format!("now available: {}\n", tools.join(", ")))?;
    }
    Ok(exit::OK)
}

fn list(keys: &[Key], json: bool, style: Style) -> Result<u8, Failure> {
    if json {
        let row = |key: &Key| -> Value { json!({"key": key.need, "tools": key.tools, "set": key.set}) };
        print_json(&keys.iter().map(row).collect::<Vec<_>>())?;
        return Ok(exit::OK);
    }
    if keys.is_empty() {
        print_text("No tool needs a key.\n")?;
        return Ok(exit::OK);
    }
    let mut table = Table::new(&["KEY", "STATE", "TOOLS", "WHERE TO GET IT"]);
    for key in keys {
        let state = match (key.set, key.need.optional) {
            (true, _) => style.good("set"),
            (false, true) => "not set (optional)".to_owned(),
            (false, false) => style.warning("missing"),
        };
        let place = key.need.url.clone().or_else(|| key.need.description.clone()).unwrap_or_default();
        table.row(vec![key.need.name.clone(), state, key.tools.join(", "), place]);
    }
    print_text(&table.render(style))?;
    if keys.iter().any(|key| !key.set && !key.need.optional) {
        print_text("Set one with: hermes setup --stdin KEY < file\n")?;
    }
    Ok(exit::OK)
}
