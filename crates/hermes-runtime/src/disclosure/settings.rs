//! What an application sets about tool search.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use super::detail::Detail;

/// When tools are deferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// When their definitions would fill too much of the session's context.
    #[default]
    Auto,
    /// Whenever there is a tool to defer.
    On,
    Off,
}

/// How much of each definition the model sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DetailChoice {
    /// The most that fits the budget, while tools are deferred; everything otherwise.
    #[default]
    Auto,
    Always(Detail),
}

/// Settings of tool search; numbers are held in their ranges by [`SearchSettings::clamped`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    pub mode: Mode,
    pub threshold_pct: u64,
    pub default_limit: usize,
    pub max_limit: usize,
    /// Tokens for whole schemas in one answer of `tool_search`.
    pub schema_tokens: usize,
    pub detail: DetailChoice,
    /// Tokens that the definitions may take while tools are deferred.
    pub definition_tokens: usize,
    /// Whether the encoder ranks too.
    pub encoder: bool,
    /// How long a first search may take over being ranked by meaning; what is not embedded by then is ranked by words.
    pub first_wait: Duration,
    /// Whether the tool called after a search is remembered.
    pub learn: bool,
    /// Other words for a tool, by its name.
    pub aliases: BTreeMap<String, Vec<String>>,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings {
            mode: Mode::Auto,
            threshold_pct: 10,
            default_limit: 5,
            max_limit: 20,
            schema_tokens: 1_000,
            detail: DetailChoice::Auto,
            definition_tokens: 4_000,
            encoder: true,
            first_wait: Duration::from_millis(1_500),
            learn: true,
            aliases: BTreeMap::new(),
        }
    }
}

impl SearchSettings {
    /// Every number brought into its range.
    #[must_use]
    pub fn clamped(mut self) -> Self {
        self.threshold_pct = self.threshold_pct.min(100);
        self.max_limit = self.max_limit.clamp(1, 50);
        self.default_limit = self.default_limit.clamp(1, self.max_limit);
        self
    }

    /// The number of hits a caller gets: whatever can be read as a number, held in range; else the default.
    pub(super) fn limit(&self, asked: Option<&Value>) -> usize {
        let number = match asked {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(Value::Bool(true)) => Some(1.0),
            _ => None,
        };
        match number {
            Some(number) if number.is_finite() => (number.max(1.0) as usize).clamp(1, self.max_limit),
            _ => self.default_limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn limits_are_read_generously_and_held_in_range() {
        let settings = SearchSettings {
            default_limit: 90,
            max_limit: 12,
            threshold_pct: 400,
            ..SearchSettings::default()
        };
        let settings = settings.clamped();
        assert_eq!((settings.default_limit, settings.max_limit, settings.threshold_pct), (12, 12, 100));
        let limit = |value: Value| SearchSettings::default().limit(Some(&value));
        let read = [
            json!(3),
            json!("3"),
            json!(2.9),
            json!(0),
            json!(-3),
            json!(true),
            json!(999),
            json!("many"),
            json!(null),
        ];
        assert_eq!(read.map(limit), [3, 3, 2, 1, 1, 1, 20, 5, 5]);
        assert_eq!(SearchSettings::default().limit(None), 5);
    }
}
