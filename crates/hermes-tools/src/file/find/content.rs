//! Lines that match, collected by several threads and put together in order.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};
use hermes_host::workspace::{EntryKind, Unreadable, Visit, Visitor};

use super::glob::Filter;
use super::line::shown;
use super::pattern::{Pattern, searcher};
use super::through::{search, why_in_part};

/// What to look for and how much of it to keep.
pub(crate) struct Question {
    pub(crate) pattern: Pattern,
    pub(crate) filter: Option<Filter>,
    pub(crate) context: usize,
    pub(crate) multiline: bool,
    /// So many matching lines, counted in the order of paths, can be shown; the others are only counted.
    pub(crate) keep: usize,
}

/// The matching lines of one file.
#[derive(Debug, Default)]
pub(crate) struct FileHits {
    /// How many there are.
    pub(crate) total: usize,
    /// The first of them.
    pub(crate) lines: Vec<HitLine>,
}

#[derive(Debug)]
pub(crate) struct HitLine {
    pub(crate) number: u64,
    pub(crate) text: String,
    pub(crate) role: Role,
}

/// What a line has to do with a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Match,
    /// Stands before the match that follows.
    Before,
    /// Stands after the match it follows.
    After,
}

/// One thread's part of a search.
pub(crate) struct ContentVisitor {
    question: Arc<Question>,
    searcher: Searcher,
    pub(crate) hits: BTreeMap<PathBuf, FileHits>,
    pub(crate) searched: usize,
    /// Files that are no text; nothing of them is shown.
    pub(crate) binary: usize,
    /// Those of them that have matches.
    pub(crate) binary_hits: usize,
    /// Files that were searched only in part.
    in_part: Vec<Unreadable>,
    /// Matching lines that are kept in `hits`.
    kept: usize,
}

impl ContentVisitor {
    pub(crate) fn new(question: Arc<Question>) -> Self {
        let searcher = searcher(question.context, question.multiline);
        ContentVisitor {
            question,
            searcher,
            hits: BTreeMap::new(),
            searched: 0,
            binary: 0,
            binary_hits: 0,
            in_part: Vec::new(),
            kept: 0,
        }
    }

    /// Lets go of lines that can no longer be among the first ones.
    fn forget(&mut self) {
        if self.kept <= 2 * self.question.keep + 1_000 {
            return;
        }
        let mut room = self.question.keep;
        self.kept = 0;
        for file in self.hits.values_mut() {
            if room == 0 {
                file.lines = Vec::new();
            }
            let matches = file.lines.iter().filter(|line| line.role == Role::Match).count();
            room = room.saturating_sub(matches);
            self.kept += matches;
        }
    }
}

impl Visitor for ContentVisitor {
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()> {
        if !self.wants(&visit.named(), visit.kind) {
            return ControlFlow::Continue(());
        }
        let Ok(Some(file)) = visit.open() else { return ControlFlow::Continue(()) };
        self.searched += 1;
        let mut sink = HitSink { question: &self.question, hits: FileHits::default(), binary: false };
        let searched = search((&mut self.searcher, &self.question.pattern), file, &mut sink);
        let HitSink { hits, binary, .. } = sink;
        self.binary += usize::from(binary);
        self.binary_hits += usize::from(binary && hits.total > 0);
        if let Err(error) = searched
            && !binary
            && visit.may_be_shown()
        {
            let reason = why_in_part(&error, self.question.multiline);
            self.in_part.push(Unreadable { path: visit.path.to_owned(), reason });
        }
        if hits.total > 0 && !binary && visit.may_be_shown() {
            self.kept += hits.lines.iter().filter(|line| line.role == Role::Match).count();
            self.hits.insert(visit.path.to_owned(), hits);
            self.forget();
        }
        ControlFlow::Continue(())
    }

    fn wants(&self, path: &Path, kind: EntryKind) -> bool {
        kind == EntryKind::File && self.question.filter.as_ref().is_none_or(|filter| filter.matches(path))
    }
}

struct HitSink<'a> {
    question: &'a Question,
    hits: FileHits,
    binary: bool,
}

impl HitSink<'_> {
    fn has_room(&self) -> bool {
        self.hits.total <= self.question.keep
    }
}

impl Sink for HitSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let first = found.line_number().unwrap_or(0);
        for (number, line) in (first..).zip(found.lines()) {
            self.hits.total += 1;
            if self.has_room() {
                let place = self.question.pattern.matcher.find(line).ok().flatten();
                let text = shown(line, place.map(|place| place.start()..place.end()));
                self.hits.lines.push(HitLine { number, text, role: Role::Match });
            }
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        if self.has_room() {
            let number = context.line_number().unwrap_or(0);
            let role = match context.kind() {
                SinkContextKind::After => Role::After,
                SinkContextKind::Before | SinkContextKind::Other => Role::Before,
            };
            self.hits.lines.push(HitLine { number, text: shown(context.bytes(), None), role });
        }
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> Result<bool, io::Error> {
        self.binary = true;
        Ok(false)
    }
}

/// The files that some thread searched only in part, in order.
pub(crate) fn in_part(visitors: &mut [ContentVisitor]) -> Vec<Unreadable> {
    let mut all: Vec<_> = visitors.iter_mut().flat_map(|visitor| visitor.in_part.drain(..)).collect();
    all.sort_by(|one, other| one.path.cmp(&other.path));
    all
}

/// Puts the parts of all threads together.
pub(crate) fn merge(visitors: Vec<ContentVisitor>) -> (BTreeMap<PathBuf, FileHits>, usize) {
    let searched = visitors.iter().map(|visitor| visitor.searched).sum();
    (visitors.into_iter().flat_map(|visitor| visitor.hits).collect(), searched)
}
