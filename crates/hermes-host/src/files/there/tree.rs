//! Everything below a folder over there.

use std::collections::HashMap;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use hermes_core::ToolError;

use super::answer::Record;
use super::complaints::complaint;
use super::located::What;
use super::scripts::{EACH, READ_MANY, TREE};
use super::side::{Question, Side};
use crate::terminal::quoted_text;
use crate::workspace::{Entry, ListOptions, Unreadable, WalkOptions, changed};

/// A tree with more is cut.
const MAX_ENTRIES: usize = 100_000;

/// What to look at.
#[derive(Clone, Copy)]
pub(super) struct TreeOptions {
    depth: Option<usize>,
    pub(super) hidden: bool,
    pub(super) ignore: bool,
    /// Whether to ask where links lead.
    links: bool,
    /// Whether the ignore rules of the folders above hold too.
    above: bool,
}

impl From<ListOptions> for TreeOptions {
    fn from(options: ListOptions) -> Self {
        let ListOptions { depth, hidden, ignore } = options;
        TreeOptions { depth: Some(depth), hidden, ignore, links: true, above: false }
    }
}

impl From<WalkOptions> for TreeOptions {
    fn from(options: WalkOptions) -> Self {
        let WalkOptions { max_depth, hidden, ignore } = options;
        TreeOptions { depth: max_depth, hidden, ignore, links: false, above: ignore }
    }
}

/// What there is.
#[derive(Default)]
pub(super) struct Tree {
    /// In the order of paths, relative to the folder.
    pub(super) entries: Vec<Entry>,
    pub(super) unreadable: Vec<Unreadable>,
    /// Texts of ignore rules above the folder, outermost first, each with the folder it holds in.
    pub(super) above: Vec<(PathBuf, Vec<u8>)>,
    pub(super) cut: bool,
    /// The link whose target comes next.
    link: Option<PathBuf>,
    targets: HashMap<PathBuf, PathBuf>,
}

impl Tree {
    fn take(&mut self, root: &Path, Record { bytes, words }: Record) -> ControlFlow<()> {
        let path = || PathBuf::from(OsString::from_vec(bytes.clone()));
        match words.split_once(' ').unwrap_or((&words, "")) {
            ("end", _) => {}
            ("link", _) => self.link = Some(path()),
            ("to", _) => self.targets.extend(self.link.take().map(|link| (link, path()))),
            ("rules", words) => {
                let levels = words.split(' ').next().and_then(|levels| levels.parse().ok());
                let folder = levels.and_then(|levels: usize| root.ancestors().nth(levels));
                self.above.extend(folder.map(|folder| (folder.to_owned(), bytes)));
            }
            _ => {
                if self.entries.len() >= MAX_ENTRIES {
                    self.cut = true;
                    return ControlFlow::Break(());
                }
                let path = path();
                if let (Some(what), Ok(inside)) = (What::read(&words), path.strip_prefix(root)) {
                    let What { kind, mode, size, modified, .. } = what;
                    self.entries.push(Entry {
                        path: inside.to_owned(),
                        kind,
                        size,
                        modified,
                        mode,
                        target: None,
                    });
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Side<'_> {
    /// Looks at everything below a judged folder.
    pub(super) async fn tree(&self, root: &Path, options: TreeOptions) -> Result<Tree, ToolError> {
        let depth = options.depth.map(|depth| depth.to_string()).unwrap_or_default();
        let flag = |on: bool| if on { "y" } else { "" }.as_bytes();
        let skip = match (options.hidden, options.ignore) {
            (false, _) => "hidden",
            (true, true) => "git",
            (true, false) => "",
        };
        let words = [
            root.as_os_str().as_bytes(),
            depth.as_bytes(),
            skip.as_bytes(),
            flag(options.links),
            flag(options.above),
        ];
        let mut tree = Tree::default();
        let (mut answered, mut replaced) = (false, false);
        let mut take = |record: Record| {
            answered = true;
            replaced |= record.words == "changed";
            tree.take(root, record)
        };
        let sent = self.stream(&Question::new(TREE, &words), &mut take).await?;
        if replaced {
            return Err(changed(root));
        }
        if !answered {
            return Err(complaint("list", root, &sent));
        }
        tree.above.reverse();
        for entry in &mut tree.entries {
            entry.target = tree.targets.remove(&root.join(&entry.path));
        }
        tree.entries.sort_by(|a, b| a.path.cmp(&b.path));
        tree.unreadable = unreadable(root, &sent.complaints);
        Ok(tree)
    }

    /// The contents of many files, in their order; `None` for one that cannot be read any more.
    pub(super) async fn many(
        &self,
        paths: &[PathBuf],
        most: u64,
        each: &mut (dyn FnMut(usize, Option<Vec<u8>>) -> ControlFlow<()> + Send),
    ) -> Result<(), ToolError> {
        if paths.is_empty() {
            return Ok(());
        }
        let script = format!("EACH={}\n{READ_MANY}", quoted_text(EACH));
        let count = most.to_string();
        let content: Vec<u8> =
            paths.iter().flat_map(|path| path.as_os_str().as_bytes().iter().copied().chain([0])).collect();
        let room = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(4_096);
        let words = [count.as_bytes()];
        let question = Question { content: &content, most: room, ..Question::new(&script, &words) };
        let mut index = 0;
        let mut stopped = false;
        let mut take = |Record { bytes, words }: Record| {
            let flow = match words.as_str() {
                "end" => ControlFlow::Continue(()),
                _ => each(index, (words == "content").then_some(bytes)),
            };
            index += 1;
            stopped = flow.is_break();
            flow
        };
        let sent = self.stream(&question, &mut take).await?;
        match paths.first() {
            Some(first) if index < paths.len() && !stopped => Err(complaint("read", first, &sent)),
            _ => Ok(()),
        }
    }
}

/// Folders that `find` could not look into, by what it says about them.
fn unreadable(root: &Path, complaints: &str) -> Vec<Unreadable> {
    let read = |line: &str| {
        let (path, reason) = line.strip_prefix("find: ")?.rsplit_once(": ")?;
        let path = Path::new(path.trim_matches('\'')).strip_prefix(root).ok()?.to_owned();
        Some(Unreadable { path, reason: reason.to_lowercase() })
    };
    let mut found: Vec<Unreadable> = complaints.lines().filter_map(read).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}
