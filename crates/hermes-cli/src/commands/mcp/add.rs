//! `hermes mcp add` and `hermes mcp remove`.

use hermes_mcp::ManifestStore;
use serde_json::{Map, Value, json};

use super::args::AddArgs;
use super::{config_text, test};
use crate::app::{GlobalOptions, Surroundings};
use crate::failure::Failure;
use crate::render::{Style, print_text};

pub(super) async fn add(
    args: AddArgs,
    surroundings: &Surroundings,
    options: &GlobalOptions,
    style: Style,
) -> Result<(), Failure> {
    if surroundings.config().mcp_servers.contains_key(&args.name) {
        return Err(Failure::usage(format!("there is an MCP server '{}' already", args.name))
            .with_hint("'hermes mcp remove' takes it away."));
    }
    let (program, arguments) = args.command.split_first().ok_or_else(|| Failure::usage("no command"))?;
    let mut server = Map::from_iter([("command".to_owned(), Value::from(program.as_str()))]);
    if !arguments.is_empty() {
        server.insert("args".to_owned(), json!(arguments));
    }
    let mut env = Map::new();
    for pair in &args.env {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("--env takes NAME=VALUE, not '{pair}'")))?;
        env.insert(name.to_owned(), value.into());
    }
    if !env.is_empty() {
        server.insert("env".to_owned(), Value::Object(env));
    }
    config_text::put(surroundings, &args.name, &Value::Object(server))?;
    if !options.json {
        print_text(&format!("{} {}\n", style.good("added"), args.name))?;
    }
    if args.no_start {
        return Ok(());
    }
    test::run(&args.name, &Surroundings::discover(options)?, options.json, style).await
}

pub(super) fn remove(name: &str, surroundings: &Surroundings, style: Style) -> Result<(), Failure> {
    if !surroundings.config().mcp_servers.contains_key(name) {
        return Err(Failure::usage(format!("there is no MCP server '{name}'")));
    }
    config_text::cut(surroundings, name)?;
    ManifestStore::of(&surroundings.home).forget(name).map_err(Failure::io("what is known of the server"))?;
    print_text(&format!("{} {name}\n", style.good("removed")))
}
