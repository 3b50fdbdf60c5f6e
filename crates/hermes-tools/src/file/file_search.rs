//! Finds files whose names are only half remembered.

use std::path::Path;
use std::sync::Arc;

use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{EntryKind, WalkOptions};
use hermes_kit::prelude::*;
use regex::RegexBuilder;

use super::find::content::{self, ContentVisitor, Question};
use super::find::glob::Filter;
use super::find::names::{self, NameVisitor};
use super::find::pattern::{Case, Pattern};
use super::find::ranked::{self, FuzzyVisitor, best_first};
use super::place::missing::with_similar_names;
use super::place::placed::{Placed, placed};
use super::text::usable::{unreadable, usable};

/// Find files and folders by name, best first. In mode fuzzy the letters of the query must occur in order, so
/// "usrctl" finds src/user_controller.py; several words must all fit. To search in contents with context and
/// pages use search_files.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to look for: letters, a glob, or a regular expression, as mode says.
    query: String,
    /// The folder to search.
    #[serde(default = "here")]
    path: String,
    /// fuzzy, glob and regex look at paths; content looks for a regular expression in files.
    #[serde(default)]
    mode: Mode,
    /// How many results to return at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 1_000))]
    limit: usize,
    /// Whether to find files, folders or both.
    #[serde(default, rename = "type")]
    kind: Kind,
    /// Whether to look at names that begin with a dot.
    #[serde(default)]
    hidden: bool,
    /// Whether to look at what .gitignore files leave out.
    #[serde(default)]
    no_ignore: bool,
    /// How many levels to look at; all if left out.
    #[schemars(range(min = 1, max = 256))]
    max_depth: Option<usize>,
    /// smart ignores case unless the query has capital letters.
    #[serde(default)]
    case: CaseChoice,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FileSearchMode")]
pub enum Mode {
    #[default]
    Fuzzy,
    Glob,
    Regex,
    Content,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "FileSearchKind")]
