//! A regular expression of a rule file. Most are never needed, so each is built when it is first used.

use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub(crate) struct Pattern {
    text: String,
    regex: OnceLock<Result<Regex, String>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Pattern { text, regex: OnceLock::new() }
    }
}

impl Pattern {
    pub fn is_match(&self, text: &str) -> bool {
        self.built().as_ref().is_ok_and(|regex| regex.is_match(text))
    }

    /// Why it cannot be built; the check of the shipped rules looks for this.
    pub fn problem(&self) -> Option<&str> {
        self.built().as_ref().err().map(String::as_str)
    }

    fn built(&self) -> &Result<Regex, String> {
        self.regex.get_or_init(|| Regex::new(&self.text).map_err(|error| error.to_string()))
    }
}
