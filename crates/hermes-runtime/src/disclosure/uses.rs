//! What sessions searched for and were shown, until a tool is called.

use std::collections::VecDeque;

use hermes_search::Learned;

/// Sessions whose searches are remembered.
const MOST_SESSIONS: usize = 1_000;
/// Searches of one session: those of a batch and a few before.
const MOST_SEARCHES: usize = 16;

/// Searches that may still lead to a tool, and what was learned from those that did.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The session that searched last is at the end.
    sessions: VecDeque<Searches>,
    pub(super) learned: Learned,
}

#[derive(Debug)]
struct Searches {
    session: String,
    /// The newest last.
    searches: VecDeque<Search>,
}

#[derive(Debug)]
struct Search {
    query: String,
    /// The names that were answered.
    shown: Vec<String>,
}

impl Uses {
    pub(super) fn searched(&mut self, session: &str, query: &str, shown: &[String]) {
        let at = self.sessions.iter().position(|known| known.session == session);
        let known = at.and_then(|at| self.sessions.remove(at));
        let mut own =
            known.unwrap_or_else(|| Searches { session: session.to_owned(), searches: VecDeque::new() });
        own.searches.retain(|search| search.query != query);
        own.searches.push_back(Search { query: query.to_owned(), shown: shown.to_vec() });
        if own.searches.len() > MOST_SEARCHES {
            own.searches.pop_front();
        }
        self.sessions.push_back(own);
        if self.sessions.len() > MOST_SESSIONS {
            self.sessions.pop_front();
        }
    }

    /// The search that showed the tool best, the newest of equals, has found what it was after; whether that is
    /// news.
    pub(super) fn used(&mut self, session: &str, tool: &str) -> bool {
        let Some(own) = self.sessions.iter_mut().find(|known| known.session == session) else { return false };
        let place = |search: &Search| search.shown.iter().position(|name| name == tool);
        let showed =
            own.searches.iter().enumerate().rev().filter_map(|(at, search)| Some((place(search)?, at)));
        let Some((_, at)) = showed.min_by_key(|(place, _)| *place) else { return false };
        own.searches.remove(at).is_some_and(|search| self.learned.remember(tool, &search.query))
    }
}
