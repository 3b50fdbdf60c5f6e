//! Lists what is in a folder.

use std::path::Path;

use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{Entry, EntryKind, ListOptions, spelled};
use hermes_kit::prelude::*;

use super::find::glob::Filter;
use super::place::missing::with_similar_names;
use super::place::placed::{Placed, placed};
use super::text::tree::draw;
use super::text::usable::usable;

/// Unreadable folders named in one answer.
const MAX_UNREADABLE: usize = 20;

/// List the files and folders in a folder, with sizes and times. Symbolic links are shown, not followed.
/// Use tree for a quick overview of a project and read_file for the content of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The folder to list; the working folder if left out.
    #[serde(default = "here")]
    path: String,
    /// How many levels to list; 1 is the folder itself without its sub-folders.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 10))]
    depth: usize,
    /// Whether to list names that begin with a dot.
    #[serde(default)]
    hidden: bool,
    /// The order of the entries: size and mtime begin with the largest and newest, type with folders.
    #[serde(default)]
    sort: Sort,
    /// Only entries that match this glob, such as *.rs or src/**/*.md.
    filter: Option<String>,
    /// How many entries to return at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 5_000))]
    limit: usize,
    /// Whether to return a drawn tree instead of the list of entries.
    #[serde(default)]
    tree: bool,
    /// Whether to show what .gitignore files leave out.
    #[serde(default = "yes")]
    no_ignore: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    #[default]
    Name,
    Size,
    Mtime,
    Type,
}

#[derive(Debug, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<Shown>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<String>,
    /// How many entries there are; at least that many if `more_than_total` is there.
    total: usize,
    truncated: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_than_total: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<Problem>,
}

#[derive(Debug, Serialize)]
pub struct Shown {
    name: String,
    /// To be passed on to other tools as it is.
    path: String,
    #[serde(rename = "type")]
    kind: &'static str,
    size: u64,
    mtime: String,
    mode: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Problem {
    path: String,
    error: String,
}

pub struct DirectoryList {
    files: Files,
}

impl BlockingTool for DirectoryList {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        parallel: Parallel::Paths,
        emoji: "📂",
        tags: &["file", "folder", "ls", "tree", "dir"],
        ..ToolMeta::new("directory_list", "file", Effect::ReadOnly)
    };

    fn new(host: &Host) -> Self {
        DirectoryList { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        vec![self.files.read_path(&args.path)]
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        let door = self.files.door(cx);
        placed(&door, with_similar_names(list(&args, &door), &door, &args.path))
    }

    fn examples() -> Vec<Example> {
        const FILES: &[(&str, &str)] = &[("src/main.rs", "fn main() {}\n"), ("README.md", "Hi\n")];
        vec![
            Example::succeeds(
                "only the Rust files, two levels deep",
                json!({"depth": 2, "filter": "*.rs"}),
                json!({"total": 1, "truncated": false}),
            )
            .with_files(FILES),
            Example::succeeds(
                "a project as a tree",
                json!({"depth": 2, "tree": true}),
                json!({"tree": ".\n├── README.md\n└── src/\n    └── main.rs\n", "total": 3}),
            )
            .with_files(FILES),
            Example::fails(
                "a file is not a folder",
                json!({"path": "README.md"}),
                ErrorCode::InvalidArgument,
            )
            .with_files(FILES),
        ]
    }
}

fn list(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    let filter = args.filter.as_deref().map(|glob| Filter::new(glob, "filter")).transpose()?;
    let options = ListOptions { depth: args.depth, hidden: args.hidden, ignore: !args.no_ignore };
    let listing = door.list(&args.path, options)?;
    let mut entries = listing.entries;
    entries.retain(|entry| filter.as_ref().is_none_or(|filter| filter.matches(&entry.path)));
    sort(&mut entries, args.sort);
    let total = entries.len();
    entries.truncate(args.limit);
    let unreadable = listing.unreadable.iter().take(MAX_UNREADABLE);
    Ok(Output {
        total,
        truncated: listing.cut || total > entries.len(),
        more_than_total: listing.cut,
        unreadable: unreadable
            .map(|problem| Problem { path: usable(&args.path, &problem.path), error: problem.reason.clone() })
            .collect(),
        tree: args.tree.then(|| draw(&args.path, &entries, total)),
        entries: (!args.tree).then(|| entries.iter().map(|entry| show(&args.path, entry)).collect()),
    })
}

fn sort(entries: &mut [Entry], by: Sort) {
    entries.sort_by(|a, b| {
        let order = match by {
            Sort::Name => std::cmp::Ordering::Equal,
            Sort::Size => b.size.cmp(&a.size),
            Sort::Mtime => b.modified.cmp(&a.modified),
            Sort::Type => a.kind.cmp(&b.kind),
        };
        order.then_with(|| a.path.cmp(&b.path))
    });
}

fn show(folder: &str, entry: &Entry) -> Shown {
    let mtime = jiff::Timestamp::from_second(entry.modified).map(|time| time.to_string());
    Shown {
        name: spelled(Path::new(entry.path.file_name().unwrap_or_default())),
        path: usable(folder, &entry.path),
        kind: match entry.kind {
            EntryKind::Folder => "directory",
            EntryKind::File => "file",
            EntryKind::Link => "symlink",
            EntryKind::Special => "special",
        },
        size: entry.size,
        mtime: mtime.unwrap_or_default(),
        mode: format!("{:04o}", entry.mode),
        target: entry.target.as_deref().map(spelled),
    }
}

fn here() -> String {
    ".".to_owned()
}

fn one() -> usize {
    1
}

fn default_limit() -> usize {
    500
}

fn yes() -> bool {
    true
}

register_tool!(Blocking<DirectoryList>);
