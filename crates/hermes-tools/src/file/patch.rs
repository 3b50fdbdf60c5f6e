//! Changes texts in place: exactly what was meant, or nothing.

use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_kit::prelude::*;

use super::change::apply::Apply;
use super::change::outcome::Output;
use super::change::plan::{MISSING, Plan, of_patch, of_replacement};
use super::place::placed::{Placed, placed};
use super::v4a;

/// How often a change is tried that others get in the way of.
const ATTEMPTS: usize = 10;
/// How many names like that of a file that is not there are shown.
const SIMILAR: usize = 5;

/// Change text files in place. mode replace: old_string must stand in the file exactly once (include enough
/// lines around it), or pass replace_all. mode patch: a V4A patch, which may add, update, delete and move
/// several files; all of it is applied or nothing. Small differences in blanks, indentation and line endings
/// are bridged; anything less certain is refused and the nearest place is shown. To write a whole file use
/// write_file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// replace changes one text in one file, patch applies a V4A patch; left out, the other fields tell.
    mode: Option<Mode>,
    /// The file to change, with mode replace.
    path: Option<String>,
    /// The text to be replaced, without line numbers; unique in the file unless replace_all is set.
    old_string: Option<String>,
    /// The text to put there; empty to delete.
    new_string: Option<String>,
    /// Whether to replace every occurrence.
    #[serde(default)]
    replace_all: bool,
    /// With mode patch: "*** Begin Patch", then "*** Add File: p", "*** Update File: p" (optionally followed
    /// by "*** Move to: q"), "*** Delete File: p" or "*** Move File: p -> q" with hunks of "@@ heading",
    /// " context", "-removed" and "+added" lines, then "*** End Patch".
    patch: Option<String>,
    /// SHA-256 in hex that the file must have, with mode replace; otherwise nothing is changed.
    expected_hash: Option<String>,
    /// Whether to show the diff without changing anything.
    #[serde(default)]
    preview: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Replace,
    Patch,
}

impl Args {
    fn mode(&self) -> Mode {
        let is_patch = is_given(self.patch.as_deref()) && !self.names_a_text();
        self.mode.unwrap_or(if is_patch { Mode::Patch } else { Mode::Replace })
    }

    /// Whether anything is given that only a replacement has.
    fn names_a_text(&self) -> bool {
        [&self.path, &self.old_string, &self.new_string].into_iter().any(|text| is_given(text.as_deref()))
    }
}

/// Callers that must send every field leave those they don't use empty.
fn is_given(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty())
}

pub struct Patch {
    files: Files,
}

