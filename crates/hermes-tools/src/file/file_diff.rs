//! Shows how two files, folders or texts differ.

use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{EntryKind, Found, spelled};
use hermes_kit::prelude::*;

use super::compare::folders::{Pairs, pairs};
use super::compare::hunks::{Hunk, hunks};
use super::compare::side::side_by_side;
use super::compare::source::{Side, read};
use super::place::missing::with_similar_names;
use super::place::placed::{Placed, placed};
use super::text::unified::{Compared, Leniency};
use super::text::usable::usable;

/// Compare two files, two folders (with recursive) or two texts. The unified format can be applied to files in UTF-8
/// with `patch -p0`. Nothing is changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The first file or folder.
    left: Option<String>,
    /// The second file or folder.
    right: Option<String>,
    /// A text to compare instead of the first file.
    left_text: Option<String>,
    /// A text to compare instead of the second file.
    right_text: Option<String>,
    /// unified, side by side, json (the differing runs of lines) or stat (only the counts).
    #[serde(default)]
    format: Format,
    /// How many lines to show around each difference.
    #[serde(default = "three")]
    #[schemars(range(max = 50))]
    context: usize,
    /// Whether blanks do not count.
    #[serde(default)]
    ignore_whitespace: bool,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    ignore_case: bool,
    /// Whether to compare folders with everything below them.
    #[serde(default)]
    recursive: bool,
    /// Larger files are refused.
    #[serde(default = "ten_megabytes")]
    #[schemars(range(min = 1, max = 104_857_600))]
    max_bytes: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DiffFormat")]
pub enum Format {
    #[default]
    Unified,
    Side,
    Json,
    Stat,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    identical: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hunks: Option<Vec<Hunk>>,
    /// Lines only on the right, and only on the left.
    added: usize,
    removed: usize,
    /// Files whose encodings differ: also the same characters are other bytes there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    encodings: Vec<String>,
    /// With recursive.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_files: Option<Vec<Changed>>,
    /// With recursive: what could not be compared, and why. Nothing is identical that has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_compared: Vec<String>,
    /// Whether something that is not text was compared.
    binary: bool,
}

#[derive(Debug, Serialize)]
pub struct Changed {
    path: String,
    change: &'static str,
}

pub struct FileDiff {
    files: Files,
}

impl BlockingTool for FileDiff {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        parallel: Parallel::Paths,
        exposure: Exposure::Deferrable,
        emoji: "🆚",
        tags: &["file", "compare", "difference", "diff", "changes"],
        ..ToolMeta::new("file_diff", "file", Effect::ReadOnly)
    };

    fn new(host: &Host) -> Self {
        FileDiff { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        [&args.left, &args.right].into_iter().flatten().map(|path| self.files.read_path(path)).collect()
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        let door = self.files.door(cx);
        placed(&door, compare(&args, &door))
    }

    fn examples() -> Vec<Example> {
        const FILES: &[(&str, &str)] = &[("a.txt", "one\ntwo\n"), ("b.txt", "one\n2\n")];
        vec![
            Example::succeeds(
                "two files",
                json!({"left": "a.txt", "right": "b.txt"}),
                json!({
                    "identical": false, "added": 1, "removed": 1,
                    "diff": "--- a.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
                }),
            )
            .with_files(FILES),
            Example::succeeds(
                "two texts, without regard to blanks",
                json!({"left_text": "a b", "right_text": "a  b", "ignore_whitespace": true}),
                json!({"identical": true, "added": 0, "removed": 0}),
            ),
            Example::fails("only one side", json!({"left": "a.txt"}), ErrorCode::InvalidArgument)
                .with_files(FILES),
        ]
    }
}

fn compare(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    if let (Some(left), Some(right), true) = (&args.left, &args.right, args.recursive)
        && door.look(left)? == Found::Folder
        && door.look(right)? == Found::Folder
    {
        return folders(args, left, right, door);
    }
    let (one, other) = ((&args.left, &args.left_text), (&args.right, &args.right_text));
    let left = side(args, door, (one, &args.right), "left")?;
    let right = side(args, door, (other, &args.left), "right")?;
    let mut output = Output { identical: true, ..Output::default() };
    let names = (args.left.as_deref().unwrap_or("left"), args.right.as_deref().unwrap_or("right"));
    output.add(args, (Some(names.0), &left), (Some(names.1), &right), None);
    Ok(output)
}

