//! Reads a text file page by page.

use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{Found, OpenFile};
use hermes_kit::prelude::*;

use super::place::placed::{Placed, placed};
use super::text::beginning::beginning;
use super::text::encoding::Encoding;
use super::text::hashes::Hashes;
use super::text::not_text::not_text;
use super::text::paged::{Unpaged, Wanted, paged};
use super::text::pages::{Form, Pages, Shown};
use super::text::raw::{RawPage, raw_page};
use super::text::render::Style;
use super::text::seen::{Asked, Seen};
use super::text::sniff::{Charset, Content, SAMPLE, sniff};
use crate::lines::page_chars;

const SIMILAR: usize = 5;

/// Read a text file. Lines come back as `N|text`, where N is the line number and not part of the file.
/// Long files come in pages: follow next_offset. For the names in a folder use directory_list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file to read: absolute, relative to the working folder, or beginning with ~/.
    path: String,
    /// The first line to return, counted from 1. With encoding base64 it counts bytes.
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    offset: u64,
    /// How many lines to return at most. Not used with encoding base64.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 10_000))]
    limit: u64,
    /// How bytes become text. auto recognises UTF-8, UTF-16 and Latin-1; base64 returns raw bytes of any
    /// file, also a binary one.
    #[serde(default)]
    encoding: Encoding,
    /// Whether to put line numbers in front. Without them the text comes exactly as it is in the file.
    #[serde(default = "yes")]
    line_numbers: bool,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    content: String,
    /// Missing with base64, and for files too long to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<u64>,
    file_size: u64,
    /// Whether the file goes on after this page.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    encoding: &'static str,
    is_binary: bool,
    /// The file is as it was when this was read before; the content is not repeated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unchanged: bool,
    /// Only if they are not plain line feeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_endings: Option<&'static str>,
    /// Only if the whole file is in this answer; what write_file takes as expected_hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

pub struct ReadFile {
    files: Files,
    seen: Seen,
    hashes: Hashes,
    pages: Pages,
}

impl BlockingTool for ReadFile {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        chapter_name: Some("file_read"),
        parallel: Parallel::Paths,
        emoji: "📖",
        tags: &["file", "text", "cat", "view", "open", "lines"],
        ..ToolMeta::new("read_file", "file", Effect::ReadOnly)
    };

    fn new(host: &Host) -> Self {
        ReadFile {
            files: host.files(),
            seen: Seen::default(),
            hashes: Hashes::default(),
            pages: Pages::default(),
        }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        vec![self.files.read_path(&args.path)]
    }

    fn at_once(&self, args: &Args, cx: &CallContext) -> Option<Result<Placed<Output>, ToolError>> {
        let door = self.files.door(cx);
        let file = door.open_cached(&args.path)?;
        Some(placed(&door, self.read(args, file, cx)))
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        let door = self.files.door(cx);
        let file = door.open_read(&args.path).map_err(|error| explain(error, &args, &door));
        placed(&door, file.and_then(|file| self.read(&args, file, cx)))
    }

    fn long_text(placed: &mut Placed<Output>) -> Option<(&'static str, String)> {
        Some(("content", std::mem::take(&mut placed.output().content)))
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "a whole file",
                json!({"path": "notes.txt"}),
                json!({"content": "1|buy milk\n2|call Ann\n", "total_lines": 2, "truncated": false}),
            )
            .with_files(&[("notes.txt", "buy milk\ncall Ann\n")]),
            Example::succeeds(
                "one page out of the middle",
                json!({"path": "log.txt", "offset": 2, "limit": 1, "line_numbers": false}),
                json!({"content": "two\n", "total_lines": 3, "truncated": true, "next_offset": 3}),
            )
            .with_files(&[("log.txt", "one\ntwo\nthree\n")]),
            Example::fails("a file that is not there", json!({"path": "missing.txt"}), ErrorCode::NotFound),
        ]
    }
}

