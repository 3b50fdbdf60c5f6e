//! The table of sensitive and protected places, read from its data file.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use hermes_core::Verdict;
use serde::Deserialize;

use super::folded::Folded;
use super::op::{PathOp, Side};
use super::pattern::PathPattern;
use super::places::{Door, Holder, Places};

/// A list of entries; all that match count, and the strictest decides.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Entry>,
    /// Which entries have a pattern with this name in it.
    by_name: HashMap<String, Vec<usize>>,
    /// Patterns without any whole name, with the entry they belong to.
    nameless: Vec<(usize, PathPattern)>,
}

/// One kind of place.
#[derive(Clone, Debug)]
pub struct Entry {
    pub category: String,
    pub reason: String,
    pub look: Verdict,
    pub read: Verdict,
    pub write: Verdict,
    pub delete: Verdict,
    pub paths: Vec<PathPattern>,
    /// Not this kind of place after all.
    except: Vec<PathPattern>,
    /// May be looked at and read.
    readable: Vec<PathPattern>,
    /// Mere streams for a command.
    streams: Vec<PathPattern>,
    /// Does not hold where a workspace was opened inside the place itself.
    yields: bool,
    pub stops: Vec<Example>,
    pub passes: Vec<Example>,
}

/// What the verdict on a path depends on beside the path.
pub(super) struct Around {
    door: Door,
    /// The opened folders that hold the path.
    opened: Vec<Folded>,
    /// Whether the path lies in the workspace or in a temporary folder.
    is_for_work: bool,
}

impl Around {
    pub(super) fn of(path: &Path, places: &Places) -> Self {
        let roots = places.roots.iter().filter(|root| path.starts_with(root));
        Around {
            door: places.door,
            opened: roots.map(|root| Folded::new(root, places)).collect(),
            is_for_work: matches!(places.holding(path), Some(Holder::Root | Holder::Temp)),
        }
    }
}

/// An operation on a path that the entry must, or must not, stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub op: PathOp,
    pub path: String,
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError(String);

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TableError {}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    #[default]
    Allow,
    Ask,
    Deny,
}

impl From<Word> for Verdict {
    fn from(word: Word) -> Verdict {
        match word {
            Word::Allow => Verdict::Allow,
            Word::Ask => Verdict::Ask,
            Word::Deny => Verdict::Deny,
        }
    }
}

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    category: String,
    reason: String,
    #[serde(default)]
    look: Word,
    #[serde(default)]
    read: Word,
    #[serde(default)]
    write: Word,
    /// As `write` where nothing is said.
    delete: Option<Word>,
    paths: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    readable: Vec<String>,
    #[serde(default)]
    streams: Vec<String>,
    #[serde(default)]
    yields: bool,
    stops: Vec<String>,
    passes: Vec<String>,
}

impl Table {
    pub fn parse(yaml: &str) -> Result<Table, TableError> {
        let written: Vec<Written> =
            serde_saphyr::from_str(yaml).map_err(|error| TableError(error.to_string()))?;
        let entries: Vec<Entry> = written.into_iter().map(Entry::read).collect::<Result<_, _>>()?;
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut nameless = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            for pattern in &entry.paths {
                match pattern.key() {
                    Some(key) => by_name.entry(key.to_owned()).or_default().push(index),
                    None => nameless.push((index, pattern.clone())),
                }
            }
        }
        by_name.values_mut().for_each(Vec::dedup);
        Ok(Table { entries, by_name, nameless })
    }

    /// The entries that may match the path, and surely all that do.
    pub(super) fn candidates(&self, path: &Folded, op: PathOp) -> impl Iterator<Item = &Entry> {
        let all = op.moves_folders() || op == PathOp::Search;
        let mut wanted = vec![all; self.entries.len()];
        let named = path.names().iter().filter_map(|name| self.by_name.get(name)).flatten();
        let nameless =
            self.nameless.iter().filter(|(_, pattern)| pattern.matches(path)).map(|(index, _)| index);
        for index in named.chain(nameless) {
            if let Some(wanted) = wanted.get_mut(*index) {
                *wanted = true;
            }
        }
        self.entries.iter().zip(wanted).filter_map(|(entry, wanted)| wanted.then_some(entry))
    }

    /// The shipped table. That it can be read is tested; a build where it cannot be refuses every path.
    pub fn shipped() -> Option<&'static Table> {
        static SHIPPED: OnceLock<Option<Table>> = OnceLock::new();
        SHIPPED.get_or_init(|| Table::parse(super::TABLE).ok()).as_ref()
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

