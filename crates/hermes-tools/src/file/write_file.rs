//! Writes a whole file: all of it or nothing.

use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{Fit, WriteMode, WriteRequest, Written, spelled};
use hermes_kit::prelude::*;

use super::place::placed::{Placed, placed};
use super::text::body::Body;
use super::text::decode::to_latin1;
use super::text::hash::checked_hash;
use super::text::numbered::looks_numbered;
use super::text::summary::{count, summarise};
use super::text::syntax::broken_by;

const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Write a file, creating it or replacing all of its content. The file is written completely or not at all,
/// and keeps its permissions. The content must be the full new text without line numbers. A file that somebody
/// else changed after you read it is not overwritten; you are shown its current content instead.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file to write: absolute, relative to the working folder, or beginning with ~/.
    path: String,
    /// The text to write, exactly as it should be in the file; at most 10 MB.
    content: String,
    /// overwrite replaces an existing file, append adds to its end, create fails if there is one.
    #[serde(default)]
    mode: Mode,
    /// Whether to create missing folders above the file.
    #[serde(default = "yes")]
    create_dirs: bool,
    /// How the content becomes bytes; base64 writes the bytes that the content encodes.
    #[serde(default)]
    encoding: Encoding,
    /// SHA-256 in hex that the current file must have; otherwise nothing is written.
    expected_hash: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Overwrite,
    Append,
    Create,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Encoding {
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "latin-1")]
    Latin1,
    #[serde(rename = "base64")]
    Base64,
}

#[derive(Debug, Serialize)]
pub struct Output {
    success: bool,
    /// Where the content is now, links followed.
    path: String,
    bytes_written: usize,
    created: bool,
    diff_summary: String,
    /// Of the whole file, for the next expected_hash.
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub struct WriteFile {
    files: Files,
}

impl BlockingTool for WriteFile {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        chapter_name: Some("file_write"),
        parallel: Parallel::Paths,
        emoji: "✍️",
        tags: &["file", "save", "create", "append", "edit"],
        ..ToolMeta::new("write_file", "file", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        WriteFile { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        vec![self.files.write_path(&args.path)]
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        if args.path.ends_with('/') {
            return Err(ToolError::invalid(format!("'{}' names a folder, not a file", args.path))
                .with_hint("Write a file in it; folders that are missing are made on the way."));
        }
        let door = self.files.door(cx);
        placed(&door, write(&args, &door))
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "a new file in a new folder",
                json!({"path": "docs/hello.md", "content": "# Hello\n"}),
                json!({"success": true, "bytes_written": 8, "created": true, "diff_summary": "new file, 1 line"}),
            ),
            Example::succeeds(
                "one line more at the end",
                json!({"path": "log.txt", "content": "two\n", "mode": "append"}),
                json!({"success": true, "created": false, "diff_summary": "1 line appended"}),
            )
            .with_files(&[("log.txt", "one\n")]),
            Example::fails(
                "a file that changed since it was read",
                json!({"path": "a.txt", "content": "new", "expected_hash": "0".repeat(64)}),
                ErrorCode::Conflict,
            )
            .with_files(&[("a.txt", "old")]),
        ]
    }
}

fn write(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    let bytes = bytes_of(args)?;
    let expected = args.expected_hash.as_deref().map(checked_hash).transpose()?;
    let added: Mutex<Option<Vec<u8>>> = Mutex::default();
    let fit = |before: &[u8]| {
        let fitted = fitted(args, before)?.unwrap_or_else(|| bytes.clone());
        *added.lock().unwrap_or_else(PoisonError::into_inner) = Some(fitted.clone());
        Ok(fitted)
    };
    let request = WriteRequest {
        content: &bytes,
        mode: match args.mode {
            Mode::Overwrite => WriteMode::Overwrite,
            Mode::Append => WriteMode::Append,
            Mode::Create => WriteMode::Create,
        },
        create_dirs: args.create_dirs,
        expected_sha256: expected.as_deref(),
        fit: Some(Fit(&fit)),
    };
    let written = door.write(&args.path, &request)?;
    let bytes = added.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(bytes);
    Ok(Output {
        success: true,
        path: spelled(&written.path),
        bytes_written: bytes.len(),
        created: written.created,
        diff_summary: diff_summary(&written, args, &bytes),
        note: note(&written, args, &bytes),
        sha256: written.sha256,
    })
}

/// What is added to a text in its own encoding and line endings; `None` to what is no text, or where the caller says how.
fn fitted(args: &Args, before: &[u8]) -> Result<Option<Vec<u8>>, ToolError> {
    // Of a long file only the beginning is seen, which may end in the middle of a character.
    let whole = match std::str::from_utf8(before) {
        Err(error) if error.error_len().is_none() => before.get(..error.valid_up_to()).unwrap_or(before),
        _ => before,
    };
    let body = match Body::decode(whole) {
        Ok(body) if args.encoding == Encoding::Utf8 && !before.is_empty() => body,
        _ => return Ok(None),
    };
    body.accepts(&args.content)
        .map_err(|reason| ToolError::invalid(format!("nothing was written: '{}' {reason}", args.path)))
        .map_err(|error| error.with_hint("Overwrite the whole file, in UTF-8, if it needs such letters."))?;
    Ok(Some(body.encode_more(&args.content)))
}

