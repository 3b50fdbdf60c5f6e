//! Whether a schema can be made fit for a provider, without making it so. Of a large catalog most
//! definitions are never sent, so most schemas need no more than this look.

use serde_json::Value;

use super::pattern;
use super::provider::Provider;
use crate::names;

/// Far below every limit of the normaliser and of the converters, in bytes and thereby in nodes.
const MAX_BYTES: usize = 8 << 10;
const MAX_DEPTH: usize = 32;

/// Whether [`normalise`](super::normalise) will succeed. `false` means: not known without trying.
pub fn surely_fits(parameters: &Value, provider: Provider) -> bool {
    let mut look = Look { bytes_left: MAX_BYTES, picky: provider == Provider::Anthropic };
    look.at(parameters, MAX_DEPTH).is_some()
}

struct Look {
    bytes_left: usize,
    /// Names of required properties must be names that a tool could have.
    picky: bool,
}

impl Look {
    fn at(&mut self, value: &Value, levels_left: usize) -> Option<()> {
        let levels_left = levels_left.checked_sub(1)?;
        self.pay(2)?;
        match value {
            Value::String(text) => self.pay(text.len()),
            Value::Array(items) => items.iter().try_for_each(|item| self.at(item, levels_left)),
            Value::Object(fields) => fields.iter().try_for_each(|(keyword, rule)| {
                self.pay(keyword.len() + 2)?;
                let is_plain = match (keyword.as_str(), rule) {
                    // May lead nowhere, or in circles.
                    ("$ref", _) => false,
                    ("required", _) if self.picky => are_names(rule),
                    ("pattern", Value::String(written)) => pattern::is_one(written),
                    ("patternProperties", Value::Object(named)) => {
                        named.keys().all(|written| pattern::is_one(written))
                    }
                    _ => true,
                };
                if is_plain { self.at(rule, levels_left) } else { None }
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => Some(()),
        }
    }

    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.bytes_left = self.bytes_left.checked_sub(bytes)?;
        Some(())
    }
}

fn are_names(required: &Value) -> bool {
    let listed = required.as_array().map(Vec::as_slice).unwrap_or_default();
    listed.iter().filter_map(Value::as_str).all(names::is_valid)
}
