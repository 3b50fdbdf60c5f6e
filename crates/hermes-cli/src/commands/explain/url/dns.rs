//! The resolver that a case brings along.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use hermes_policy::urls::{Host, special};
use serde_json::Value;

/// Names that no public resolver knows (RFC 2606, 6761, 7686, 9476).
const NEVER_KNOWN: &[&str] = &["alt", "example", "invalid", "onion", "test"];

/// Answers by name, and how many were given out.
pub(super) enum Dns {
    Answers(BTreeMap<String, (Vec<Vec<IpAddr>>, usize)>),
    /// The case says nothing, so the text alone is judged.
    Unknown,
}

impl Dns {
    /// An answer that is no address spoils its whole set: there is nothing safe to connect to.
    pub(super) fn of(dns: Option<&Value>) -> Result<Dns, String> {
        let Some(dns) = dns.filter(|dns| !dns.is_null()) else { return Ok(Dns::Unknown) };
        let names = dns.as_object().ok_or("'dns' is an object of names and answers")?;
        let answers = names.iter().map(|(name, sets)| {
            let sets = sets.as_array().map(Vec::as_slice).unwrap_or_default();
            let flat = sets.iter().any(Value::is_string);
            let sets = if flat { vec![addresses(sets)] } else { sets.iter().map(set).collect() };
            (plain(name), (sets, 0))
        });
        Ok(Dns::Answers(answers.collect()))
    }

    pub(super) fn resolve(&mut self, name: &str) -> Vec<IpAddr> {
        match self {
            Dns::Answers(answers) => {
                let Some((sets, given)) = answers.get_mut(name) else { return Vec::new() };
                let set = sets.get(*given).or_else(|| sets.last()).cloned().unwrap_or_default();
                *given += 1;
                set
            }
            Dns::Unknown => {
                let last = name.rsplit('.').next().unwrap_or(name);
                // Any public address: what the name really answers is judged when it is asked.
                if NEVER_KNOWN.contains(&last) {
                    Vec::new()
                } else {
                    vec![IpAddr::V4(Ipv4Addr::new(1, 1, 1, 1))]
                }
            }
        }
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Dns::Unknown)
    }

    /// A name that answers with a public address first and with another one later.
    pub(super) fn turning(&self) -> Option<&str> {
        let Dns::Answers(answers) = self else { return None };
        answers.iter().find_map(|(name, (sets, given))| {
            let later = sets.iter().skip(*given).flatten();
            let turns = *given > 0 && later.into_iter().any(|address| special(*address).is_some());
            turns.then_some(name.as_str())
        })
    }
}

fn set(value: &Value) -> Vec<IpAddr> {
    addresses(value.as_array().map(Vec::as_slice).unwrap_or_default())
}

fn addresses(texts: &[Value]) -> Vec<IpAddr> {
    let read = |text: &Value| text.as_str()?.trim_matches(['[', ']']).parse().ok();
    texts.iter().map(read).collect::<Option<Vec<IpAddr>>>().unwrap_or_default()
}

fn plain(name: &str) -> String {
    match Host::parse(name) {
        Ok(Host::Name(name)) => name,
        _ => name.to_lowercase(),
    }
}
