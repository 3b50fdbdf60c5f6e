//! `hermes journal`: the record of all calls.

use hermes_core::ErrorCode;
use hermes_host::state::{EntryKey, JournalEntry, JournalFilter, JournalReader};
use serde_json::{Value, json};

use crate::app::{Surroundings, registry};
use crate::cli::JournalCommand;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, one_line, print_json, print_text};

pub(crate) async fn run(
    command: JournalCommand,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let reader = match JournalReader::open(&surroundings.home) {
        Err(error) if error.code == ErrorCode::NotFound => return nothing_yet(&command, json),
        opened => opened?,
    };
    match command {
        JournalCommand::List { session, tool, status, limit } => {
            let tool = match tool {
                Some(tool) => Some(canonical(tool, surroundings).await?),
                None => None,
            };
            let filter = JournalFilter { session, tool, status, since_ms: None, limit: Some(limit) };
            let entries = reader.list(&filter)?;
            if json { print_json(&entries)? } else { print_text(&list(&entries, style))? }
        }
        JournalCommand::Show { id } => {
            let key = id.parse().map_or_else(|_| EntryKey::Call(id.clone()), EntryKey::Seq);
            let entries = reader.show(&key)?;
            if entries.is_empty() {
                return Err(no_entry(&id));
            }
            if json {
                print_json(&entries)?
            } else {
                entries.iter().try_for_each(|entry| show(entry, style))?
            }
        }
        JournalCommand::Verify => return verify(&reader, json, style),
    }
    Ok(exit::OK)
}

/// The journal has tools by their own names; people may know them by others.
async fn canonical(name: String, surroundings: &Surroundings) -> Result<String, Failure> {
    let (registry, _) = registry(surroundings).await?;
    Ok(registry.snapshot().canonical(&name).map(str::to_owned).unwrap_or(name))
}

fn no_entry(id: &str) -> Failure {
    Failure::not_found(format!("the journal has no entry '{id}'"))
}

fn nothing_yet(command: &JournalCommand, json: bool) -> Result<u8, Failure> {
    match command {
        JournalCommand::Show { id } => Err(no_entry(id)),
        JournalCommand::List { .. } if json => print_json(&json!([])).map(|()| exit::OK),
        JournalCommand::Verify if json => print_json(&json!({"entries": 0, "ok": true})).map(|()| exit::OK),
        _ => print_text("The journal is empty: no tool has been called yet.\n").map(|()| exit::OK),
    }
}

fn verify(reader: &JournalReader, json: bool, style: Style) -> Result<u8, Failure> {
    let report = reader.verify()?;
    if json {
        print_json(&report)?;
    } else if report.ok {
        print_text(&format!("{} {} entries, the chain holds\n", style.good("intact"), report.entries))?;
    }
    match (report.ok, json) {
        (true, _) => Ok(exit::OK),
        (false, true) => Ok(exit::TOOL_FAILED),
        (false, false) => {
            let place = report.first_bad_seq.map(|seq| format!(" at entry {seq}")).unwrap_or_default();
            let problem = report.problem.unwrap_or_else(|| "the chain is broken".to_owned());
            Err(Failure::answer_is_no(format!("the journal was tampered with{place}: {problem}")))
        }
    }
}

fn list(entries: &[JournalEntry], style: Style) -> String {
    if entries.is_empty() {
        return "No matching entries.\n".to_owned();
    }
    let mut table = Table::new(&["#", "WHEN", "KIND", "SESSION", "TOOL", "STATUS", "CALL"]);
    for entry in entries {
        let status = match entry.status.as_deref() {
            Some("success") => style.good("success"),
            Some(code) => style.bad(&one_line(code)),
            None => style.dim("started"),
        };
        table.row(vec![
            entry.seq.to_string(),
            when(entry.at_ms),
            one_line(&entry.kind),
            one_line(&entry.session),
            style.accent(&one_line(&entry.tool)),
            status,
            one_line(&entry.call_id),
        ]);
    }
    table.render(style)
}

fn show(entry: &JournalEntry, style: Style) -> Result<(), Failure> {
    let status = entry.status.as_deref().unwrap_or("started");
    let head =
        format!("#{} {} {} {}", entry.seq, one_line(&entry.kind), one_line(&entry.tool), one_line(status));
    print_text(&format!("{}\n", style.bold(&head)))?;
    for (label, value) in [
        ("when", when(entry.at_ms)),
        ("call", one_line(&entry.call_id)),
        ("session", one_line(&entry.session)),
        ("hash", one_line(&entry.hash)),
    ] {
        print_text(&format!("{} {value}\n", style.dim(&format!("{label:>9}"))))?;
    }
    let body: &Value = &entry.body;
    let text = serde_json::to_string_pretty(body).unwrap_or_default();
    text.lines().try_for_each(|line| print_text(&format!("    {}\n", one_line(line))))
}

fn when(at_ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(at_ms) {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => at_ms.to_string(),
    }
}
