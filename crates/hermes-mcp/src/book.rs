//! The names that everything of all servers has here, made anew whenever more is known of one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::mpsc;

use crate::client::Server;
use crate::manifest::Record;
use crate::names::{Assigned, Claim, assign};
use crate::utility::Utility;

/// All servers of a process, by name.
pub(crate) type Servers = RwLock<BTreeMap<String, Arc<Server>>>;

/// The names of all servers' tools and prompts.
pub(crate) struct NameBook {
    servers: Arc<Servers>,
    written: Mutex<Option<Written>>,
    /// Hears of a server whose tools have other names because of another's.
    changed: mpsc::UnboundedSender<String>,
}

/// The servers with what is known of each, and the names that follow from it.
struct Written {
    known: Vec<Known>,
    names: Arc<Names>,
}

type Known = (Arc<Server>, Option<Arc<Record>>);

/// The names as they are now.
pub(crate) struct Names {
    pub(crate) tools: Assigned,
    pub(crate) prompts: Assigned,
}

impl NameBook {
    pub(crate) fn new(servers: Arc<Servers>, changed: mpsc::UnboundedSender<String>) -> Self {
        NameBook { servers, written: Mutex::default(), changed }
    }

    pub(crate) fn names(&self) -> Arc<Names> {
        let servers: Vec<Arc<Server>> =
            self.servers.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        let known: Vec<Known> = servers.into_iter().map(|server| (server.clone(), server.record())).collect();
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = written.as_ref().filter(|before| all_same(&before.known, &known)) {
            return Arc::clone(&before.names);
        }
        let names = Arc::new(write(&known));
        if let Some(before) = written.take() {
            self.tell_others(&before, &known, &names);
        }
        *written = Some(Written { known, names: Arc::clone(&names) });
        names
    }

    /// A server of which more is known is looked at anyway.
    fn tell_others(&self, before: &Written, known: &[Known], names: &Names) {
        for now in known {
            let name = &now.0.config().name;
            let renamed = before.names.tools.get(name) != names.tools.get(name);
            if renamed && before.known.iter().any(|was| same(was, now)) {
                let _ = self.changed.send(name.clone());
            }
        }
    }
}

fn write(known: &[Known]) -> Names {
    let (mut owners, mut strangers) = (BTreeSet::new(), BTreeSet::new());
    let (mut prompts, mut strange_prompts) = (BTreeSet::new(), BTreeSet::new());
    for (server, record) in known.iter().filter_map(|(server, record)| Some((server, record.as_ref()?))) {
        let config = server.config();
        let claim = |raw| Claim { server: &config.name, raw };
        // What was agreed to once stays spoken for, also while it is kept back or not there.
        let agreed = record.accepted.keys().filter(|tool| config.filter.takes(tool));
        owners.extend(agreed.map(|tool| claim(tool)));
        owners.extend(Utility::of(&record.seen, server).into_iter().map(|utility| claim(utility.name())));
        let seen = record.seen.tools.iter().map(|tool| tool.name.as_str());
        strangers.extend(seen.filter(|tool| config.filter.takes(tool)).map(claim));
        prompts.extend(
            record.accepted_prompts.iter().flat_map(|prompts| prompts.keys()).map(|name| claim(name)),
        );
        let seen = record.seen.listed.prompts.iter();
        strange_prompts.extend(seen.map(|prompt| claim(crate::front::name_of(prompt))));
    }
    let strangers = strangers.difference(&owners).copied().collect();
    let strange_prompts = strange_prompts.difference(&prompts).copied().collect();
    Names { tools: assign(&owners, &strangers), prompts: assign(&prompts, &strange_prompts) }
}

fn all_same(before: &[Known], now: &[Known]) -> bool {
    before.len() == now.len() && before.iter().zip(now).all(|(before, now)| same(before, now))
}

/// A record never changes; a newer one is another object.
fn same(before: &Known, now: &Known) -> bool {
    let records = match (&before.1, &now.1) {
        (Some(before), Some(now)) => Arc::ptr_eq(before, now),
        (before, now) => before.is_none() && now.is_none(),
    };
    records && Arc::ptr_eq(&before.0, &now.0)
}