impl ReadFile {
    fn read(&self, args: &Args, mut file: OpenFile, cx: &CallContext) -> Result<Output, ToolError> {
        let asked = Asked {
            session: cx.session().id.clone(),
            path: file.path().into(),
            page: (args.offset, args.limit),
            form: (args.encoding.name(), args.line_numbers),
        };
        if let Some(call) = self.seen.unchanged(&asked, file.version()) {
            return Ok(unchanged(&file, args, &call));
        }
        if args.encoding == Encoding::Base64 {
            file.was_shown(None);
            let page = raw_page(&mut file, args.offset, page_chars(cx));
            return page.map(|page| bytes(&file, page)).map_err(|error| file.explain(error));
        }
        let Shown { text, total_lines, sha256, .. } = self.page(args, &mut file, cx)?;
        self.seen.shown(asked, file.version(), cx.call_id(), text.content.len());
        file.was_shown(sha256.as_deref());
        Ok(Output {
            content: text.content,
            total_lines,
            file_size: file.size(),
            truncated: text.next.is_some(),
            next_offset: text.next,
            hint: text.hint,
            encoding: text.charset.name(),
            is_binary: false,
            unchanged: false,
            line_endings: text.line_endings,
            sha256: sha256.filter(|_| args.offset <= 1 && text.next.is_none()),
        })
    }

    fn page(&self, args: &Args, file: &mut OpenFile, cx: &CallContext) -> Result<Shown, ToolError> {
        let hash = self.hashes.of(file.path(), file.version());
        if hash.is_some() {
            file.leave_unhashed();
        }
        let mut start = beginning(file).map_err(|error| file.explain(error))?;
        let form = form(args, cx);
        if start.whole
            && let Some(page) = self.pages.find(file.path(), &start.bytes, form, args.limit)
        {
            file.give_back(start.bytes);
            return Ok(page);
        }
        let again = start.whole && self.pages.is_asked_again(file.path(), start.bytes.len(), form);
        let content = again.then(|| start.bytes.clone());
        let sample = start.bytes.get(..SAMPLE).unwrap_or(&start.bytes);
        let charset = match sniff(sample) {
            Content::Text(found) => args.encoding.charset(found),
            content => return Err(not_text(file, content)),
        };
        if charset == Charset::Utf8Bom {
            start.bytes.drain(..3.min(start.bytes.len()));
        }
        let wanted = Wanted {
            style: Style { first: args.offset, numbers: args.line_numbers, room: form.room },
            limit: args.limit,
            lenient: args.encoding == Encoding::Auto,
        };
        let (text, total_lines) = paged(file, start, charset, wanted).map_err(|problem| match problem {
            Unpaged::Read(error) => file.explain(error),
            Unpaged::Line(line) => ToolError::invalid(format!("line {line} is not valid UTF-8"))
                .with_hint("Use encoding 'auto' or 'latin-1'."),
        })?;
        let sha256 = hash.or_else(|| {
            file.sha256().inspect(|hash| self.hashes.remember(file.path(), file.version(), hash))
        });
        let page = Shown { text, total_lines, sha256, limit: args.limit };
        if let Some(content) = content {
            self.pages.keep(file.path(), content, form, &page);
        }
        Ok(page)
    }
}

/// What the page depends on.
fn form(args: &Args, cx: &CallContext) -> Form {
    Form {
        first: args.offset,
        encoding: args.encoding.name(),
        numbers: args.line_numbers,
        room: page_chars(cx),
    }
}

/// Adds what the model can do instead.
fn explain(error: ToolError, args: &Args, door: &FileDoor<'_>) -> ToolError {
    match error.code {
        ErrorCode::NotFound => {
            let similar = door.similar(&args.path, SIMILAR).unwrap_or_default();
            if similar.is_empty() {
                return error.with_hint("Use directory_list to see what is there.");
            }
            error.with_hint("Did you mean one of similar_files?").with_field("similar_files", similar)
        }
        ErrorCode::InvalidArgument if door.look(&args.path) == Ok(Found::Folder) => {
            error.with_hint("Use directory_list to see what is in it.")
        }
        _ => error,
    }
}

/// The answer to a question that was asked before, about a file that has not changed.
fn unchanged(file: &OpenFile, args: &Args, call: &str) -> Output {
    let hint = format!(
        "Nothing has changed since call {call} returned this. Ask once more if its result is out of sight."
    );
    Output {
        file_size: file.size(),
        hint: Some(hint),
        encoding: args.encoding.name(),
        unchanged: true,
        ..Output::default()
    }
}

/// A page of raw bytes.
fn bytes(file: &OpenFile, page: RawPage) -> Output {
    Output {
        content: page.base64,
        file_size: file.size(),
        truncated: page.next.is_some(),
        next_offset: page.next,
        hint: page.hint,
        encoding: Encoding::Base64.name(),
        is_binary: page.is_binary,
        ..Output::default()
    }
}

fn first() -> u64 {
    1
}

fn default_limit() -> u64 {
    2_000
}

fn yes() -> bool {
    true
}

register_tool!(Blocking<ReadFile>);
