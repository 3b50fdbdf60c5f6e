//! `hermes run`: executes a request and prints what came of it.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolCall, ToolOutcome};
use hermes_runtime::wire::{Request, parse_request, read_json, respond, tool_message};
use serde_json::{Value, json};

use super::config_effect::unknown_names;
use super::interrupt::Interrupt;
use super::jsonl;
use crate::app::{App, Surroundings};
use crate::cli::{Format, RunArgs};
use crate::failure::{Failure, exit, exit_code};
use crate::render::{ColorChoice, Style, print_json, print_text, show_outcomes, warn};

/// The largest request that is read.
pub(crate) const MAX_REQUEST_BYTES: u64 = 64 << 20;

pub(crate) async fn run(
    args: RunArgs,
    surroundings: Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let timeout = args.timeout;
    if args.jsonl {
        let input = open_lines(&args.file)?;
        let app = App::for_running(surroundings, args.session.is_some())
            .await?
            .resuming(args.session.as_deref())
            .await
            .never_prompting()
            .following_changes();
        return jsonl::serve(app, input, args.session, timeout, args.live).await;
    }
    let Request { calls: request, mut warnings } = read_request(&args.file)?;
    let app = App::for_running(surroundings, args.session.is_some()).await?;
    let app = app.resuming(args.session.as_deref()).await;
    app.meet_servers(request.iter().map(|asked| asked.call.name.as_str())).await;
    let interrupt = Interrupt::watch(timeout);
    let session = app.session(args.session.as_deref());
    let outcomes = session.answer(request.clone(), &interrupt.token).await;
    let code = ending(&interrupt, &outcomes);
    let unknown = unknown_names(&session, app.surroundings.config()).await;
    unknown.iter().for_each(|unknown| warn(Style::for_stderr(ColorChoice::Auto), "warning:", unknown));
    let redactor = app.runtime.redactor();
    let human = match args.format {
        Format::Human => true,
        Format::Auto => !json && std::io::stdout().is_terminal(),
        Format::Json | Format::Messages => false,
    };
    if human || args.format == Format::Messages {
        // A list of messages has no place for them.
        warnings.iter().for_each(|warning| warn(style, "warning:", &redactor.redact_text(warning)));
    }
    if human {
        let calls: Vec<ToolCall> = request.into_iter().map(|asked| asked.call).collect();
        let catalog = session.catalog().await;
        print_text(&show_outcomes(&calls, &outcomes, &catalog, redactor, style))?;
    } else if args.format == Format::Messages {
        print_json(&outcomes.iter().map(tool_message).collect::<Vec<_>>())?;
    } else {
        warnings.extend(unknown);
        print_json(&with_warnings(with_denials(respond(&outcomes), &outcomes), warnings, redactor))?;
    }
    app.shut_down().await;
    Ok(code)
}

pub(super) fn ending(interrupt: &Interrupt, outcomes: &[ToolOutcome]) -> u8 {
    let unknown = exit_code(outcomes) == exit::UNKNOWN;
    match (interrupt.code(), unknown, interrupt.was_by_deadline()) {
        // Whoever sent the signal knows what it may have cut short, and the answer says it.
        (Some(code), ..) => code,
        (_, true, _) => exit::UNKNOWN,
        (_, _, true) => exit::DEADLINE,
        _ => exit_code(outcomes),
    }
}

/// Adds what was refused and what would allow it, so that a script need not search for it.
pub(super) fn with_denials(mut response: Value, outcomes: &[ToolOutcome]) -> Value {
    let denials: Vec<Value> = outcomes
        .iter()
        .flat_map(ToolOutcome::each)
        .filter_map(|outcome| Some((outcome, outcome.result.as_ref().err()?)))
        .filter(|(_, error)| matches!(error.code, ErrorCode::PermissionDenied | ErrorCode::ApprovalRequired))
        .map(|(outcome, error)| {
            json!({
                "tool_call_id": outcome.call_id,
                "tool": outcome.tool,
                "code": error.code,
                "rule": error.data.get("rule"),
                "reason": error.message,
                "hint": error.hint,
            })
        })
        .collect();
    if let (Value::Object(fields), false) = (&mut response, denials.is_empty()) {
        fields.insert("denials".to_owned(), denials.into());
    }
    response
}

/// Adds what was in the request and means nothing. Somebody may have written a secret where a key should be.
pub(super) fn with_warnings(mut response: Value, warnings: Vec<String>, redactor: &Redactor) -> Value {
    let warnings: Vec<Value> = warnings.iter().map(|warning| redactor.redact_text(warning).into()).collect();
    if let (Value::Object(fields), false) = (&mut response, warnings.is_empty()) {
        fields.insert("warnings".to_owned(), warnings.into());
    }
    response
}

/// Reads and parses a request file; `-` is standard input.
pub(crate) fn read_request(file: &Path) -> Result<Request, Failure> {
    let text = read_text(file)?;
    let (value, note) = read_json(&text)
        .map_err(|error| Failure::usage(format!("{} is not valid JSON: {}", shown(file), error.message)))?;
    let mut request = parse_request(&value).map_err(|error| {
        let failure = Failure::usage(format!("{}: {}", shown(file), error.message));
        match error.hint {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    })?;
    request.warnings.extend(note.map(str::to_owned));
    Ok(request)
}

/// A file of requests, or standard input.
fn open_lines(file: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let mut lines = BufReader::new(std::fs::File::open(file).map_err(Failure::io(&shown(file)))?);
    // What opens and cannot be read, as a folder, would look like a file without lines.
    lines.fill_buf().map_err(Failure::io(&shown(file)))?;
    Ok(Box::new(lines))
}

pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(MAX_REQUEST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(MAX_REQUEST_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(Failure::io(&shown(file)))?;
    if bytes.len() as u64 > MAX_REQUEST_BYTES {
        return Err(Failure::usage(format!(
            "{} is larger than {} MiB",
            shown(file),
            MAX_REQUEST_BYTES >> 20
        )));
    }
    String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{} is not UTF-8 text", shown(file))))
}

pub(crate) fn shown(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}
