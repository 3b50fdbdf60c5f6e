//! `hermes mcp add` and `hermes mcp remove`.

use hermes_core::text::visible;
use hermes_host::home::Home;
use hermes_mcp::{Board, LoginStore, ManifestStore, rooms};
use serde_json::{Map, Value, json};

use super::args::AddArgs;
use super::dispatch::unknown;
use super::{catalog, config_text, test};
use crate::app::{GlobalOptions, Surroundings, check_name, check_server};
use crate::failure::Failure;
use crate::render::{Style, print_text};

pub(super) async fn add(
    args: AddArgs,
    surroundings: &Surroundings,
    options: &GlobalOptions,
    style: Style,
) -> Result<(), Failure> {
    check_name(&args.name).map_err(Failure::usage)?;
    if surroundings.config().mcp_servers.contains_key(&args.name) {
        return Err(config_text::taken(&args.name));
    }
    let server = match &args.url {
        Some(url) => elsewhere(url, &args)?,
        None if args.command.is_empty() => known(&args.name)?,
        None => program(&args)?,
    };
    let entry = serde_json::from_value(Value::Object(server.clone()));
    let entry = entry.map_err(|error| Failure::usage(error.to_string()))?;
    check_server(&args.name, &entry, surroundings)
        .map_err(|wrong| Failure::usage(format!("'{}' cannot be used: {wrong}", args.name)))?;
    config_text::put(surroundings, &args.name, &server)?;
    if !options.json {
        print_text(&format!("{} {}\n", style.good("added"), args.name))?;
    }
    if args.no_start {
        return Ok(());
    }
    test::run(&args.name, &Surroundings::discover(options)?, options.json, style).await
}

fn known(name: &str) -> Result<Map<String, Value>, Failure> {
    catalog::named(name)?.ok_or_else(|| {
        Failure::usage(format!("say how '{name}' is reached: a command after --, or --url"))
            .with_hint("'hermes mcp catalog' lists servers that are known by name.")
    })
}

fn program(args: &AddArgs) -> Result<Map<String, Value>, Failure> {
    let (program, arguments) = args.command.split_first().ok_or_else(|| Failure::usage("no command"))?;
    let mut server = Map::from_iter([("command".to_owned(), Value::from(program.as_str()))]);
    if !arguments.is_empty() {
        server.insert("args".to_owned(), json!(arguments));
    }
    let env = pairs("--env takes NAME=VALUE", '=', &args.env)?;
    if !env.is_empty() {
        server.insert("env".to_owned(), Value::Object(env));
    }
    Ok(server)
}

fn elsewhere(url: &str, args: &AddArgs) -> Result<Map<String, Value>, Failure> {
    let mut server = Map::from_iter([("url".to_owned(), Value::from(url))]);
    let headers = pairs("--header takes 'NAME: VALUE'", ':', &args.headers)?;
    if !headers.is_empty() {
        server.insert("headers".to_owned(), Value::Object(headers));
    }
    if args.sse {
        server.insert("transport".to_owned(), "sse".into());
    }
    Ok(server)
}

fn pairs(usage: &str, between: char, given: &[String]) -> Result<Map<String, Value>, Failure> {
    let split = |pair: &String| {
        let (name, value) = pair.split_once(between)?;
        Some((name.trim().to_owned(), Value::from(value.trim())))
    };
    given
        .iter()
        .map(|pair| split(pair).ok_or_else(|| Failure::usage(format!("{usage}, not '{pair}'"))))
        .collect()
}

pub(super) fn remove(name: &str, surroundings: &Surroundings, style: Style) -> Result<(), Failure> {
    if !surroundings.config().mcp_servers.contains_key(name) {
        return Err(unknown(surroundings, name));
    }
    config_text::cut(surroundings, name)?;
    // One that was never used has left nothing, and its name may lead anywhere.
    if check_name(name).is_ok() {
        forget(name, &surroundings.home)?;
    }
    print_text(&format!("{} {}\n", style.good("removed"), visible(name)))
}

fn forget(name: &str, home: &Home) -> Result<(), Failure> {
    ManifestStore::of(home).forget(name).map_err(Failure::io("what is known of the server"))?;
    LoginStore::of(home).forget(name).map_err(Failure::io("the tokens of the server"))?;
    Board::of(home).forget(name);
    // What it left in the folder it ran in is the user's.
    let _ = std::fs::remove_dir(rooms(home).join(name));
    Ok(())
}
