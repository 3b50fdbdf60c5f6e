//! One call of a tool, by the same path as any other.

use std::path::PathBuf;

use hermes_core::ToolCall;
use hermes_plugins::yaml::{Consent, YamlFile, tools};
use hermes_plugins::{Registered, RegisteredFile};
use serde_json::Value;

use super::register::{found, read};
use crate::app::{App, Surroundings};
use crate::commands::interrupt::Interrupt;
use crate::commands::run::ending;
use crate::failure::Failure;
use crate::render::print_json;

pub(super) async fn test(
    name: String,
    arguments: String,
    config: Option<PathBuf>,
    surroundings: Surroundings,
    json: bool,
) -> Result<u8, Failure> {
    let tried = match &config {
        Some(file) => Some((found(file, &surroundings)?, read(file, &surroundings)?)),
        None => None,
    };
    let app = App::for_running(surroundings, false).await?;
    if let Some((path, specs)) = tried {
        // Whoever names a file on the command line agrees to what it does now. Of a registered one it is known
        // what was agreed to, and a changed origin is not.
        let known = Registered::of(&app.surroundings.home).find(&path)?;
        let path = known.as_ref().map_or(&path, |file| &file.path);
        let consent = known.as_ref().map_or_else(Consent::to_everything, RegisteredFile::consent);
        let made = tools(specs, &app.surroundings.host, &consent);
        let report = app.runtime.registry().replace_all(YamlFile::owner_of(path), made);
        if let Some(refused) = report.refused.first() {
            return Err(Failure::answer_is_no(refused.error.to_string()));
        }
    }
    let interrupt = Interrupt::watch(None);
    let session = app.session(None);
    let call = ToolCall::new("call_1", name, Value::String(arguments));
    let outcome = session.call(call, &interrupt.token).await;
    let code = ending(&interrupt, std::slice::from_ref(&outcome));
    let wire = outcome.to_wire_with_status();
    match json {
        true => crate::render::print_json_line(&wire)?,
        false => print_json(&wire)?,
    }
    app.runtime.shut_down().await;
    Ok(code)
}
