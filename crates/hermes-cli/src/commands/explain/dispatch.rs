//! From the question to whoever answers it.

use super::ExplainCommand;
use super::{args, error, name, patch, plan, rows, schema};
use crate::app::App;
use crate::failure::{Failure, exit};

pub(crate) async fn run(command: ExplainCommand, app: &App, json: bool) -> Result<u8, Failure> {
    match command {
        ExplainCommand::Args { jsonl: true, .. } => args::rows(app).await?,
        ExplainCommand::Args { tool, arguments, .. } => args::one(tool, arguments, app, json).await?,
        ExplainCommand::Error { jsonl: true, .. } => {
            rows::each(|row| error::row(row, app.runtime.redactor()))?
        }
        ExplainCommand::Error { text, .. } => error::one(text, app.runtime.redactor(), json)?,
        ExplainCommand::Plan { jsonl: true, session, .. } => {
            plan::rows(app.session(session.as_deref())).await?
        }
        ExplainCommand::Plan { file, session, .. } => {
            plan::one(file, app.session(session.as_deref()), json).await?
        }
        ExplainCommand::Name { jsonl: true, .. } => name::rows(app).await?,
        ExplainCommand::Name { name, .. } => name::one(name, app, json).await?,
        ExplainCommand::Schema { jsonl: true, .. } => schema::rows(app)?,
        ExplainCommand::Schema { file, .. } => schema::one(file, app)?,
        ExplainCommand::Patch { .. } => rows::each(patch::row)?,
        // These need no runtime, so the dispatcher answers them before there is one.
        ExplainCommand::Command(_) | ExplainCommand::Path(_) | ExplainCommand::Url(_) => {}
    }
    Ok(exit::OK)
}