impl Entry {
    fn read(written: Written) -> Result<Entry, TableError> {
        let patterns = |texts: &[String]| {
            let mut patterns = Vec::new();
            for text in texts {
                let read = PathPattern::parse(text);
                patterns.extend(read.map_err(|error| TableError(format!("{}: {error}", written.category)))?);
            }
            Ok(patterns)
        };
        let examples =
            |texts: &[String]| texts.iter().map(|text| Example::read(text)).collect::<Result<_, _>>();
        Ok(Entry {
            look: written.look.into(),
            read: written.read.into(),
            write: written.write.into(),
            delete: written.delete.unwrap_or(written.write).into(),
            paths: patterns(&written.paths)?,
            except: patterns(&written.except)?,
            readable: patterns(&written.readable)?,
            streams: patterns(&written.streams)?,
            yields: written.yields,
            stops: examples(&written.stops)?,
            passes: examples(&written.passes)?,
            category: written.category,
            reason: written.reason,
        })
    }

    /// The places that are not free for files to be read or written.
    pub(crate) fn patterns(&self) -> &[PathPattern] {
        match self.read.max(self.write) {
            Verdict::Allow => &[],
            Verdict::Ask | Verdict::Deny => &self.paths,
        }
    }

    /// What this entry alone says to an operation on a path.
    pub fn judge(&self, path: &Path, op: PathOp, places: &Places) -> Verdict {
        let (folded, around) = (Folded::new(path, places), Around::of(path, places));
        let copied = folded.original().map(|original| self.verdict(&original, op, &around));
        self.verdict(&folded, op, &around).max(copied.unwrap_or(Verdict::Allow))
    }

    pub(super) fn verdict(&self, path: &Folded, op: PathOp, around: &Around) -> Verdict {
        let any =
            |patterns: &[PathPattern], path: &Folded| patterns.iter().any(|pattern| pattern.matches(path));
        // Elsewhere than in the workspace, whoever searches a folder of credentials is after them.
        let as_whole = op.moves_folders() || (op == PathOp::Search && !around.is_for_work);
        let found =
            any(&self.paths, path) || (as_whole && self.paths.iter().any(|pattern| pattern.lies_below(path)));
        if !found || any(&self.except, path) {
            return Verdict::Allow;
        }
        if self.yields && around.opened.iter().any(|root| any(&self.paths, root)) {
            return Verdict::Allow;
        }
        let is_stream = around.door == Door::Shell && any(&self.streams, path);
        let is_readable = any(&self.readable, path);
        let sides = op.sides().iter().map(|side| match side {
            Side::Look | Side::Read if is_readable || is_stream => Verdict::Allow,
            Side::Write if is_stream => Verdict::Allow,
            Side::Look => self.look,
            Side::Read => self.read,
            Side::Write => self.write,
            Side::Delete => self.delete,
        });
        sides.max().unwrap_or(Verdict::Allow)
    }
}

impl Example {
    fn read(text: &str) -> Result<Example, TableError> {
        let example = text
            .split_once(' ')
            .and_then(|(op, path)| Some(Example { op: PathOp::named(op)?, path: path.trim().to_owned() }));
        example.ok_or_else(|| TableError(format!("'{text}' is no example: write an operation and a path")))
    }
}
