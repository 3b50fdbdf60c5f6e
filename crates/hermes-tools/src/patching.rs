//! The pure half of `patch`, for whoever wants to see what it would do without a file system.

use std::collections::BTreeMap;

use crate::file::edit::{self, RefusalKind};
use crate::file::text::body::Body;
use crate::file::text::unified::unified;
use crate::file::v4a;

/// A replacement that would not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// `not_found`, `ambiguous`, `empty_old`, `identical`, `escape_drift` or `not_text`.
    pub kind: &'static str,
    pub message: String,
}

/// A replacement that would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub content: Vec<u8>,
    pub count: usize,
    pub strategy: &'static str,
}

/// What `patch` in mode `replace` makes of a content.
pub fn replace(content: &[u8], old: &str, new: &str, all: bool) -> Result<Made, Refused> {
    let not_text = |reason: String| Refused { kind: "not_text", message: format!("the file {reason}") };
    let body = Body::decode_for_edit(content).map_err(not_text)?;
    match edit::replace(&body.text, old, new, all) {
        Ok(made) => {
            body.accepts(new).map_err(not_text)?;
            let content = body.encode(&made.content);
            Ok(Made { content, count: made.count, strategy: made.strategy })
        }
        Err(refusal) => {
            Err(Refused { kind: refusal.kind.name(), message: refusal.kind.sentence().to_owned() })
        }
    }
}

/// What `patch` in mode `patch` makes of a folder. Paths that lead out of it are refused.
pub fn apply(before: &BTreeMap<String, Vec<u8>>, patch: &str) -> Result<Patched, String> {
    let operations = v4a::parse(patch)?;
    let changes = v4a::apply(&operations, &mut Folder { files: before })?;
    let mut patched = Patched { files: before.clone(), moved: BTreeMap::new() };
    for change in &changes {
        patched.files.remove(&change.path);
    }
    for change in changes {
        if let Some(content) = change.after {
            patched.moved.extend(change.moved_from.map(|from| (change.path.clone(), from)));
            patched.files.insert(change.path, content);
        }
    }
    Ok(patched)
}

/// A folder after a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patched {
    pub files: BTreeMap<String, Vec<u8>>,
    /// Where moved files came from.
    pub moved: BTreeMap<String, String>,
}

/// How a file would change, as `diff -u` writes it; `None` stands for no file.
pub fn unified_diff(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let text = |bytes: Option<&[u8]>| match bytes {
        None => Some(String::new()),
        Some(bytes) => Body::decode(bytes).ok().map(|body| body.text),
    };
    match (text(before), text(after)) {
        (Some(old), Some(new)) => {
            let (old_name, new_name) = (format!("a/{path}"), format!("b/{path}"));
            let old_name = before.map(|_| old_name.as_str());
            let new_name = after.map(|_| new_name.as_str());
            unified((old_name, &old), (new_name, &new), 3)
        }
        _ => format!("Binary file {path} differs\n"),
    }
}

struct Folder<'a> {
    files: &'a BTreeMap<String, Vec<u8>>,
}

impl v4a::Files for Folder<'_> {
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, String> {
        if path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..") {
            return Err("lies outside the folder".to_owned());
        }
        if path.contains('\0') {
            return Err("is no path".to_owned());
        }
        let below = format!("{path}/");
        if self.files.keys().any(|file| file.starts_with(&below)) {
            return Err("is a folder".to_owned());
        }
        let above = |file: &String| path.starts_with(&format!("{file}/"));
        if self.files.keys().any(above) {
            return Err("a part of the path is a file".to_owned());
        }
        Ok(self.files.get(path).cloned())
    }

    fn was_missed(&self, _: &str) -> bool {
        false
    }
}

impl RefusalKind {
    /// The kind as it stands in answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RefusalKind::NotFound => "not_found",
            RefusalKind::Ambiguous => "ambiguous",
            RefusalKind::EmptyOld => "empty_old",
            RefusalKind::Identical => "identical",
            RefusalKind::EscapeDrift => "escape_drift",
        }
    }

    pub(crate) fn sentence(self) -> &'static str {
        match self {
            RefusalKind::NotFound => "old_string is not in the file",
            RefusalKind::Ambiguous => "old_string is in the file several times",
            RefusalKind::EmptyOld => "old_string is empty",
            RefusalKind::Identical => "old_string and new_string are the same",
            RefusalKind::EscapeDrift => {
                "old_string has a backslash in front of quotes that the file does not have"
            }
        }
    }
}
