//! `hermes tools call`: one call, the same path as any other.

use std::io::IsTerminal;
use std::path::Path;

use hermes_core::ToolCall;
use serde_json::Value;

use crate::app::{App, Surroundings};
use crate::commands::interrupt::Interrupt;
use crate::commands::run::{ending, read_text};
use crate::failure::Failure;
use crate::render::{Style, print_json, print_text, show_outcomes};

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
    let call = ToolCall::new("call_1", name, Value::String(text));
    let outcome = session.call(call.clone(), &interrupt.token).await;
    let code = ending(&interrupt, std::slice::from_ref(&outcome));
    if json || !std::io::stdout().is_terminal() {
        print_json(&outcome.to_wire_with_status())?;
    } else {
        let catalog = session.catalog().await;
        print_text(&show_outcomes(&[call], &[outcome], &catalog, app.runtime.redactor(), style))?;
    }
    app.shut_down().await;
    Ok(code)
}
