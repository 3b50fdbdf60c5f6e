//! The service that a caller names: its tools come before others, if it has one that fits.

use crate::exact::Names;
use crate::index::{Scope, Slot};
use crate::tokens::{fold, is_stop_word, pieces};

/// Words that say of no server which one is meant.
const GENERAL: &[&str] = &["service", "services", "server", "servers", "mcp", "api", "tool", "tools", "app"];

/// The documents of a service.
pub(crate) enum OfService {
    /// It is a server.
    Server(Vec<Slot>),
    /// It is part of their names, as `jira` of `jira_create_issue`; so are words that say less.
    Named(Vec<Slot>),
}

impl Names {
    /// The documents of the scope that belong to a service: those of the servers that have all of its words, or
    /// if there is no such server, those that have them in their names. A text that only says what kind of
    /// service it is names none.
    pub(crate) fn of_service(&self, service: &str, scope: &Scope) -> OfService {
        let words: Vec<String> = pieces(service).map(|word| fold(word).into_owned()).collect();
        let telling = |word: &String| !GENERAL.contains(&word.as_str()) && !is_stop_word(word);
        let words: Vec<String> = words.into_iter().filter(telling).collect();
        if words.is_empty() {
            return OfService::Named(Vec::new());
        }
        let together = words.concat();
        let is_it = |key: &str| {
            words.iter().all(|word| key.split('_').any(|own| own == word)) || key.replace('_', "") == together
        };
        let of_servers = self.servers().filter(|(server, _)| is_it(server)).flat_map(|(_, slots)| slots);
        let found: Vec<Slot> = of_servers.copied().filter(|slot| scope.contains(*slot)).collect();
        if !found.is_empty() {
            return OfService::Server(found);
        }
        OfService::Named(scope.slots().filter(|slot| self.full(*slot).is_some_and(is_it)).collect())
    }
}
