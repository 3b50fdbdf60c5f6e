//! Searches file contents, or files by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_host::Files;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{EntryKind, WalkOptions};
use hermes_kit::prelude::*;

use super::find::content::{ContentVisitor, FileHits, Question, Role, in_part, merge};
use super::find::glob::Filter;
use super::find::names::{self, NameVisitor};
use super::find::pattern::{Case, Pattern};
use super::place::missing::with_similar_names;
use super::place::placed::{Placed, placed};
use super::text::usable::{unreadable, usable};

/// Search file contents with a regular expression (ripgrep's dialect), or find files by glob with target
/// files. Hidden files and what .gitignore leaves out are skipped unless all_files is set. Results come in the
/// order of paths; follow next_offset for more. For half-remembered names use file_search.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// A regular expression; with target files a glob such as *.rs or src/**/test_*.py.
    pattern: String,
    /// Whether to search in contents or for names.
    #[serde(default)]
    target: SearchTarget,
    /// The folder or file to search.
    #[serde(default = "here")]
    path: String,
    /// Only files that match this glob, such as *.rs or src/**/*.md; with ! in front all but those.
    file_glob: Option<String>,
    /// How many results to return at most.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 1_000))]
    limit: usize,
    /// How many results to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    offset: usize,
    /// content shows matching lines, files_only their files, count how many there are in each file.
    #[serde(default)]
    output_mode: OutputMode,
    /// How many lines to show around each match.
    #[serde(default)]
    #[schemars(range(max = 20))]
    context: usize,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    ignore_case: bool,
    /// Whether a match may reach across lines.
    #[serde(default)]
    multiline: bool,
    /// Whether to search hidden and ignored files too.
    #[serde(default)]
    all_files: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchTarget {
    #[default]
    #[serde(alias = "grep")]
    Content,
    #[serde(alias = "find")]
    Files,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputMode {
    #[default]
    Content,
    FilesOnly,
    Count,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    /// Matching lines as `N:text` below their file; `N-text` are lines around a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<BTreeMap<String, usize>>,
    /// How many results there are in all: lines, or files.
    total: usize,
    /// How many files the results are in.
    files_with_matches: usize,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
    /// Why there is nothing, where that may surprise.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

pub struct SearchFiles {
    files: Files,
}

impl BlockingTool for SearchFiles {
    type Args = Args;
    type Output = Placed<Output>;
    const META: ToolMeta = ToolMeta {
        aliases: &["search"],
        parallel: Parallel::Paths,
        emoji: "🔎",
        tags: &["file", "grep", "ripgrep", "rg", "find", "regex", "text", "code"],
        ..ToolMeta::new("search_files", "file", Effect::ReadOnly)
    };

    fn new(host: &Host) -> Self {
        SearchFiles { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        vec![self.files.read_path(&args.path)]
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Placed<Output>, ToolError> {
        let door = self.files.door(cx);
        let options = WalkOptions { hidden: args.all_files, ignore: !args.all_files, max_depth: None };
        let found = match args.target {
            SearchTarget::Files => names(&args, &door, options),
            SearchTarget::Content => content(&args, &door, options),
        };
        placed(&door, with_similar_names(found, &door, &args.path))
    }

    fn examples() -> Vec<Example> {
        const FILES: &[(&str, &str)] =
            &[("src/main.rs", "fn main() {\n    run();\n}\n"), ("README.md", "Run it.\n")];
        vec![
            Example::succeeds(
                "lines that match, with their numbers",
                json!({"pattern": "fn \\w+\\("}),
                json!({"matches": "src/main.rs\n1:fn main() {\n", "total": 1, "truncated": false}),
            )
            .with_files(FILES),
            Example::succeeds(
                "files by glob",
                json!({"pattern": "*.md", "target": "files"}),
                json!({"files": ["README.md"], "total": 1}),
            )
            .with_files(FILES),
            Example::fails(
                "a pattern that is no regular expression",
                json!({"pattern": "main("}),
                ErrorCode::InvalidArgument,
            )
            .with_files(FILES),
        ]
    }
}

fn content(args: &Args, door: &FileDoor<'_>, options: WalkOptions) -> Result<Output, ToolError> {
    let case = if args.ignore_case { Case::Ignored } else { Case::Sensitive };
    let question = Arc::new(Question {
        pattern: Pattern::new(&args.pattern, case, args.multiline)?,
        filter: filter(args)?,
        context: if args.output_mode == OutputMode::Content { args.context } else { 0 },
        multiline: args.multiline,
        keep: if args.output_mode == OutputMode::Content { args.offset + args.limit } else { 0 },
    });
    let make = || ContentVisitor::new(Arc::clone(&question));
    let mut walked = door.walk(&args.path, options, make)?;
    let binary: usize = walked.visitors.iter().map(|visitor| visitor.binary).sum();
    let binary_hits: usize = walked.visitors.iter().map(|visitor| visitor.binary_hits).sum();
    walked.unreadable.extend(in_part(&mut walked.visitors));
    let (hits, _) = merge(walked.visitors);
    let lines: usize = hits.values().map(|file| file.total).sum();
    let mut output = Output {
        hint: not_shown(if hits.is_empty() { binary } else { binary_hits }),
        files_with_matches: hits.len(),
        unreadable: unreadable(&args.path, &walked.unreadable),
        ..Output::default()
    };
    let of_files = |hits: &BTreeMap<PathBuf, FileHits>| -> Vec<(String, usize)> {
        let page = hits.iter().skip(args.offset).take(args.limit);
        page.map(|(path, file)| (usable(&args.path, path), file.total)).collect()
    };
    match args.output_mode {
        OutputMode::Content => {
            output.matches = Some(text(args, &hits));
            output.total = lines;
        }
        OutputMode::FilesOnly => {
            output.files = Some(of_files(&hits).into_iter().map(|(path, _)| path).collect());
            output.total = hits.len();
        }
        OutputMode::Count => {
            output.counts = Some(of_files(&hits).into_iter().collect());
            output.total = hits.len();
        }
    }
    Ok(paged(output, args))
}

fn not_shown(binary: usize) -> Option<String> {
    match binary {
        0 => None,
        1 => Some("One file is no text; nothing of it is shown.".to_owned()),
        _ => Some(format!("{binary} files are no text; of such files nothing is shown.")),
    }
}

fn names(args: &Args, door: &FileDoor<'_>, options: WalkOptions) -> Result<Output, ToolError> {
    let pattern = Filter::or_negated(&args.pattern, "pattern")?;
    let also = filter(args)?;
    let accepts = |path: &Path, kind: EntryKind| {
        kind != EntryKind::Folder
            && pattern.matches(path)
            && also.as_ref().is_none_or(|also| also.matches(path))
    };
    let walked = door.walk(&args.path, options, || NameVisitor::new(&accepts))?;
    let (found, _) = names::merge(walked.visitors);
    let page = found.iter().skip(args.offset).take(args.limit);
    let output = Output {
        files: Some(page.map(|path| usable(&args.path, path)).collect()),
        total: found.len(),
        files_with_matches: found.len(),
        unreadable: unreadable(&args.path, &walked.unreadable),
        ..Output::default()
    };
    Ok(paged(output, args))
}

fn filter(args: &Args) -> Result<Option<Filter>, ToolError> {
    args.file_glob.as_deref().map(|glob| Filter::or_negated(glob, "file_glob")).transpose()
}

/// Says whether there is more, and where it begins.
fn paged(output: Output, args: &Args) -> Output {
    let next = args.offset + args.limit;
    let more = next < output.total;
    let beyond = (output.total > 0 && args.offset >= output.total)
        .then(|| format!("There are {} results, and offset skips all of them.", output.total));
    Output { truncated: more, next_offset: more.then_some(next), hint: output.hint.or(beyond), ..output }
}

/// The lines of one page, each file's below its path.
fn text(args: &Args, hits: &BTreeMap<PathBuf, FileHits>) -> String {
    let Args { offset, limit, context, .. } = *args;
    let mut text = String::new();
    let mut before = 0;
    for (path, file) in hits {
        let (from, to) = (offset.saturating_sub(before), (offset + limit).saturating_sub(before));
        before += file.total;
        if from >= file.total || to == 0 {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&usable(&args.path, path));
        text.push('\n');
        let mut index = 0_usize;
        let mut last = 0;
        for line in &file.lines {
            let of_match = if line.role == Role::After { index.saturating_sub(1) } else { index };
            if (from..to).contains(&of_match) {
                if last > 0 && line.number > last + 1 && context > 0 {
                    text.push_str("--\n");
                }
                let mark = if line.role == Role::Match { ':' } else { '-' };
                text.push_str(&format!("{}{mark}{}\n", line.number, line.text));
                last = line.number;
            }
            index += usize::from(line.role == Role::Match);
        }
    }
    text
}

fn here() -> String {
    ".".to_owned()
}

fn default_limit() -> usize {
    50
}

register_tool!(Blocking<SearchFiles>);
