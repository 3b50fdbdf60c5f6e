//! What is to become of which files, worked out in memory.

use std::collections::{BTreeMap, BTreeSet};

use hermes_core::{ErrorCode, ToolError};
use hermes_host::workspace::{About, Current, stale};

use crate::file::edit::{Refusal, RefusalKind, nearest, replace};
use crate::file::text::body::Body;
use crate::file::text::hash::checked_hash;
use crate::file::text::numbered::{looks_numbered, numbered_from};
use crate::file::v4a;

/// In the data of a refusal: the file that was to be changed and is not there.
pub(crate) const MISSING: &str = "missing";

/// The way out where a file cannot be edited as a text.
const NO_TEXT: &str =
    "Only texts can be edited: use a program in the terminal that knows what is in the file.";
/// The way out where a file has no place for a letter.
const OTHER_ENCODING: &str = "Write the whole file anew with write_file, in UTF-8, if it needs such letters.";

/// All changes of one call.
pub(crate) struct Plan {
    pub(crate) files: Vec<PlannedFile>,
    /// How many places were replaced and what was bridged to find them, with mode replace.
    pub(crate) replaced: Option<(usize, &'static str)>,
}

/// One file's change.
pub(crate) struct PlannedFile {
    /// The path as the model wrote it.
    pub(crate) path: String,
    pub(crate) current: Current,
    pub(crate) after: Option<Vec<u8>>,
    pub(crate) moved_from: Option<String>,
}

/// The plan for one replacement in one file.
pub(crate) fn of_replacement(
    path: &str,
    current: &Current,
    (old, new): (&str, &str),
    all: bool,
    expected_hash: Option<&str>,
) -> Result<Plan, ToolError> {
    let Some(bytes) = current.content() else { return Err(missing(path)) };
    if let (Some(expected), Some(found)) = (expected_hash, current.sha256())
        && checked_hash(expected)? != found
    {
        return Err(stale(current.path(), found, Some(bytes), &about(bytes, old)));
    }
    if looks_numbered(new) {
        return Err(numbered());
    }
    let unfit = |reason: String, hint: &str| ToolError::invalid(format!("'{path}' {reason}")).with_hint(hint);
    let body = Body::decode_for_edit(bytes).map_err(|reason| unfit(reason, NO_TEXT))?;
    let made = replace(&body.text, old, new, all).map_err(|refusal| {
        let error = refused(path, old, &refusal);
        let is_lost = matches!(refusal.kind, RefusalKind::NotFound | RefusalKind::Ambiguous);
        if is_lost { also_stale(error, current, &about(bytes, old)) } else { error }
    })?;
    // Few lines prove nothing by themselves; the numbers of the very lines that they replace do.
    if numbered_from(new).is_some_and(|first| first == first_change(&body.text, &made.content))
        && numbered_from(old).is_none()
    {
        return Err(numbered());
    }
    // A text that stands there letter by letter, once, is what was meant, whatever changed around it.
    if current.was_missed() && expected_hash.is_none() && (all || made.strategy != "exact") {
        let found = current.sha256().unwrap_or_default();
        return Err(stale(current.path(), found, Some(bytes), &about(bytes, old)));
    }
    body.accepts(new).map_err(|reason| unfit(reason, OTHER_ENCODING))?;
    let file = PlannedFile {
        path: path.to_owned(),
        current: current.clone(),
        after: Some(body.encode(&made.content)),
        moved_from: None,
    };
    Ok(Plan { files: vec![file], replaced: Some((made.count, made.strategy)) })
}

fn missing(path: &str) -> ToolError {
    ToolError::not_found(format!("'{path}' does not exist; nothing was changed"))
        .with_hint("Use write_file to create it.")
        .with_field(MISSING, path)
}

fn numbered() -> ToolError {
    ToolError::invalid("new_string begins its lines with line numbers, as read_file shows them")
        .with_hint("Send the text without the 'N|' in front of each line.")
}

/// The line, counted from 1, in which two texts first differ.
fn first_change(one: &str, other: &str) -> usize {
    let same = one.lines().zip(other.lines()).take_while(|(one, other)| one == other);
    same.count() + 1
}

/// The part of a content that a replacement is about: where the text stands, or what is most like it.
fn about(content: &[u8], old: &str) -> About<'static> {
    let Ok(text) = std::str::from_utf8(content) else { return About::Unknown };
    if let Some(at) = text.find(old) {
        return About::Part(at..at + old.len());
    }
    let Some(candidate) = nearest(text, old).into_iter().next() else { return About::Unknown };
    let lines = |from, count| text.split_inclusive('\n').skip(from).take(count).map(str::len).sum::<usize>();
    let start = lines(0, candidate.line - 1);
    About::Part(start..start + lines(candidate.line - 1, old.lines().count()))
}

/// The refusal of a change whose place is not found in a file that somebody else changed since it was read.
fn also_stale(mut error: ToolError, current: &Current, about: &About<'_>) -> ToolError {
    if !current.was_missed() {
        return error;
    }
    let stale = stale(current.path(), current.sha256().unwrap_or_default(), current.content(), about);
    error.message = format!("{} (it has changed since it was read)", error.message);
    error.code = stale.code;
    error.hint.get_or_insert_with(|| "Repeat the change on the current content.".to_owned());
    error.data.extend(stale.data);
    error
}