pub enum Kind {
    #[default]
    File,
    Dir,
    Any,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaseChoice {
    #[default]
    Smart,
    Sensitive,
    Ignore,
}

#[derive(Debug, Serialize)]
pub struct Output {
    matches: Vec<Found>,
    /// How many there are in all.
    total: usize,
    truncated: bool,
    /// How many files and folders were looked at.
    searched: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Found {
    path: String,
    /// Higher is better; only in mode fuzzy.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

pub struct FileSearch {
    files: Files,
}

impl BlockingTool for FileSearch {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        parallel: Parallel::Paths,
        exposure: Exposure::Deferrable,
        emoji: "🗂️",
        tags: &["file", "find", "fuzzy", "fzf", "locate", "name"],
        ..ToolMeta::new("file_search", "file", Effect::ReadOnly)
    };

    fn new(host: &Host) -> Self {
        FileSearch { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        vec![self.files.read_path(&args.path)]
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        let door = self.files.door(cx);
        placed(&door, with_similar_names(search(&args, &door), &door, &args.path))
    }

    fn examples() -> Vec<Example> {
        const FILES: &[(&str, &str)] =
            &[("src/user_controller.py", ""), ("src/users.py", ""), ("docs/controls.md", "how to steer\n")];
        vec![
            Example::succeeds(
                "a name that is only half remembered",
                json!({"query": "usrctl"}),
                json!({"total": 1, "truncated": false}),
            )
            .with_files(FILES),
            Example::succeeds(
                "folders by glob",
                json!({"query": "s*", "mode": "glob", "type": "dir"}),
                json!({"matches": [{"path": "src"}], "total": 1}),
            )
            .with_files(FILES),
            Example::fails("nothing to look for", json!({"query": " "}), ErrorCode::InvalidArgument),
        ]
    }
}

fn search(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    if args.query.trim().is_empty() {
        return Err(ToolError::invalid("the query is empty"));
    }
    match args.mode {
        Mode::Fuzzy => fuzzy(args, door),
        Mode::Glob => {
            let glob = Filter::new(&args.query, "query")?;
            by_name(args, door, |path| glob.matches(path))
        }
        Mode::Regex => {
            let regex = RegexBuilder::new(&args.query)
                .case_insensitive(ignores_case(args))
                .build()
                .map_err(|error| ToolError::invalid(format!("query is not a regular expression: {error}")))?;
            by_name(args, door, |path| regex.is_match(&path.to_string_lossy()))
        }
        Mode::Content => in_contents(args, door),
    }
}

fn fuzzy(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    let pattern = ranked::pattern(&args.query, case(args));
    let make = || FuzzyVisitor::new(Arc::clone(&pattern), wanted(args.kind), args.limit);
    let walked = door.walk(&args.path, options(args), make)?;
    let unreadable = unreadable(&args.path, &walked.unreadable);
    let (mut best, mut total, mut searched) = (Vec::new(), 0, 0);
    for visitor in walked.visitors {
        best.extend(visitor.best);
        total += visitor.total;
        searched += visitor.searched;
    }
    best_first(&mut best, args.limit);
    let found = best.into_iter().map(|ranked| Found {
        path: usable(&args.path, &ranked.path),
        score: Some(ranked.score),
        line: None,
        text: None,
    });
    Ok(Output { matches: found.collect(), total, truncated: total > args.limit, searched, unreadable })
}

fn by_name(
    args: &Args,
    door: &FileDoor<'_>,
    matches: impl Fn(&Path) -> bool + Sync + Send,
) -> Result<Output, ToolError> {
    let wanted = wanted(args.kind);
    let accepts = |path: &Path, kind: EntryKind| wanted.is_none_or(|wanted| wanted == kind) && matches(path);
    let walked = door.walk(&args.path, options(args), || NameVisitor::new(&accepts))?;
    let unreadable = unreadable(&args.path, &walked.unreadable);
    let (found, searched) = names::merge(walked.visitors);
    let total = found.len();
    let shown = found.iter().take(args.limit).map(|path| Found {
        path: usable(&args.path, path),
        score: None,
        line: None,
        text: None,
    });
    Ok(Output { matches: shown.collect(), total, truncated: total > args.limit, searched, unreadable })
}

fn in_contents(args: &Args, door: &FileDoor<'_>) -> Result<Output, ToolError> {
    let question = Arc::new(Question {
        pattern: Pattern::new(&args.query, case(args), false)?,
        filter: None,
        context: 0,
        multiline: false,
        keep: args.limit,
    });
    let make = || ContentVisitor::new(Arc::clone(&question));
    let mut walked = door.walk(&args.path, options(args), make)?;
    walked.unreadable.extend(content::in_part(&mut walked.visitors));
    let unreadable = unreadable(&args.path, &walked.unreadable);
    let (hits, searched) = content::merge(walked.visitors);
    let total = hits.values().map(|file| file.total).sum();
    let lines = hits.iter().flat_map(|(path, file)| file.lines.iter().map(move |line| (path, line)));
    let shown = lines.take(args.limit).map(|(path, line)| Found {
        path: usable(&args.path, path),
        score: None,
        line: Some(line.number),
        text: Some(line.text.clone()),
    });
    Ok(Output { matches: shown.collect(), total, truncated: total > args.limit, searched, unreadable })
}

fn options(args: &Args) -> WalkOptions {
    WalkOptions { hidden: args.hidden, ignore: !args.no_ignore, max_depth: args.max_depth }
}

fn wanted(kind: Kind) -> Option<EntryKind> {
    match kind {
        Kind::File => Some(EntryKind::File),
        Kind::Dir => Some(EntryKind::Folder),
        Kind::Any => None,
    }
}

fn case(args: &Args) -> Case {
    match args.case {
        CaseChoice::Smart => Case::Smart,
        CaseChoice::Sensitive => Case::Sensitive,
        CaseChoice::Ignore => Case::Ignored,
    }
}

fn ignores_case(args: &Args) -> bool {
    match case(args) {
        Case::Ignored => true,
        Case::Sensitive => false,
        Case::Smart => !args.query.chars().any(char::is_uppercase),
    }
}

fn here() -> String {
    ".".to_owned()
}

fn default_limit() -> usize {
    50
}

register_tool!(Blocking<FileSearch>);