fn bytes_of(args: &Args) -> Result<Vec<u8>, ToolError> {
    let bytes = match args.encoding {
        Encoding::Utf8 | Encoding::Latin1 if looks_numbered(&args.content) => {
            return Err(ToolError::invalid(
                "the content looks like output of read_file: its lines begin with line numbers",
            )
            .with_hint(
                "Send the text without the 'N|' in front of each line. If the file really has these \
                 numbers, send it with encoding 'base64'.",
            ));
        }
        Encoding::Utf8 => args.content.clone().into_bytes(),
        Encoding::Latin1 => to_latin1(&args.content).map_err(|character| {
            ToolError::invalid(format!("'{character}' does not exist in Latin-1"))
                .with_hint("Use encoding 'utf-8' or replace the character.")
        })?,
        Encoding::Base64 => {
            let letters: String = args.content.split_ascii_whitespace().collect();
            STANDARD
                .decode(letters)
                .map_err(|error| ToolError::invalid(format!("the content is not valid base64: {error}")))?
        }
    };
    if bytes.len() > MAX_BYTES {
        return Err(ToolError::new(
            ErrorCode::TooLarge,
            format!("the content has {} bytes; write_file takes at most {MAX_BYTES}", bytes.len()),
        )
        .with_hint("Write it in parts with mode 'append'."));
    }
    Ok(bytes)
}

fn diff_summary(written: &Written, args: &Args, bytes: &[u8]) -> String {
    let lines = || match std::str::from_utf8(bytes) {
        Ok(text) => count(text.lines().count()),
        Err(_) => format!("{} bytes", bytes.len()),
    };
    match (&written.before, args.mode) {
        _ if written.created => format!("new file, {}", lines()),
        (_, Mode::Append) => format!("{} appended", lines()),
        (Some(before), _) => summarise(before, bytes),
        (None, _) => format!("replaced, now {}", lines()),
    }
}

/// What the model might not expect.
fn note(written: &Written, args: &Args, bytes: &[u8]) -> Option<String> {
    let mut notes = Vec::new();
    if written.through_link {
        notes.push(format!("'{}' leads through a symbolic link; its target was written.", args.path));
    }
    if written.was_missed {
        notes.push(match written.created {
            true => "The file was removed since you read it, and made anew now.".to_owned(),
            false => "The file has changed since you read it.".to_owned(),
        });
    }
    if written.other_names > 0 {
        notes.push(format!(
            "The file had {} more hard links; they keep the old content.",
            written.other_names
        ));
    }
    if let Some(before) = &written.before {
        notes.extend(form_changes(before, args, bytes).map(str::to_owned));
    }
    notes.extend(syntax(written, args, bytes));
    (!notes.is_empty()).then(|| notes.join(" "))
}

/// JSON, YAML and TOML that machines could read before and cannot any more.
fn syntax(written: &Written, args: &Args, bytes: &[u8]) -> Option<String> {
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).ok().map(str::to_owned);
    let before = written.before.as_deref().and_then(text);
    let after = match args.mode {
        Mode::Append => format!("{}{}", before.as_deref().unwrap_or_default(), text(bytes)?),
        Mode::Overwrite | Mode::Create => text(bytes)?,
    };
    broken_by(&written.path, before.as_deref(), &after).map(|problem| format!("{problem}."))
}

/// Ways in which the new content is not in the form of the old, which a reader cannot see.
fn form_changes(before: &[u8], args: &Args, bytes: &[u8]) -> impl Iterator<Item = &'static str> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let has_crlf = |bytes: &[u8]| bytes.windows(2).any(|pair| pair == b"\r\n");
    let text = args.encoding != Encoding::Base64;
    let line_endings = text && has_crlf(before) && !has_crlf(bytes) && bytes.contains(&b'\n');
    let mark = text && args.mode != Mode::Append && before.starts_with(MARK) && !bytes.starts_with(MARK);
    let is_fitted = args.mode == Mode::Append && Body::decode(before).is_ok();
    let encoding = args.encoding == Encoding::Utf8 && std::str::from_utf8(before).is_err() && !is_fitted;
    [
        (line_endings, "The file had CRLF line endings; the content that was written has LF."),
        (mark, "The file began with a byte order mark; the new content does not."),
        (encoding, "The file was not in UTF-8; what was written is."),
    ]
    .into_iter()
    .filter_map(|(changed, note)| changed.then_some(note))
}

fn yes() -> bool {
    true
}

register_tool!(Blocking<WriteFile>);