/// What a patch looks like.
const V4A: &str = "It begins with '*** Begin Patch', names files with '*** Update File: path' or the like, and ends with '*** End \
                   Patch'.";
/// How what `diff -u` writes becomes one.
const AS_V4A: &str = "This is what 'diff -u' writes. Put '*** Begin Patch' first, '*** Update File: path' in place of each file's \
                      lines above its first '@@', and '*** End Patch' last; the hunks can stay as they are.";

/// Whether a text names its files as `diff -u` does.
fn is_unified(patch: &str) -> bool {
    let mut lines = patch.lines().peekable();
    std::iter::from_fn(|| Some((lines.next()?, lines.peek().copied().unwrap_or_default())))
        .any(|(old, new)| old.starts_with("--- ") && new.starts_with("+++ "))
}

/// The plan for a V4A patch over the files as `read` finds them.
pub(crate) fn of_patch(
    patch: &str,
    read: impl Fn(&str) -> Result<Current, ToolError>,
) -> Result<Plan, ToolError> {
    let operations = v4a::parse(patch).map_err(|reason| {
        let error = ToolError::invalid(format!("this is not a V4A patch: {reason}; nothing was changed"));
        error.with_hint(if is_unified(patch) { AS_V4A } else { V4A })
    })?;
    let mut files = Reading { read, seen: BTreeMap::new(), failed: None };
    let changes = v4a::apply(&operations, &mut files);
    if let Some(failed) = files.failed {
        return Err(failed);
    }
    let changes = changes.map_err(|reason| {
        let error = ToolError::new(ErrorCode::Conflict, format!("nothing was changed: {reason}"));
        let is_about = |path: &str| reason.strip_prefix(path).is_some_and(|rest| rest.starts_with(": "));
        match files.seen.iter().find(|(path, _)| is_about(path)) {
            Some((path, current)) if current.content().is_none() => match reason.ends_with(v4a::NOT_THERE) {
                true => missing(path).with_hint("Use '*** Add File: path' to create it."),
                false => error,
            },
            // The reason shows the nearest place.
            Some((_, current)) => also_stale(error, current, &About::Unknown),
            None => error,
        }
    })?;
    let origins: BTreeSet<String> = changes.iter().filter_map(|change| change.moved_from.clone()).collect();
    let mut planned = Vec::with_capacity(changes.len());
    for change in changes {
        let Some(current) = files.seen.remove(&change.path) else { continue };
        if change.after.is_none() && current.was_missed() && !origins.contains(&change.path) {
            let found = current.sha256().unwrap_or_default();
            let stale = stale(current.path(), found, current.content(), &About::Whole(b""));
            return Err(stale.with_hint("Read the file again; then the patch can delete it."));
        }
        let (path, moved_from) = (change.path, change.moved_from);
        let moved_from = moved_from.filter(|from| *from != path);
        planned.push(PlannedFile { path, current, after: change.after, moved_from });
    }
    Ok(Plan { files: planned, replaced: None })
}

/// Files as the doors show them. A door's own refusal is kept as it is.
struct Reading<R> {
    read: R,
    seen: BTreeMap<String, Current>,
    failed: Option<ToolError>,
}

impl<R: Fn(&str) -> Result<Current, ToolError>> v4a::Files for Reading<R> {
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, String> {
        match (self.read)(path) {
            Ok(current) => {
                let content = current.content().map(<[u8]>::to_vec);
                self.seen.insert(path.to_owned(), current);
                Ok(content)
            }
            Err(error) => {
                let reason = error.message.clone();
                self.failed = Some(error);
                Err(reason)
            }
        }
    }

    fn was_missed(&self, path: &str) -> bool {
        self.seen.get(path).is_some_and(Current::was_missed)
    }
}

fn refused(path: &str, old: &str, refusal: &Refusal) -> ToolError {
    let sentence = refusal.kind.sentence();
    match refusal.kind {
        RefusalKind::NotFound => {
            let error = ToolError::not_found(format!("{sentence} '{path}'; nothing was changed"));
            let error = match refusal.candidates.is_empty() {
                true => error.with_hint("Read the file and copy the text from there."),
                false => error.with_hint(
                    "These places are nearest; '-' is what old_string says, '+' what the file has. Repeat the \
                     call with the file's own text.",
                ),
            };
            let nearest: Vec<serde_json::Value> = refusal
                .candidates
                .iter()
                .map(|candidate| serde_json::json!({"line": candidate.line, "diff": candidate.diff}))
                .collect();
            match (numbered_from(old).is_some() || looks_numbered(old), nearest.is_empty()) {
                (true, _) => error.with_hint("Send the text without the 'N|' in front of each line."),
                (false, true) => error,
                (false, false) => error.with_field("nearest", nearest),
            }
        }
        RefusalKind::Ambiguous => {
            let lines = refusal.lines.clone();
            ToolError::new(ErrorCode::Conflict, format!("{sentence}; nothing was changed"))
                .with_hint("Include more of the lines around the place, or pass replace_all.")
                .with_field("lines", lines)
        }
        RefusalKind::EmptyOld => {
            ToolError::invalid(sentence).with_hint("Name the text to replace, or use write_file.")
        }
        RefusalKind::Identical => ToolError::invalid(format!("{sentence}; there is nothing to change")),
        RefusalKind::EscapeDrift => ToolError::invalid(sentence)
            .with_hint("Send quotes as they are in the file, without a backslash."),
    }
}
