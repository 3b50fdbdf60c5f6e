//! Pages through a stored result.

use hermes_core::handle::{Handle, as_text};
use hermes_core::text::json_chars;
use hermes_kit::prelude::*;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::columns::from_column;
use crate::lines::{MAX_LINE_CHARS, page_chars, read_page, shown};

/// What a compiled pattern may take, so that a hostile one cannot exhaust memory.
const MAX_PATTERN_BYTES: usize = 1 << 20;
/// From this length on a text inside a JSON result is worth reading by itself.
const LONG_TEXT_CHARS: usize = 500;

/// Read a large result that another tool returned as a handle such as hermes://result/<id>. Returns lines
/// in pages, or only the lines that match a pattern. A handle can name a part: #/json/pointer for a field,
/// #L10-L40 for lines. Handles can also be passed to other tools in place of the content they stand for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The handle, as another tool's result gave it.
    handle: String,
    /// The first line to return, counted from 1; with a pattern, the first match.
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    offset: u64,
    /// How many lines, or matches, to return at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 10_000))]
    limit: u64,
    /// A regular expression; only matching lines are returned, as N|text with their line number.
    pattern: Option<String>,
    /// Return one line only, the one at offset, from this character on, counted from 1: for a line that was cut.
    #[schemars(range(min = 1))]
    column: Option<u64>,
}

#[derive(Debug, Serialize)]
pub struct Output {
    content: String,
    total_lines: u64,
    total_chars: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_matches: Option<u64>,
    /// Whether there is more after this page.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    /// Where the rest of the line begins, if a column was asked for and the line goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_column: Option<u64>,
    /// Handles of long texts inside a JSON result, to be read by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The first line of the page that is not here as a whole.
    #[serde(skip)]
    cut_line: Option<u64>,
}

pub struct ReadResult;

impl Tool for ReadResult {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        emoji: "🗂️",
        tags: &["handle", "page", "large", "grep", "stored"],
        needs: &[Need::Port("results")],
        raw_handles: true,
        ..ToolMeta::new("read_result", "results", Effect::ReadOnly)
    };

    fn new(_host: &Host) -> Self {
        ReadResult
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let pattern = args.pattern.as_deref().map(compile).transpose()?;
        let handle = Handle::parse(args.handle.trim()).ok_or_else(|| {
            ToolError::invalid("that is not a result handle")
                .with_hint("A handle looks like hermes://result/<id>; copy it from the result that named it.")
        })??;
        let stored = cx.ports().results()?.get(&cx.session().id, &handle.id).await?.ok_or_else(|| {
            ToolError::not_found(format!("this session has no stored result '{}'", handle.id))
                .with_hint("Stored results belong to the session that made them and may have expired.")
        })?;
        let selected = handle.select(&stored)?;
        // Large values are split and searched where blocking is allowed.
        let room = page_chars(cx);
        let work = move || page(&selected, &args, pattern.as_ref(), room);
        tokio::task::spawn_blocking(work).await.map_err(|error| {
            ToolError::internal("reading was interrupted").with_operator(error.to_string())
        })?
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::fails(
                "a handle that this session does not have",
                json!({"handle": "hermes://result/0123456789abcdef", "pattern": "error"}),
                ErrorCode::NotFound,
            ),
            Example::fails(
                "not a handle at all",
                json!({"handle": "report.txt"}),
                ErrorCode::InvalidArgument,
            ),
        ]
    }
}

fn compile(pattern: &str) -> Result<Regex, ToolError> {
    RegexBuilder::new(pattern).size_limit(MAX_PATTERN_BYTES).build().map_err(|error| {
        ToolError::invalid(format!("pattern is not a valid regular expression: {error}"))
            .with_hint("Escape characters such as ( [ { . * + ? with a backslash to match them as they are.")
    })
}

