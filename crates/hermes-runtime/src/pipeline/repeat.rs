//! Breaks loops: a call that failed the same way several times is answered without running again.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use hermes_core::{Effect, ToolError};
use serde_json::Value;

/// How many different failing calls are remembered; beyond that the memory starts afresh.
const MAX_REMEMBERED: usize = 1_000;

/// The failures of one session.
#[derive(Debug)]
pub(crate) struct RepeatGuard {
    /// `None` switches the guard off.
    limit: Option<u32>,
    failures: Mutex<HashMap<u64, (u32, ToolError)>>,
}

impl RepeatGuard {
    pub(crate) fn new(limit: Option<u32>) -> Self {
        RepeatGuard { limit, failures: Mutex::default() }
    }

    /// How often the same call may fail.
    pub(crate) fn limit(&self) -> Option<usize> {
        self.limit.and_then(|limit| usize::try_from(limit).ok())
    }

    /// The answer to a call that has failed too often already.
    pub(crate) fn answer(&self, tool: &str, arguments: &Value) -> Option<ToolError> {
        let limit = self.limit?;
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.is_empty() {
            return None;
        }
        let (count, error) =
            failures.get(&signature(tool, arguments)).filter(|(count, _)| *count >= limit)?;
        let mut answer = error.clone();
        answer.retryable = false;
        answer.message = format!("not run again: this exact call failed {count} times: {}", error.message);
        answer.hint = Some("Change the arguments or try another way; repeating it will not help.".to_owned());
        Some(answer)
    }

    /// Remembers a failure; a success of anything that changes the world forgets them all, because it
    /// may have mended the cause.
    pub(crate) fn observe(&self, tool: &str, effect: Effect, arguments: &Value, error: Option<&ToolError>) {
        let Some(_) = self.limit else { return };
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        match error {
            Some(error) => {
                if failures.len() >= MAX_REMEMBERED {
                    failures.clear();
                }
                let entry = failures.entry(signature(tool, arguments)).or_insert((0, error.clone()));
                entry.0 += 1;
                entry.1 = error.clone();
            }
            None if failures.is_empty() => {}
            None if effect >= Effect::Session => failures.clear(),
            None => {
                failures.remove(&signature(tool, arguments));
            }
        }
    }
}

/// Equal for equal calls, whatever the order of their fields.
fn signature(tool: &str, arguments: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    tool.hash(&mut hasher);
    hash_value(arguments, &mut hasher);
    hasher.finish()
}

fn hash_value(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Object(fields) => {
            // Sum of the fields' own hashes: independent of their order.
            let sum = fields.iter().fold(0u64, |sum, (name, field)| {
                let mut own = DefaultHasher::new();
                name.hash(&mut own);
                hash_value(field, &mut own);
                sum.wrapping_add(own.finish())
            });
            (1u8, sum).hash(hasher);
        }
        Value::Array(items) => {
            (2u8, items.len()).hash(hasher);
            items.iter().for_each(|item| hash_value(item, hasher));
        }
        scalar => (3u8, scalar.to_string()).hash(hasher),
    }
}
