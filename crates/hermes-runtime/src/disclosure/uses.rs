//! What sessions searched for and were shown, until a tool is called.

use std::collections::VecDeque;

use hermes_search::Learned;
use serde::{Deserialize, Serialize};

/// Sessions whose searches are remembered.
const MOST_SESSIONS: usize = 1_000;
/// Searches of one session: those of a batch and a few before.
const MOST_SEARCHES: usize = 16;

/// The same where they are kept for the next process: a session that pauses comes back soon.
const MOST_KEPT_SESSIONS: usize = 32;
const MOST_KEPT_SEARCHES: usize = 4;
/// Letters of a query that is kept.
const LONGEST_KEPT: usize = 400;

/// Searches that may still lead to a tool, and what was learned from those that did.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The session that searched last is at the end.
    sessions: VecDeque<Searches>,
    pub(super) learned: Learned,
}

#[derive(Debug, Serialize, Deserialize)]
struct Searches {
    session: String,
    /// The newest last.
    searches: VecDeque<Search>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Search {
    query: String,
    /// The names that were answered.
    shown: Vec<String>,
}

impl Uses {
    /// Takes in what processes before this one have kept.
    pub(super) fn read(&mut self, learned: Option<Vec<u8>>, searches: Option<Vec<u8>>) {
        if let Some(learned) = learned.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            self.learned = learned;
        }
        self.sessions = kept(searches);
    }

    /// The searches of a session as bytes, beside those that other processes have kept.
    pub(super) fn searches(&self, session: &str, others: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let own = self.sessions.iter().find(|known| known.session == session)?;
        let newest = own.searches.len().saturating_sub(MOST_KEPT_SEARCHES);
        let short = |search: &Search| search.query.chars().nth(LONGEST_KEPT).is_none();
        let searches = own.searches.iter().skip(newest).filter(|search| short(search)).cloned().collect();
        let mut all = kept(others);
        all.retain(|known| known.session != session);
        all.push_back(Searches { session: session.to_owned(), searches });
        while all.len() > MOST_KEPT_SESSIONS {
            all.pop_front();
        }
        serde_json::to_vec(&all).ok()
    }

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

/// What a file of searches holds; one that cannot be read holds none.
fn kept(bytes: Option<Vec<u8>>) -> VecDeque<Searches> {
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}
