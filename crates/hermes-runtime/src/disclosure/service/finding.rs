//! From a query to the tools that fit it.

use std::time::Instant;

use hermes_search::{Fit, Library, Method, Query, Scope};

use super::{Found, ToolSearch};
use crate::disclosure::deferred::Deferred;
use crate::disclosure::embedding::{AT_ONCE, embed};
use crate::disclosure::plan::is_deferrable;

/// Tools that an answer says need no search.
const MOST_DIRECT: usize = 3;

impl ToolSearch {
    /// The deferred tools that fit a query.
    pub fn find(&self, query: &Query<'_>, deferred: &Deferred) -> Found {
        let held = self.read();
        self.search(&held.library, query, &held.scope(deferred))
    }

    /// The tools that the session has without searching and that a query names, or that fit it better than anything
    /// that is deferred.
    pub(in crate::disclosure) fn direct<'a>(
        &self,
        query: &Query<'_>,
        deferred: &'a Deferred,
    ) -> Vec<&'a str> {
        let held = self.read();
        let scope = deferred.whole_scope(held.revision, || held.library.scope(deferred.all_names()));
        let found = self.search(&held.library, &Query { limit: MOST_DIRECT, ..*query }, &scope);
        let sure = match (found.fit, found.method) {
            (Fit::Good, Method::Meaning) => found.named.max(1),
            _ => found.named,
        };
        let tools = found.names.iter().take(sure).filter_map(|name| deferred.get(name));
        let direct = tools.filter(|tool| !is_deferrable(tool.entry.info()));
        direct.map(|tool| tool.shown_name.as_str()).collect()
    }

    /// Embeds what this query needs most, `most` at most and not for long, so that even a first search is ranked by
    /// meaning; how many those were.
    pub(in crate::disclosure) fn embed_first(
        &self,
        query: &Query<'_>,
        deferred: &Deferred,
        most: usize,
    ) -> usize {
        if !self.settings.encoder || most == 0 {
            return 0;
        }
        let mut wanted = {
            let held = self.read();
            held.library.wanted_first(query, &held.scope(deferred))
        };
        wanted.truncate(most);
        let begun = Instant::now();
        let in_time = wanted.chunks(AT_ONCE).take_while(|_| begun.elapsed() < self.settings.first_wait);
        in_time.filter(|some| embed(self, some)).map(<[_]>::len).sum()
    }

    /// The tools with these names that fit a query, for people who look at a catalog.
    pub fn find_among<'a>(&self, query: &Query<'_>, names: impl IntoIterator<Item = &'a str>) -> Found {
        let held = self.read();
        let scope = held.library.scope(names);
        self.search(&held.library, query, &scope)
    }

    fn search(&self, library: &Library, query: &Query<'_>, scope: &Scope) -> Found {
        let words_only = query.words_only || !self.settings.encoder;
        let uses = self.settings.learn.then(|| self.uses());
        let learned = uses.as_ref().map(|uses| uses.learned.tools_for(query.text)).unwrap_or_default();
        let answer = library.search(&Query { words_only, learned: &learned, ..*query }, scope);
        let named = answer.hits.iter().take_while(|hit| hit.exact).count();
        let names = answer.hits.into_iter().map(|hit| hit.name).collect();
        Found { names, named, method: answer.method, fit: answer.fit }
    }
}
