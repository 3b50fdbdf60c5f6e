//! Names that stand in a query, in whatever spelling: these tools come first, whatever the scores say.

use std::collections::HashMap;

use crate::document::Document;
use crate::encoder::is_word;
use crate::index::{Scope, Slot};
use crate::mentions::{Manner, Mention, mentions};
use crate::tokens::{fold, pieces, words as words_of};

/// How sure a name in a query is meant: the whole name, the server and the tool, or the tool alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    Full,
    WithServer,
    Bare,
}

/// A plain word of a sentence names a tool only if it is the name of few.
const MOST_MEANT: usize = 3;

/// Where the bare name stands among the keys of a document.
const BARE: usize = 2;

/// Every name of every document, spelled `like_this`.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By the name spelled `likethis`: whoever writes a name in one case loses where its words begin.
    by_key: HashMap<String, Vec<(Grade, Slot)>>,
    keys: Vec<Vec<String>>,
    servers: HashMap<String, Vec<Slot>>,
    /// Names like `getComments` by their letters in lower case.
    humped: HashMap<String, Vec<Slot>>,
}

impl Names {
    pub(crate) fn add(&mut self, slot: Slot, document: &Document) {
        let bare = key(&document.bare);
        let mut own = vec![(Grade::Full, key(&document.name))];
        own.push((Grade::WithServer, format!("{}_{bare}", key(&document.server))));
        own.push((Grade::Bare, bare));
        own.extend(document.aliases.iter().map(|alias| (Grade::Full, key(alias))));
        for (grade, key) in &own {
            let slots = self.by_key.entry(run_together(key)).or_default();
            let at = slots.partition_point(|held| *held < (*grade, slot));
            slots.insert(at, (*grade, slot));
        }
        self.servers.entry(key(&document.server)).or_default().push(slot);
        if is_humped(&document.bare) {
            self.humped.entry(document.bare.to_ascii_lowercase()).or_default().push(slot);
        }
        let place = slot as usize;
        if self.keys.len() <= place {
            self.keys.resize_with(place + 1, Vec::new);
        }
        if let Some(keys) = self.keys.get_mut(place) {
            *keys = own.into_iter().map(|(_, key)| key).collect();
        }
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        for key in self.keys.get_mut(slot as usize).map(std::mem::take).unwrap_or_default() {
            let key = run_together(&key);
            if let Some(slots) = self.by_key.get_mut(&key) {
                slots.retain(|(_, held)| *held != slot);
                if slots.is_empty() {
                    self.by_key.remove(&key);
                }
            }
        }
        for held in [&mut self.servers, &mut self.humped] {
            held.retain(|_, slots| {
                slots.retain(|held| *held != slot);
                !slots.is_empty()
            });
        }
    }

    /// Every server with its documents.
    pub(crate) fn servers(&self) -> impl Iterator<Item = (&str, &[Slot])> {
        self.servers.iter().map(|(server, slots)| (server.as_str(), slots.as_slice()))
    }

    /// The whole name, spelled as all names here.
    pub(crate) fn full(&self, slot: Slot) -> Option<&str> {
        self.keys.get(slot as usize)?.first().map(String::as_str)
    }

    /// The tool's name without its server, spelled as all names here.
    pub(crate) fn bare(&self, slot: Slot) -> Option<&str> {
        self.keys.get(slot as usize)?.get(BARE).map(String::as_str)
    }

    /// The documents of the server whose name is the whole query.
    pub(crate) fn of_server(&self, query: &str) -> &[Slot] {
        self.servers.get(&key(query)).map_or(&[], Vec::as_slice)
    }

    /// The documents of the scope that the query names: each with the place of its name in the query and
    /// the grade of the match, so that namesakes can be told apart by more than their name.
    pub(crate) fn named_in(&self, query: &str, scope: &Scope) -> Vec<(usize, Grade, Slot)> {
        let mut named: Vec<(usize, Grade, Slot)> = Vec::new();
        let is_name = |name: &str| !self.spelled(name, scope).is_empty();
        let is_run_together = |name: &str| self.is_run_together(name, scope);
        for Mention { place, name, manner } in mentions(query, &is_name, &is_run_together) {
            let found = self.spelled(name, scope);
            for (grade, slot) in &found {
                let is_meant = match manner {
                    Manner::Written => true,
                    Manner::Quoted => *grade == Grade::Full,
                    Manner::Spoken => found.len() <= MOST_MEANT,
                };
                if is_meant && named.iter().all(|(_, _, known)| known != slot) {
                    named.push((place, *grade, *slot));
                }
            }
        }
        named
    }

    /// Whether a word is a name like `getComments` in one case, and no word of English. Names of other kinds, as
    /// `live_score`, are words that people write as one.
    fn is_run_together(&self, word: &str, scope: &Scope) -> bool {
        let word = fold(word);
        let slots = self.humped.get(word.as_ref()).filter(|_| !is_word(&word));
        slots.is_some_and(|slots| slots.iter().any(|slot| scope.contains(*slot)))
    }

    /// The documents of the scope that have this name; those of the very spelling, or if there are none those
    /// whose words it runs together.
    fn spelled(&self, name: &str, scope: &Scope) -> Vec<(Grade, Slot)> {
        let key = key(name);
        let Some(held) = self.by_key.get(&run_together(&key)) else { return Vec::new() };
        let in_scope = || held.iter().filter(|(_, slot)| scope.contains(*slot)).copied();
        let has = |slot: Slot, fits: &dyn Fn(&String) -> bool| {
            self.keys.get(slot as usize).is_some_and(|keys| keys.iter().any(fits))
        };
        let same: Vec<_> = in_scope().filter(|(_, slot)| has(*slot, &|own| *own == key)).collect();
        if !same.is_empty() {
            return same;
        }
        in_scope().filter(|(_, slot)| has(*slot, &|own| runs_together(&key, own))).collect()
    }
}

/// Written `likeThis`, as programmers write names and nobody writes words.
fn is_humped(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        && name.contains(|letter: char| letter.is_ascii_uppercase())
}

/// A key without the marks between its words.
fn run_together(key: &str) -> String {
    key.replace('_', "")
}

/// Whether the words of `key` are those of `own`, some of them written as one. The other way round, `e-mail`
/// would name a tool `email`.
fn runs_together(key: &str, own: &str) -> bool {
    let mut left = key.chars().peekable();
    for letter in own.chars() {
        match left.peek() {
            Some(next) if *next == letter => {
                left.next();
            }
            _ if letter == '_' => {}
            _ => return false,
        }
    }
    left.next().is_none()
}

/// One spelling for `createIssue`, `create-issue` and `create_issue`.
fn key(name: &str) -> String {
    let all: Vec<_> = pieces(name).flat_map(words_of).map(|word| fold(word).into_owned()).collect();
    all.join("_")
}
