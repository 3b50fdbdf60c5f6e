//! Whether definitions fit a budget of tokens, counted as models count. Where the answer is plain from their
//! size nothing is counted, and nothing is counted twice: the table of tokens takes time to set up.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use hermes_search::count_tokens;

/// Definitions have more letters a token than this, and fewer than that.
const LEAST_LETTERS: usize = 3;
const MOST_LETTERS: usize = 8;
/// More than sessions are shown in a while is not remembered.
const MOST_COUNTED: usize = 1_024;

/// The tokens of a text, by its hash.
static COUNTED: LazyLock<Mutex<HashMap<u64, usize>>> = LazyLock::new(Mutex::default);

/// `tools` is the array as the model is given it.
pub(super) fn fits(tools: &str, tokens: usize) -> bool {
    if tools.len() > tokens.saturating_mul(MOST_LETTERS) {
        return false;
    }
    // Other scripts have fewer letters a token.
    if tools.is_ascii() && tools.len().div_ceil(LEAST_LETTERS) <= tokens {
        return true;
    }
    counted(tools) <= tokens
}

fn counted(text: &str) -> usize {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let mut known = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() > MOST_COUNTED {
        known.clear();
    }
    *known.entry(hasher.finish()).or_insert_with(|| count_tokens(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_border_is_where_a_model_has_it() {
        let definition = |number: usize| {
            json!({"name": format!("tool_{number}"), "description": "Reads a file and says what stands in it.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}})
        };
        let tools = json!((0..20).map(definition).collect::<Vec<_>>()).to_string();
        let tokens = count_tokens(&tools);
        assert!(tools.len().div_ceil(LEAST_LETTERS) > tokens + 50, "the size alone does not tell");
        assert!(fits(&tools, tokens) && !fits(&tools, tokens - 1));
        assert!(fits(&tools, tools.len()) && !fits(&tools, tools.len() / 9));
    }

    #[test]
    fn scripts_with_a_token_a_letter_are_counted() {
        let thick = "ሀለሐመሠረሰቀበተኀነአከወዐዘየደገጠጰጸፀፈፐ".repeat(20);
        let by_size = thick.len().div_ceil(LEAST_LETTERS);
        assert!(count_tokens(&thick) > by_size && !fits(&thick, by_size));
    }
}
