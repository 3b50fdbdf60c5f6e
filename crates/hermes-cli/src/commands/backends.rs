//! `hermes backends`: where commands can run.

use hermes_host::Terminals;
use hermes_host::terminal::TerminalSettings;
use hermes_runtime::config::EnvType;
use serde_json::json;

use crate::app::{Surroundings, backend};
use crate::cli::BackendsCommand;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

const ALL: &[(&str, EnvType, &str)] = &[
    ("local", EnvType::Local, "this machine, behind the sandbox"),
    ("ssh", EnvType::Ssh, "another machine, by OpenSSH"),
    ("docker", EnvType::Docker, "a container for each session"),
    ("podman", EnvType::Podman, "a container for each session, without a daemon"),
    ("singularity", EnvType::Singularity, "an instance of apptainer or singularity for each session"),
    ("modal", EnvType::Modal, "a sandbox of Modal for each session"),
];

pub(crate) async fn run(
    command: BackendsCommand,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    match command {
        BackendsCommand::List => list(surroundings, json, style),
        BackendsCommand::Clean { name } => clean(name.as_deref(), surroundings, json).await,
        BackendsCommand::Check { name } => check(name.as_deref(), surroundings, json, style).await,
    }
}

fn list(surroundings: &Surroundings, json: bool, style: Style) -> Result<u8, Failure> {
    let used = surroundings.config().terminal.env_type;
    if json {
        let rows: Vec<_> = ALL
            .iter()
            .map(|(name, kind, about)| json!({"name": name, "in_use": *kind == used, "about": about}))
            .collect();
        print_json(&rows)?;
        return Ok(exit::OK);
    }
    let mut table = Table::new(&["BACKEND", "", "ABOUT"]);
    for (name, kind, about) in ALL {
        let mark = if *kind == used { style.good("in use") } else { String::new() };
        table.row(vec![(*name).to_owned(), mark, (*about).to_owned()]);
    }
    print_text(&table.render(style))?;
    Ok(exit::OK)
}

/// The backend of that name, or the one in use.
fn wanted(name: Option<&str>, surroundings: &Surroundings) -> Result<(&'static str, Terminals), Failure> {
    let terminal = &surroundings.config().terminal;
    let wanted = ALL.iter().find(|(known, kind, _)| match name {
        Some(name) => *known == name,
        None => *kind == terminal.env_type,
    });
    let Some((name, kind, _)) = wanted else {
        let names: Vec<&str> = ALL.iter().map(|(name, ..)| *name).collect();
        return Err(Failure::usage(format!("there is no such backend; there are: {}", names.join(", "))));
    };
    let host = &surroundings.host;
    let user_home = host.env.get("HOME").map_or_else(|| "/".into(), std::path::PathBuf::from);
    let settings =
        TerminalSettings { backend: backend(terminal, *kind, &user_home), ..TerminalSettings::default() };
    Ok((name, Terminals::new(settings, host.env.clone(), host.home.clone())))
}

async fn clean(name: Option<&str>, surroundings: &Surroundings, json: bool) -> Result<u8, Failure> {
    let (name, terminals) = wanted(name, surroundings)?;
    let removed = terminals.clean().await.map_err(|reason| Failure::usage(format!("{name}: {reason}")))?;
    match json {
        true => print_json(&json!({"name": name, "removed": removed}))?,
        false => print_text(&format!("{name}: {removed} removed\n"))?,
    }
    Ok(exit::OK)
}

async fn check(
    name: Option<&str>,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let (name, terminals) = wanted(name, surroundings)?;
    let found = terminals.check().await;
    if json {
        let (ready, text) = match &found {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        print_json(&json!({"name": name, "ready": ready, "detail": text}))?;
    } else {
        let line = match &found {
            Ok(text) => format!("{} {name}: {text}\n", style.good("✓")),
            Err(text) => format!("{} {name}: {text}\n", style.bad("✗")),
        };
        print_text(&line)?;
    }
    Ok(if found.is_ok() { exit::OK } else { exit::TOOL_FAILED })
}
