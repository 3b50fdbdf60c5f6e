//! `hermes tools call`: one call, the same path as any other.

use std::io::IsTerminal;
use std::path::Path;

use hermes_core::{ErrorCode, ToolCall};
use serde_json::Value;

use crate::app::{App, Surroundings};
use crate::commands::config_effect::unknown_names;
use crate::commands::interrupt::Interrupt;
use crate::commands::run::{ending, read_text};
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, one_line, print_json, print_text, show_outcomes, warn};

pub(crate) async fn call(
    name: String,
    arguments: String,
    session: Option<String>,
    surroundings: Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let text = if arguments == "-" { read_text(Path::new("-"))? } else { arguments };
    let app = App::for_running(surroundings, session.is_some()).await?;
    let app = app.resuming(session.as_deref()).await;
    app.meet_servers([name.as_str()]).await;
    let interrupt = Interrupt::watch(None);
    let session = app.session(session.as_deref());
    let call = ToolCall::new("call_1", name.clone(), Value::String(text));
    let outcome = session.call(call.clone(), &interrupt.token).await;
    let code = ending(&interrupt, std::slice::from_ref(&outcome));
    let missing = outcome.error_code() == Some(ErrorCode::NotFound);
    let missing = missing && session.catalog().await.get(&name).is_none();
    if json || !std::io::stdout().is_terminal() {
        print_json(&outcome.to_wire_with_status())?;
    } else {
        let catalog = session.catalog().await;
        print_text(&show_outcomes(&[call], &[outcome], &catalog, app.runtime.redactor(), style))?;
    }
    for unknown in unknown_names(&session, app.surroundings.config()).await {
        warn(Style::for_stderr(ColorChoice::Auto), "warning:", &unknown);
    }
    // The model is told the same of every tool that it has not; who has the terminal may know more.
    let is_known = app.runtime.registry().snapshot().canonical(&name).is_some();
    if missing && is_known {
        warn(Style::for_stderr(ColorChoice::Auto), "note:", &one_line(&session.why(&name).await));
    }
    app.shut_down().await;
    Ok(code)
}
