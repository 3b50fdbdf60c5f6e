//! The values a redactor looks for: those it was made with, and those it learned since.

use std::borrow::Cow;

use super::clean::Clean;
use super::known::Known;
use super::span::splice;

/// So many bytes of learned values are kept, the newest: whoever sets variables without end fills no memory.
const MOST_LEARNED: usize = 128 << 10;

/// All of them at one time, and texts that have none of them.
pub(super) struct Told {
    secrets: Vec<(String, String)>,
    /// How many it was made with; those behind were learned, the oldest first.
    own: usize,
    known: Option<Known>,
    pub(super) clean: Clean,
}

impl Told {
    /// Fails if they cannot be looked for.
    pub(super) fn new(secrets: Vec<(String, String)>) -> Result<Told, aho_corasick::BuildError> {
        let own = secrets.len();
        Self::of(secrets, own)
    }

    fn of(secrets: Vec<(String, String)>, own: usize) -> Result<Told, aho_corasick::BuildError> {
        let known = Known::new(secrets.clone())?;
        Ok(Told { secrets, own, known, clean: Clean::default() })
    }

    /// The same with these; `None` if it knows them all.
    pub(super) fn and(&self, more: impl IntoIterator<Item = (String, String)>) -> Option<Told> {
        let mut secrets = self.secrets.clone();
        for (name, value) in more {
            // A value that alone is more than all may be is still looked for by its beginning.
            let value = beginning(value);
            if !secrets.iter().any(|(_, known)| *known == value) {
                secrets.push((name, value));
            }
        }
        if secrets.len() == self.secrets.len() {
            return None;
        }
        let mut learned: usize = secrets.iter().skip(self.own).map(|(_, value)| value.len()).sum();
        while learned > MOST_LEARNED && secrets.len() > self.own {
            learned -= secrets.remove(self.own).1.len();
        }
        // So few cannot fail to be put together; what was known stays known.
        Self::of(secrets, self.own).ok()
    }

    pub(super) fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.known {
            Some(known) => splice(text, known.find(text)),
            None => Cow::Borrowed(text),
        }
    }

    /// Whether a secret could stand in a JSON number.
    pub(super) fn has_numbers(&self) -> bool {
        self.known.as_ref().is_some_and(Known::has_numbers)
    }
}

fn beginning(mut value: String) -> String {
    value.truncate(value.floor_char_boundary(MOST_LEARNED / 2));
    value
}