fn page(selected: &Value, args: &Args, pattern: Option<&Regex>, room: usize) -> Result<Output, ToolError> {
    let text = as_text(selected);
    let mut output = Output {
        content: String::new(),
        total_lines: u64::try_from(text.lines().count()).unwrap_or(u64::MAX),
        total_chars: text.chars().count(),
        total_matches: None,
        truncated: false,
        next_offset: None,
        next_column: None,
        texts: long_texts(selected, &args.handle),
        hint: None,
        cut_line: None,
    };
    let next = match (pattern, args.column) {
        (Some(_), Some(_)) => {
            return Err(ToolError::invalid("a column is for one line, and a pattern finds several")
                .with_hint("Leave the pattern out and give the number of the line as offset."));
        }
        (None, Some(column)) => {
            let piece = from_column(&text, args.offset, column, room);
            output.next_column = piece.next_column;
            output.content = piece.text;
            // The rest of this line comes first.
            args.offset.saturating_add(u64::from(piece.next_column.is_none()))
        }
        (Some(pattern), None) => matches(&text, args, pattern, (room, &mut output)),
        (None, None) => lines(&text, args, (room, &mut output))?,
    };
    let total = output.total_matches.unwrap_or(output.total_lines);
    let what = if pattern.is_some() { "matches" } else { "lines" };
    output.truncated = next <= total;
    output.next_offset = output.truncated.then_some(next);
    output.hint = match (total, output.next_offset) {
        (_, Some(line)) if output.next_column.is_some() => {
            let column = output.next_column.unwrap_or(1);
            Some(format!("The line goes on: offset {line}, column {column}."))
        }
        (0, _) if pattern.is_some() => Some("No line matches the pattern.".to_owned()),
        (total, None) if args.offset > total => {
            Some(format!("There are {total} {what}; offset {} is past the end.", args.offset))
        }
        (total, Some(next)) => Some(format!("There are {total} {what}; go on with offset {next}.")),
        _ => None,
    };
    if let Some(line) = output.cut_line {
        let column = MAX_LINE_CHARS + 1;
        let rest = format!("Line {line} is cut; its rest: offset {line}, column {column}, no pattern.");
        output.hint = Some(output.hint.map_or(rest.clone(), |hint| format!("{hint} {rest}")));
    }
    Ok(output)
}

/// Fills the page with lines; answers with the number of the first one that is not in it.
fn lines(text: &str, args: &Args, into: (usize, &mut Output)) -> Result<u64, ToolError> {
    let page = read_page(&mut text.as_bytes(), args.offset, args.limit).map_err(|error| {
        ToolError::internal("the stored text could not be read").with_operator(error.to_string())
    })?;
    let pieces = page.lines.iter().zip(args.offset.max(1)..).map(|(line, number)| {
        let text = String::from_utf8_lossy(page.bytes(line));
        let (text, is_cut) = shown(&text, line.cut_from);
        (format!("{text}\n"), is_cut.then_some(number))
    });
    Ok(fill(into, args.offset, pieces))
}

/// Fills the page with matching lines; answers with the number of the first match that is not in it.
fn matches(text: &str, args: &Args, pattern: &Regex, (room, output): (usize, &mut Output)) -> u64 {
    let matching: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| pattern.is_match(line)).collect();
    output.total_matches = Some(u64::try_from(matching.len()).unwrap_or(u64::MAX));
    let skip = usize::try_from(args.offset.saturating_sub(1)).unwrap_or(usize::MAX);
    let take = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let pieces = matching.iter().skip(skip).take(take).map(|(index, line)| {
        let (text, is_cut) = shown(line, None);
        let number = index + 1;
        (format!("{number}|{text}\n"), u64::try_from(number).ok().filter(|_| is_cut))
    });
    fill((room, output), args.offset, pieces)
}

/// Adds pieces, each with its line's number where that is cut, while there is room, the first in any case; answers
/// with the number of the first that is left.
fn fill(
    (mut room, output): (usize, &mut Output),
    first: u64,
    pieces: impl Iterator<Item = (String, Option<u64>)>,
) -> u64 {
    let mut next = first.max(1);
    for (piece, cut_line) in pieces {
        let left = room.checked_sub(json_chars(&piece));
        if left.is_none() && !output.content.is_empty() {
            break;
        }
        room = left.unwrap_or(0);
        output.content.push_str(&piece);
        output.cut_line = output.cut_line.or(cut_line);
        next += 1;
    }
    next
}

/// Handles of the long texts that stand as fields of a JSON object, where they would be one endless line.
fn long_texts(selected: &Value, handle: &str) -> Vec<String> {
    let (base, pointer) = handle.trim().split_once('#').unwrap_or((handle.trim(), ""));
    let Some(fields) = selected.as_object().filter(|_| !pointer.starts_with('L')) else { return Vec::new() };
    let long = |value: &Value| value.as_str().is_some_and(|text| text.chars().nth(LONG_TEXT_CHARS).is_some());
    fields
        .iter()
        .filter(|(_, value)| long(value))
        .map(|(name, _)| format!("{base}#{pointer}/{}", name.replace('~', "~0").replace('/', "~1")))
        .collect()
}

fn first() -> u64 {
    1
}

fn default_limit() -> u64 {
    2_000
}

register_tool!(ReadResult);
