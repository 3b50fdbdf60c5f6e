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
    /// Which patterns have this name in them.
    by_name: HashMap<String, Vec<Spot>>,
    /// Those without any whole name.
    nameless: Vec<Spot>,
}

/// Where a pattern is: its entry, and its place there.
type Spot = (usize, usize);

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

/// What the verdict on a path depends on beside the path. Few entries ask, so nothing is worked out before.
pub(super) struct Around<'a> {
    path: &'a Path,
    places: &'a Places,
}

impl<'a> Around<'a> {
    pub(super) fn of(path: &'a Path, places: &'a Places) -> Self {
        Around { path, places }
    }

    /// The opened folders that hold the path.
    fn opened(&self) -> impl Iterator<Item = Folded> {
        let roots = self.places.roots.iter().filter(|root| self.path.starts_with(root));
        roots.map(|root| Folded::new(root, self.places))
    }

    /// Whether a folder is taken together with what is in it.
    fn as_whole(&self, op: PathOp) -> bool {
        // Elsewhere than in the workspace, whoever searches a folder of credentials is after them.
        let is_for_work = || matches!(self.places.holding(self.path), Some(Holder::Root | Holder::Temp));
        op.moves_folders() || (op == PathOp::Search && !is_for_work())
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
        let mut by_name: HashMap<String, Vec<Spot>> = HashMap::new();
        let mut nameless = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            for (place, pattern) in entry.paths.iter().enumerate() {
                match pattern.key() {
                    Some(key) => by_name.entry(key.to_owned()).or_default().push((index, place)),
                    None => nameless.push((index, place)),
                }
            }
        }
        Ok(Table { entries, by_name, nameless })
    }

    /// The entries that are about the path, in their order.
    pub(super) fn about(&self, path: &Folded, op: PathOp, around: &Around<'_>) -> Vec<&Entry> {
        if around.as_whole(op) {
            return self.entries.iter().filter(|entry| entry.is_about(path, true)).collect();
        }
        let named = path.names().iter().filter_map(|name| self.by_name.get(name)).flatten();
        let mut found: Vec<usize> = Vec::new();
        for (index, place) in named.chain(&self.nameless) {
            let pattern = self.entries.get(*index).and_then(|entry| entry.paths.get(*place));
            if !found.contains(index) && pattern.is_some_and(|pattern| pattern.matches(path)) {
                found.push(*index);
            }
        }
        found.sort_unstable();
        found.into_iter().filter_map(|index| self.entries.get(index)).collect()
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

    fn verdict(&self, path: &Folded, op: PathOp, around: &Around<'_>) -> Verdict {
        match self.is_about(path, around.as_whole(op)) {
            true => self.says(path, op, around),
            false => Verdict::Allow,
        }
    }

    fn is_about(&self, path: &Folded, as_whole: bool) -> bool {
        any(&self.paths, path) || (as_whole && self.paths.iter().any(|pattern| pattern.lies_below(path)))
    }

    /// The same where the entry is about the path.
    pub(super) fn says(&self, path: &Folded, op: PathOp, around: &Around<'_>) -> Verdict {
        let is_yielding = || self.yields && around.opened().any(|root| any(&self.paths, &root));
        if any(&self.except, path) || is_yielding() {
            return Verdict::Allow;
        }
        let is_stream = around.places.door == Door::Shell && any(&self.streams, path);
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

fn any(patterns: &[PathPattern], path: &Folded) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

impl Example {
    fn read(text: &str) -> Result<Example, TableError> {
        let example = text
            .split_once(' ')
            .and_then(|(op, path)| Some(Example { op: PathOp::named(op)?, path: path.trim().to_owned() }));
        example.ok_or_else(|| TableError(format!("'{text}' is no example: write an operation and a path")))
    }
}
