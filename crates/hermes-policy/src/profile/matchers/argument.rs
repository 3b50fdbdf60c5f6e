//! Conditions on a call's arguments, by JSON pointer.

use std::fmt;

use regex::Regex;
use serde_json::Value;

use super::wildcard::Wildcard;

/// One condition: what stands at this pointer passes this test.
#[derive(Clone, Debug)]
pub struct Argument {
    pub(crate) pointer: String,
    pub(crate) test: ArgumentTest,
}

#[derive(Clone, Debug)]
pub(crate) enum ArgumentTest {
    /// The whole text matches, `*` being any characters.
    Glob(Wildcard),
    /// The whole text matches.
    Regex(Regex),
    /// Equal to one of these values.
    In(Vec<Value>),
}

impl Argument {
    /// Whether the arguments pass. Of a list, one item is enough for a rule that stops a call, and every item
    /// must pass for a rule that lets it through (`every`). What is not there passes nothing.
    pub(crate) fn matches(&self, arguments: &Value, every: bool) -> bool {
        let Some(value) = arguments.pointer(&self.pointer) else { return false };
        match value {
            Value::Array(items) if !self.test.passes(value) => {
                let mut passes = items.iter().map(|item| self.test.passes(item));
                if every {
                    !items.is_empty() && passes.all(|passes| passes)
                } else {
                    passes.any(|passes| passes)
                }
            }
            value => self.test.passes(value),
        }
    }
}

impl ArgumentTest {
    fn passes(&self, value: &Value) -> bool {
        let text = match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
        match self {
            ArgumentTest::Glob(glob) => text.is_some_and(|text| glob.matches(&text)),
            ArgumentTest::Regex(regex) => text.is_some_and(|text| regex.is_match(&text)),
            ArgumentTest::In(values) => values.contains(value),
        }
    }
}

/// Two conditions are the same if they are written the same.
impl PartialEq for Argument {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.test {
            ArgumentTest::Glob(glob) => write!(f, "{} is {}", self.pointer, glob.text()),
            ArgumentTest::Regex(regex) => write!(f, "{} matches {}", self.pointer, regex.as_str()),
            ArgumentTest::In(values) => match values.as_slice() {
                [value] => write!(f, "{} equals {value}", self.pointer),
                values => write!(f, "{} is in {}", self.pointer, Value::from(values.to_vec())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_pass_by_one_item_or_by_all() {
        let argument =
            Argument { pointer: "/paths".into(), test: ArgumentTest::Glob(Wildcard::new("docs/*")) };
        let mixed = json!({"paths": ["docs/a", "src/b"]});
        assert!(argument.matches(&mixed, false));
        assert!(!argument.matches(&mixed, true));
        assert!(argument.matches(&json!({"paths": ["docs/a"]}), true));
        assert!(!argument.matches(&json!({"paths": []}), true));
        assert!(!argument.matches(&json!({}), false));
    }

    #[test]
    fn values_are_compared_as_they_are_and_texts_by_pattern() {
        let test = |test: ArgumentTest, value: Value| {
            Argument { pointer: "/x".into(), test }.matches(&json!({ "x": value }), false)
        };
        assert!(test(ArgumentTest::In(vec![json!(3), json!("a")]), json!(3)));
        assert!(!test(ArgumentTest::In(vec![json!(3)]), json!("3")));
        assert!(test(ArgumentTest::Glob(Wildcard::new("4*")), json!(42)));
        assert!(test(ArgumentTest::In(vec![json!([1, 2])]), json!([1, 2])));
        assert!(!test(ArgumentTest::Glob(Wildcard::new("*")), json!({"y": 1})));
    }
}
