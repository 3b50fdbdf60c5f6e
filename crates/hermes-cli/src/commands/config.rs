//! `hermes config`: what is set, where it comes from, and whether it is right.

use std::path::Path;

use hermes_core::redact::Redactor;
use hermes_runtime::config::{Config, Layer, Loaded, Origin, ProjectTrust, schema};
use serde_json::{Value, json};

use super::dispatch::one_thread;
use super::{config_effect, config_trust};
use crate::app::{GlobalOptions, Surroundings};
use crate::cli::ConfigCommand;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) fn run(command: ConfigCommand, options: &GlobalOptions) -> Result<u8, Failure> {
    let style = Style::for_stdout(options.color);
    match command {
        ConfigCommand::Schema => print_json(&schema())?,
        ConfigCommand::Validate { file: Some(file) } => validate_file(&file, options, style)?,
        ConfigCommand::Validate { file: None } => {
            let surroundings = Surroundings::discover(options)?;
            let idle = one_thread(config_effect::check(&surroundings, surroundings.config()))?;
            let file = surroundings.home.config_file();
            let odd = idle.into_iter().chain(literal_secrets(&file)).collect();
            valid(&file.display().to_string(), &surroundings.loaded, odd, options.json, style)?;
        }
        ConfigCommand::Show => show(&Surroundings::discover(options)?, options.json, style)?,
        ConfigCommand::Effective { why: None } => {
            print_json(&Surroundings::discover(options)?.loaded.effective())?
        }
        ConfigCommand::Effective { why: Some(key) } => {
            why(&key, &Surroundings::discover(options)?.loaded, options.json, style)?;
        }
        ConfigCommand::Trust { show, digest } => {
            config_trust::trust(show, digest.as_deref(), options, style)?
        }
        ConfigCommand::Untrust => config_trust::untrust(options, style)?,
    }
    Ok(exit::OK)
}

fn validate_file(file: &Path, options: &GlobalOptions, style: Style) -> Result<(), Failure> {
    let text = std::fs::read_to_string(file).map_err(Failure::io(&file.display().to_string()))?;
    let layer = Layer::new(Origin::UserFile(file.to_owned()), text);
    let loaded = Config::load(&[layer], &[], &[]).map_err(Failure::config)?;
    // Beside the user's own tools, as far as the configuration in force lets them be found.
    let idle = match Surroundings::discover(options) {
        Ok(surroundings) => one_thread(config_effect::check(&surroundings, &loaded.config))?,
        Err(_) => Vec::new(),
    };
    let odd = idle.into_iter().chain(literal_secrets(file)).collect();
    valid(&file.display().to_string(), &loaded, odd, options.json, style)
}

/// The lines of a file that hold a secret in the clear: whoever may read the file knows it, so commands do not see it.
fn literal_secrets(file: &Path) -> Vec<String> {
    let (text, redactor) = (std::fs::read_to_string(file).unwrap_or_default(), Redactor::new([]));
    let secret = text.lines().enumerate().filter(|(_, line)| redactor.redact_text(line) != *line);
    let told = |(index, _): (usize, &str)| {
        format!(
            "line {}: a secret stands there in the clear, and commands do not see the file therefore; write \
             ${{NAME}} instead, and put its value into your environment",
            index + 1
        )
    };
    secret.map(told).collect()
}

/// What is odd but usable is told beside.
fn valid(what: &str, loaded: &Loaded, idle: Vec<String>, json: bool, style: Style) -> Result<(), Failure> {
    let odd: Vec<String> = loaded.notices.iter().map(ToString::to_string).chain(idle).collect();
    if json {
        return print_json(&json!({"valid": true, "file": what, "warnings": odd}));
    }
    print_text(&format!("{} {what}\n", style.good("valid")))?;
    odd.iter().try_for_each(|line| print_text(&format!("{} {line}\n", style.warning("warning"))))
}

/// Only what somebody set; the rest is in `effective`.
fn show(surroundings: &Surroundings, json: bool, style: Style) -> Result<(), Failure> {
    let loaded = &surroundings.loaded;
    let mut keys = Vec::new();
    leaves(&loaded.effective(), String::new(), &mut keys);
    let mut rows = Vec::new();
    for key in keys {
        let Ok(why) = loaded.why(&key) else { continue };
        if why.origin.origin != Origin::Defaults {
            rows.push((key, why.value, why.origin.to_string()));
        }
    }
    if json {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(key, value, origin)| json!({"key": key, "value": value, "origin": origin}))
            .collect();
        return print_json(&json!({
            "home": surroundings.home.root(),
            "config_file": surroundings.home.config_file(),
            "settings": rows,
        }));
    }
    print_text(&format!("{} {}\n", style.dim("home  "), surroundings.home.root().display()))?;
    print_text(&format!("{} {}\n", style.dim("config"), surroundings.home.config_file().display()))?;
    if rows.is_empty() {
        return print_text("Nothing differs from the defaults; 'hermes config effective' shows them.\n");
    }
    let mut table = Table::new(&["KEY", "VALUE", "SET BY"]);
    for (key, value, origin) in rows {
        table.row(vec![style.accent(&key), value.to_string(), origin]);
    }
    print_text(&table.render(style))
}

/// Dotted names of everything that is not a table.
pub(super) fn leaves(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                let below = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                leaves(field, below, into);
            }
        }
        _ => into.push(at),
    }
}

fn why(key: &str, loaded: &Loaded, json: bool, style: Style) -> Result<(), Failure> {
    let why = loaded.why(key).map_err(|error| {
        Failure::usage(error.to_string()).with_hint("'hermes config effective' lists every key.")
    })?;
    if json {
        let overridden: Vec<Value> = why
            .overridden
            .iter()
            .map(|(place, value)| json!({"origin": place.to_string(), "value": value}))
            .collect();
        return print_json(&json!({
            "key": key, "value": why.value, "origin": why.origin.to_string(), "overridden": overridden,
        }));
    }
    print_text(&format!(
        "{} = {}   {}\n",
        style.accent(key),
        why.value,
        style.dim(&format!("set by {}", why.origin))
    ))?;
    for (place, value) in &why.overridden {
        print_text(&format!(
            "  {} {value} {}\n",
            style.dim("instead of"),
            style.dim(&format!("set by {place}"))
        ))?;
    }
    Ok(())
}

/// Whether the project's file counts, as one phrase.
pub(super) fn project_state(trust: &ProjectTrust) -> &'static str {
    match trust {
        ProjectTrust::Absent => "none",
        ProjectTrust::Trusted => "trusted",
        ProjectTrust::Untrusted { .. } => "ignored until 'hermes config trust'",
    }
}
