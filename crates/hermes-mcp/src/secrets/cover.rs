//! What hides the credentials of one server in everything that the server says. It has them anyway; whoever reads what it
//! says must not.

use std::sync::{Arc, PoisonError, RwLock};

use hermes_core::redact::Redactor;
use rmcp::model::{CustomResult, ServerResult};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Clones share what is known, which grows: tokens are renewed.
#[derive(Clone, Debug)]
pub(crate) struct Cover(Arc<RwLock<Known>>);

#[derive(Debug)]
struct Known {
    is_on: bool,
    values: Vec<(String, String)>,
    redactor: Redactor,
}

impl Default for Cover {
    fn default() -> Self {
        Cover::new(false)
    }
}

impl Cover {
    /// Knows nothing yet; learns nothing where everything may be shown.
    pub(super) fn new(is_on: bool) -> Self {
        Cover(Arc::new(RwLock::new(Known { is_on, values: Vec::new(), redactor: Redactor::none() })))
    }

    /// Hides these too from now on. What was known stays so: a server may speak of a token that was renewed.
    pub(crate) fn learn(&self, values: Vec<(String, String)>) {
        let is_new = |known: &Known, value: &str| !known.values.iter().any(|(_, other)| other == value);
        {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if !known.is_on || !values.iter().any(|(_, value)| is_new(&known, value)) {
                return;
            }
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (name, value) in values {
            if is_new(&known, &value) {
                known.values.push((name, value));
            }
        }
        known.redactor = Redactor::of_values(known.values.iter().cloned());
    }

    /// Nothing if nothing is known.
    fn redactor(&self) -> Option<Redactor> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        (!known.values.is_empty()).then(|| known.redactor.clone())
    }

    pub(crate) fn text(&self, text: String) -> String {
        match self.redactor() {
            Some(redactor) => redactor.redact_text(&text).into_owned(),
            None => text,
        }
    }

    pub(crate) fn value(&self, mut value: Value) -> Value {
        if let Some(redactor) = self.redactor() {
            redactor.redact_value(&mut value);
        }
        value
    }

    /// Anything that has texts. An error where it could not be what it is without them.
    pub(crate) fn whole<T: Serialize + DeserializeOwned>(&self, what: T) -> Result<T, Value> {
        let Some(redactor) = self.redactor() else { return Ok(what) };
        // What cannot be written as JSON did not come as such.
        let Ok(said) = serde_json::to_value(&what) else { return Ok(what) };
        let mut shown = said.clone();
        redactor.redact_value(&mut shown);
        if shown == said {
            return Ok(what);
        }
        serde_json::from_value(shown.clone()).map_err(|_| shown)
    }

    /// An answer to a request.
    pub(crate) fn answer(&self, answer: ServerResult) -> ServerResult {
        let covered = match answer {
            ServerResult::CallToolResult(result) => self.whole(result).map(ServerResult::CallToolResult),
            ServerResult::ReadResourceResult(result) => {
                self.whole(result).map(ServerResult::ReadResourceResult)
            }
            ServerResult::ListResourcesResult(result) => {
                self.whole(result).map(ServerResult::ListResourcesResult)
            }
            ServerResult::ListPromptsResult(result) => {
                self.whole(result).map(ServerResult::ListPromptsResult)
            }
            ServerResult::GetPromptResult(result) => self.whole(result).map(ServerResult::GetPromptResult),
            ServerResult::CompleteResult(result) => self.whole(result).map(ServerResult::CompleteResult),
            ServerResult::InputRequiredResult(result) => {
                self.whole(result).map(ServerResult::InputRequiredResult)
            }
            other => self.whole(other),
        };
        covered.unwrap_or_else(|shown| ServerResult::CustomResult(CustomResult(shown)))
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{CallToolResult, ContentBlock};
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_stays_what_it_is_without_the_secrets() {
        let cover = Cover::new(true);
        let plain = CallToolResult::success(vec![ContentBlock::text("the key is hunter2hunter2")]);
        let answer = cover.answer(ServerResult::CallToolResult(plain.clone()));
        assert!(serde_json::to_string(&answer).unwrap().contains("hunter2hunter2"), "nothing is known yet");
        cover.learn(vec![("KEY".to_owned(), "hunter2hunter2".to_owned())]);
        cover.learn(vec![("NEW".to_owned(), "renewed-token".to_owned())]);
        let ServerResult::CallToolResult(result) = cover.answer(ServerResult::CallToolResult(plain)) else {
            panic!("another kind of answer")
        };
        let said = serde_json::to_value(result).unwrap();
        assert_eq!(said["content"][0]["text"], "the key is [REDACTED:KEY]");
        assert_eq!(cover.value(json!({"renewed-token": 1})), json!({"[REDACTED:NEW]": 1}));
        let off = Cover::new(false);
        off.learn(vec![("KEY".to_owned(), "hunter2hunter2".to_owned())]);
        assert_eq!(off.text("hunter2hunter2".to_owned()), "hunter2hunter2");
    }
}
