//! `hermes ps`: commands in the background, of all sessions.

use hermes_core::ErrorCode;
use hermes_host::terminal::{Record, Status};
use serde_json::json;

use crate::app::Surroundings;
use crate::cli::PsArgs;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) async fn run(
    args: &PsArgs,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let terminals = &surroundings.host.terminals;
    if let Some(id) = &args.stop {
        let record = terminals.end_any(id).await.map_err(|error| match error.code {
            ErrorCode::OutcomeUnknown => Failure::from(error),
            _ => Failure::usage(error.message),
        })?;
        print_text(&format!("told {} to end: {}\n", record.id, hermes_core::text::visible(&record.command)))?;
        return Ok(exit::OK);
    }
    let mut all = terminals.all_processes();
    // What may still run elsewhere can be ended there.
    all.retain(|(_, status)| args.all || matches!(status, Status::Running | Status::OutOfSight));
    if json {
        let rows: Vec<_> = all.iter().map(|(record, status)| described(record, *status)).collect();
        print_json(&rows)?;
        return Ok(exit::OK);
    }
    if all.is_empty() {
        print_text("Nothing runs in the background.\n")?;
        return Ok(exit::OK);
    }
    let mut table = Table::new(&["ID", "SESSION", "PID", "STATUS", "WHERE", "COMMAND"]);
    for (record, status) in &all {
        table.row(vec![
            record.id.clone(),
            record.session.clone(),
            record.pid.to_string(),
            word(*status),
            format!("{}/{}", record.backend, record.sandbox),
            hermes_core::text::visible(&record.command),
        ]);
    }
    print_text(&table.render(style))?;
    Ok(exit::OK)
}

fn word(status: Status) -> String {
    match status {
        Status::Running => "running".to_owned(),
        Status::Exited(exit) => format!("exited {}", exit.shell_code()),
        Status::Lost => "lost".to_owned(),
        Status::OutOfSight => "may still run".to_owned(),
    }
}

fn described(record: &Record, status: Status) -> serde_json::Value {
    let exit_code = match status {
        Status::Exited(exit) => Some(exit.shell_code()),
        Status::Running | Status::Lost | Status::OutOfSight => None,
    };
    let status = match status {
        Status::Running => "running",
        Status::Exited(_) => "exited",
        Status::Lost => "lost",
        Status::OutOfSight => "unknown",
    };
    json!({
        "id": record.id, "session": record.session, "pid": record.pid, "status": status, "exit_code": exit_code,
        "backend": record.backend, "sandbox": record.sandbox, "cwd": record.cwd, "command": record.command,
        "started_ms": record.started_ms,
    })
}
