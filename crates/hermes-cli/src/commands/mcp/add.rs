//! `hermes mcp add` and `hermes mcp remove`.

use std::path::Path;

use hermes_core::text::visible;
use hermes_host::home::Home;
use hermes_mcp::{Board, LoginStore, ManifestStore, rooms};
use serde_json::{Map, Value, json};

use super::args::AddArgs;
use super::dispatch::unknown;
use super::{catalog, config_text, test};
use crate::app::{GlobalOptions, Surroundings, check_name, check_server};
use crate::failure::Failure;
use crate::render::{Style, print_text, warn};

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
        None => program(&args, &surroundings.cwd, style)?,
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

fn program(args: &AddArgs, here: &Path, style: Style) -> Result<Map<String, Value>, Failure> {
    let command: Vec<String> = args.command.iter().map(|word| whole(word, here)).collect();
    let (program, arguments) = command.split_first().ok_or_else(|| Failure::usage("no command"))?;
    // A word may be meant as one: 'npx tool' must not run the file 'tool' of whatever folder this is.
    for word in arguments.iter().filter(|word| is_file_here(word, here)) {
        let text = format!(
            "the server starts in a folder of its own and does not find '{word}' of this one; './{word}' would mean it"
        );
        warn(style, "note:", &text);
    }
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

/// A word as the server is to get it. What is said to be in this folder is named by its whole path, since the server starts
/// in another.
fn whole(word: &str, here: &Path) -> String {
    let in_here = word.strip_prefix("./").map(|rest| here.join(rest));
    let path = in_here.or_else(|| word.starts_with("../").then(|| here.join(word)));
    let path = path.filter(|path| path.exists()).and_then(|path| path.to_str().map(str::to_owned));
    // A dollar sign would stand for a variable.
    path.filter(|path| !path.contains("${")).unwrap_or_else(|| word.to_owned())
}

fn is_file_here(word: &str, here: &Path) -> bool {
    Path::new(word).is_relative() && !word.contains("${") && here.join(word).is_file()
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