fn side(
    args: &Args,
    door: &FileDoor<'_>,
    ((path, text), other): ((&Option<String>, &Option<String>), &Option<String>),
    name: &str,
) -> Result<Side, ToolError> {
    match (path, text) {
        (Some(path), None) => {
            if door.look(path)? == Found::Folder {
                let hint = match other.as_ref().map(|other| Ok((other, door.look(other)?))).transpose()? {
                    Some((_, Found::Folder)) => "Pass recursive to compare two folders.",
                    // What is not there is the greater mistake.
                    Some((other, Found::Nothing)) => {
                        let missing = ToolError::not_found(format!("'{other}' does not exist"));
                        return with_similar_names(Err(missing), door, other);
                    }
                    _ => "Name a file in it: a folder is compared with another folder only.",
                };
                return Err(ToolError::invalid(format!("'{path}' is a folder")).with_hint(hint));
            }
            Ok(Side::of(with_similar_names(read(door, path, args.max_bytes), door, path)?))
        }
        (None, Some(text)) => Ok(Side::Text(text.clone(), None)),
        _ => Err(ToolError::invalid(format!("pass either '{name}' or '{name}_text'"))),
    }
}

/// A file's content, nothing where there is none, or why it cannot be compared.
type Read = Result<Option<Side>, &'static str>;

fn folders(args: &Args, left: &str, right: &str, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    let mut output = Output { identical: true, changed_files: Some(Vec::new()), ..Output::default() };
    let Pairs { all, unreadable } = pairs(door, left, right)?;
    for (path, reason) in unreadable {
        output.not_compared.push(format!("{}: {reason}", spelled(&path)));
    }
    for pair in all {
        let names = (usable(left, &pair.path), usable(right, &pair.path));
        let side = |kind: Option<EntryKind>, name: &str| -> Result<Read, ToolError> {
            Ok(match kind {
                Some(EntryKind::File) => match read(door, name, args.max_bytes) {
                    Ok(bytes) => Ok(Some(Side::of(bytes))),
                    Err(error) => match error.code {
                        ErrorCode::PermissionDenied => Err("it may not be read"),
                        ErrorCode::TooLarge => Err("it has more than max_bytes"),
                        ErrorCode::NotFound => Err("it went away meanwhile"),
                        _ => return Err(error),
                    },
                },
                Some(EntryKind::Link) => Err("a symbolic link"),
                Some(EntryKind::Special) => Err("a special file"),
                Some(EntryKind::Folder) | None => Ok(None),
            })
        };
        let shown = spelled(&pair.path);
        let sides = (side(pair.left, &names.0)?, side(pair.right, &names.1)?);
        let change = match (pair.left, pair.right) {
            (Some(_), None) => "only_left",
            (None, _) => "only_right",
            (Some(one), Some(other)) if one != other => "changed",
            _ => match &sides {
                (Ok(Some(old)), Ok(Some(new))) if old.is_same(new) => continue,
                (Err(reason), _) | (_, Err(reason)) => {
                    output.not_compared.push(format!("{shown}: {reason}"));
                    continue;
                }
                _ => "changed",
            },
        };
        output.identical = false;
        if let (Ok(old), Ok(new)) = &sides {
            let nothing = Side::Text(String::new(), None);
            let named = (old.is_some().then_some(&*names.0), new.is_some().then_some(&*names.1));
            output.add(
                args,
                (named.0, old.as_ref().unwrap_or(&nothing)),
                (named.1, new.as_ref().unwrap_or(&nothing)),
                Some(&shown),
            );
        }
        output.changed_files.get_or_insert_default().push(Changed { path: shown, change });
    }
    output.identical &= output.not_compared.is_empty();
    Ok(output)
}

impl Output {
    /// Adds the difference between two files.
    fn add(
        &mut self,
        args: &Args,
        (old_name, old): (Option<&str>, &Side),
        (new_name, new): (Option<&str>, &Side),
        file: Option<&str>,
    ) {
        let (Side::Text(old_text, _), Side::Text(new_text, _)) = (old, new) else {
            self.binary = true;
            if !old.is_same(new) {
                self.identical = false;
                let name = match (file, old_name, new_name) {
                    (Some(name), ..) | (None, Some(name), None) | (None, None, Some(name)) => name.to_owned(),
                    (None, old, new) => [old, new].map(Option::unwrap_or_default).join(" and "),
                };
                self.diff.get_or_insert_default().push_str(&format!("Binary files differ: {name}\n"));
            }
            return;
        };
        let leniency = Leniency { whitespace: args.ignore_whitespace, case: args.ignore_case };
        let compared = Compared::new(old_text, new_text, leniency);
        self.identical &= compared.is_same();
        if let Some([one, other]) = old.forms(new) {
            self.identical = false;
            let name = file.map(|file| format!("{file}: ")).unwrap_or_default();
            self.encodings.push(format!("{name}{one} on the left, {other} on the right"));
        }
        self.added += compared.added();
        self.removed += compared.removed();
        let text = match args.format {
            Format::Stat => return,
            Format::Json => {
                self.hunks.get_or_insert_default().extend(hunks(&compared, file));
                return;
            }
            Format::Unified => compared.unified(old_name, new_name, args.context),
            Format::Side => side_by_side(&compared, args.context),
        };
        self.diff.get_or_insert_default().push_str(&text);
    }
}

fn three() -> usize {
    3
}

fn ten_megabytes() -> u64 {
    10 * 1024 * 1024
}

register_tool!(Blocking<FileDiff>);
