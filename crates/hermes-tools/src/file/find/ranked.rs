//! Paths by how well they fit half-remembered names.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use hermes_host::workspace::{EntryKind, Visit, Visitor};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::pattern::Case;

/// A path and how well it fits; higher is better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranked {
    pub(crate) score: u32,
    pub(crate) path: PathBuf,
}

impl Ranked {
    /// Best first; where two fit alike the shorter one, then by letters.
    fn key(&self) -> (std::cmp::Reverse<u32>, usize, &OsStr) {
        let path = self.path.as_os_str();
        (std::cmp::Reverse(self.score), path.len(), path)
    }
}

/// One thread's part of a fuzzy search.
pub(crate) struct FuzzyVisitor {
    pattern: Arc<Pattern>,
    wanted: Option<EntryKind>,
    keep: usize,
    matcher: Matcher,
    letters: Vec<char>,
    pub(crate) best: Vec<Ranked>,
    pub(crate) total: usize,
    pub(crate) searched: usize,
}

pub(crate) fn pattern(query: &str, case: Case) -> Arc<Pattern> {
    let case = match case {
        Case::Sensitive => CaseMatching::Respect,
        Case::Ignored => CaseMatching::Ignore,
        Case::Smart => CaseMatching::Smart,
    };
    Arc::new(Pattern::parse(query, case, Normalization::Smart))
}

impl FuzzyVisitor {
    pub(crate) fn new(pattern: Arc<Pattern>, wanted: Option<EntryKind>, keep: usize) -> Self {
        let matcher = Matcher::new(Config::DEFAULT.match_paths());
        FuzzyVisitor {
            pattern,
            wanted,
            keep,
            matcher,
            letters: Vec::new(),
            best: Vec::new(),
            total: 0,
            searched: 0,
        }
    }
}

impl Visitor for FuzzyVisitor {
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()> {
        self.searched += 1;
        if self.wanted.is_some_and(|wanted| wanted != visit.kind) {
            return ControlFlow::Continue(());
        }
        let path = visit.named();
        let path = path.to_string_lossy();
        let letters = Utf32Str::new(&path, &mut self.letters);
        if let Some(score) = self.pattern.score(letters, &mut self.matcher) {
            self.total += 1;
            self.best.push(Ranked { score, path: visit.path.to_owned() });
            if self.best.len() >= 2 * self.keep + 100 {
                best_first(&mut self.best, self.keep);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Sorts and cuts.
pub(crate) fn best_first(ranked: &mut Vec<Ranked>, keep: usize) {
    ranked.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
    ranked.truncate(keep);
}
