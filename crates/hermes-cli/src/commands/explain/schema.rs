//! `hermes explain schema`: a parameters schema as the provider would get it.

use std::path::PathBuf;

use hermes_core::redact::Redactor;
use hermes_core::schema::{Provider, normalise, notes};
use serde_json::{Map, Value};

use super::rows::{each, fields};
use crate::app::App;
use crate::commands::run::read_text;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, print_json, warn};

/// Cases say what the general form is; a provider's own form is asked for with `--provider`.
pub(super) fn rows(app: &App) -> Result<(), Failure> {
    let provider = provider(app);
    each(|row| row_with(row, provider))
}

pub(super) fn row_with(row: &Map<String, Value>, provider: Provider) -> Map<String, Value> {
    let given = row.get("in").unwrap_or(&Value::Null);
    match normalise(given, provider) {
        Ok(shown) => {
            let mut answer = fields([("out", shown)]);
            // A case is the caller's own: nothing in it is kept from him.
            let notes = notes(given, provider, &Redactor::none());
            if !notes.is_empty() {
                answer.insert("notes".to_owned(), notes.into());
            }
            answer
        }
        Err(reason) => fields([("out", Value::Null), ("quarantined", reason.into())]),
    }
}

pub(super) fn one(file: Option<PathBuf>, app: &App) -> Result<(), Failure> {
    let text = read_text(&file.unwrap_or_else(|| PathBuf::from("-")))?;
    let given: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("the schema is not JSON: {error}")))?;
    let shown = normalise(&given, provider(app))
        .map_err(|reason| Failure::answer_is_no(format!("this schema would be quarantined: {reason}")))?;
    for note in notes(&given, provider(app), app.runtime.redactor()) {
        warn(Style::for_stderr(ColorChoice::Auto), "note:", &note);
    }
    print_json(&shown)
}

/// The provider asked for, or the general form where the configuration says nothing.
pub(super) fn provider(app: &App) -> Provider {
    let loaded = &app.surroundings.loaded;
    let chosen =
        loaded.why("provider").is_ok_and(|why| why.origin.origin != hermes_runtime::config::Origin::Defaults);
    if chosen { app.session(None).options().provider } else { Provider::Generic }
}