impl BlockingTool for Patch {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        parallel: Parallel::Paths,
        emoji: "🔧",
        tags: &["file", "edit", "replace", "diff", "change", "apply"],
        ..ToolMeta::new("patch", "file", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        Patch { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        match args.mode() {
            Mode::Replace => {
                // Without a path it is refused before anything is touched.
                let Some(path) = args.path.as_deref() else { return Vec::new() };
                let write = (!args.preview).then(|| self.files.write_path(path));
                std::iter::once(self.files.read_path(path)).chain(write).collect()
            }
            Mode::Patch => {
                let patch = args.patch.as_deref().unwrap_or_default();
                match v4a::parse(patch) {
                    Ok(operations) => operations
                        .iter()
                        .flat_map(|operation| access_of(&self.files, operation, args.preview))
                        .collect(),
                    // It will be refused; until then it waits its turn like the patch it meant to be.
                    Err(_) => v4a::mentioned(patch)
                        .into_iter()
                        .flat_map(|path| [self.files.read_path(path.clone()), self.files.write_path(path)])
                        .collect(),
                }
            }
        }
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        let door = self.files.door(cx);
        placed(&door, patch(&args, &door))
    }

    fn examples() -> Vec<Example> {
        const FILES: &[(&str, &str)] = &[("main.py", "def hello():\n    print('hi')\n")];
        vec![
            Example::succeeds(
                "one line of a file",
                json!({"path": "main.py", "old_string": "print('hi')", "new_string": "print('hello')"}),
                json!({"success": true, "replacements": 1, "files_modified": ["main.py"]}),
            )
            .with_files(FILES),
            Example::succeeds(
                "two files in one step",
                json!({"mode": "patch", "patch": "*** Begin Patch\n*** Update File: main.py\n@@ def hello():\n\
                    -    print('hi')\n+    print(GREETING)\n*** Add File: greeting.py\n+GREETING = 'hi'\n\
                    *** End Patch"}),
                json!({"success": true, "files_modified": ["main.py"], "files_created": ["greeting.py"]}),
            )
            .with_files(FILES),
            Example::fails(
                "a text that is not there",
                json!({"path": "main.py", "old_string": "print('bye')", "new_string": "pass"}),
                ErrorCode::NotFound,
            )
            .with_files(FILES),
        ]
    }
}

fn patch(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    patched(args, door).map_err(|error| with_similar(error, door))
}

/// Names like that of a file that is not there.
fn with_similar(mut error: ToolError, door: &FileDoor<'_>) -> ToolError {
    let Some(missing) = error.data.remove(MISSING) else { return error };
    let similar = missing.as_str().and_then(|path| door.similar(path, SIMILAR).ok()).unwrap_or_default();
    match similar.is_empty() {
        true => error,
        false => error.with_hint("Did you mean one of similar_files?").with_field("similar_files", similar),
    }
}

fn patched(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    let apply = Apply { door, preview: args.preview };
    for _ in 1..ATTEMPTS {
        match apply.run(plan(args, door)?) {
            // Somebody else changed the file between the look and the change: look again.
            Err(error) if error.data.contains_key("current_sha256") => {}
            done => return done,
        }
    }
    apply.run(plan(args, door)?)
}

/// What the call would do to the files as they are now.
fn plan(args: &Args, door: &FileDoor<'_>) -> Result<Plan, ToolError> {
    match args.mode() {
        Mode::Replace => {
            refuse_extra(is_given(args.patch.as_deref()), "patch", "replace")?;
            let path = needed(args.path.as_deref(), "path")?;
            let old = needed(args.old_string.as_deref(), "old_string")?;
            let new = needed(args.new_string.as_deref(), "new_string")?;
            let current = door.current(path)?;
            of_replacement(path, &current, (old, new), args.replace_all, args.expected_hash.as_deref())
        }
        Mode::Patch => {
            refuse_extra(args.names_a_text(), "path, old_string and new_string", "patch")?;
            of_patch(needed(args.patch.as_deref(), "patch")?, |path| door.current(path))
        }
    }
}

fn access_of(files: &Files, operation: &v4a::Operation, preview: bool) -> Vec<Access> {
    use v4a::Operation::{Add, Delete, Move, Update};
    let (taken, put): (Option<&str>, Option<&str>) = match operation {
        Add { path, .. } | Update { path, move_to: None, .. } => (None, Some(path)),
        Delete { path } => (Some(path), None),
        Move { from, to } | Update { path: from, move_to: Some(to), .. } => (Some(from), Some(to)),
    };
    let mut access: Vec<Access> = operation.paths().into_iter().map(|path| files.read_path(path)).collect();
    if !preview {
        access.extend(taken.map(|path| files.delete_path(path)));
        access.extend(put.map(|path| files.write_path(path)));
    }
    access
}

fn needed<'a>(argument: Option<&'a str>, name: &str) -> Result<&'a str, ToolError> {
    argument.ok_or_else(|| ToolError::invalid(format!("'{name}' is missing")))
}

fn refuse_extra(given: bool, names: &str, mode: &str) -> Result<(), ToolError> {
    match given {
        true => Err(ToolError::invalid(format!("mode '{mode}' takes no {names}")).with_hint(
            "Use mode 'replace' with path, old_string and new_string, or mode 'patch' with patch.",
        )),
        false => Ok(()),
    }
}

register_tool!(Blocking<Patch>);
