//! Text with places for arguments: `{name}`. No expressions, no recursion; `{{` and `}}` stand for braces.

use serde_json::{Map, Value};

/// The arguments of a call, defaults filled in.
pub(crate) type Arguments = Map<String, Value>;

/// A text that was taken apart once, at load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Argument(String),
}

impl Template {
    /// Takes a text apart; an error says what is wrong with its braces.
    pub(crate) fn parse(text: &str) -> Result<Template, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(letter) = rest.next() {
            match letter {
                '{' if rest.next_if_eq(&'{').is_some() => plain.push('{'),
                '}' if rest.next_if_eq(&'}').is_some() => plain.push('}'),
                '{' => {
                    let mut name = String::new();
                    while let Some(letter) = rest.next_if(|letter| *letter != '}') {
                        name.push(letter);
                    }
                    if rest.next().is_none() || !is_name(&name) {
                        return Err(format!("'{{{name}' names no parameter; write {{{{ for a brace"));
                    }
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(Piece::Argument(name));
                }
                '}' => return Err("a } closes nothing; write }} for a brace".to_owned()),
                letter => plain.push(letter),
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Template { pieces })
    }

    /// The parameters it speaks of.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Argument(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// What it says itself, between the arguments.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Argument(_) => None,
        })
    }

    /// The text itself, if no argument has a place in it.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The text in front of the first argument.
    pub(crate) fn beginning(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// The one parameter that is all of it.
    pub(crate) fn whole(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Argument(name)] => Some(name),
            _ => None,
        }
    }

    /// Whether an argument comes first, so that its value decides how the text begins.
    pub(crate) fn opening(&self) -> Option<&str> {
        match self.pieces.first() {
            Some(Piece::Argument(name)) => Some(name),
            _ => None,
        }
    }

    /// Fills the places in, each value passed through `encode`. `None` if an argument was not given.
    pub(crate) fn render(&self, arguments: &Arguments, encode: fn(&str) -> String) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Argument(name) => text.push_str(&encode(&as_text(arguments.get(name)?)?)),
            }
        }
        Some(text)
    }
}

/// A value where text is wanted; `None` for null, which means "not given".
pub(crate) fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Whether a parameter may be called so.
pub(crate) fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// For places where a value stands as it is.
pub(crate) fn as_it_is(text: &str) -> String {
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(text: &str, arguments: Value) -> Option<String> {
        let Value::Object(arguments) = arguments else { return None };
        Template::parse(text).unwrap().render(&arguments, as_it_is)
    }

    #[test]
    fn values_are_filled_in_once_and_never_read_again() {
        assert_eq!(filled("a{x}b", json!({"x": "{y}{{"})).as_deref(), Some("a{y}{{b"));
        assert_eq!(filled("{{{x}}}", json!({"x": 1})).as_deref(), Some("{1}"));
        assert_eq!(filled("{x}", json!({"x": [1, "a"]})).as_deref(), Some("[1,\"a\"]"));
        assert_eq!(filled("{x}", json!({"x": null})), None);
        assert_eq!(filled("{x}", json!({})), None);
    }

    #[test]
    fn braces_that_mean_nothing_are_mistakes() {
        for bad in ["{", "}", "{}", "{ x }", "{x.y}", "{x", "x}", "{1}", "{{x}"] {
            assert!(Template::parse(bad).is_err(), "{bad}");
        }
    }
}
