//! Words and numbers.

use serde_json::Value;

use super::cursor::Cursor;
use super::flaw::{Flaw, Kind};
use crate::arguments::number::Decimal;

const VALUE: &str = "a JSON value";
const NOT_FINITE: &str = "a finite number or null";

impl Cursor<'_> {
    pub(super) fn scalar(&mut self) -> Result<Value, Flaw> {
        match self.peek() {
            Some(b'-' | b'+' | b'.' | b'0'..=b'9') => self.number(),
            Some(byte) if byte.is_ascii_alphabetic() => self.word(),
            _ => Err(self.missing(VALUE)),
        }
    }

    fn word(&mut self) -> Result<Value, Flaw> {
        let start = self.at;
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let json = self.dialect.json_words;
        let python = self.dialect.python;
        let value = match word {
            "true" if json => Value::Bool(true),
            "false" if json => Value::Bool(false),
            "null" if json => Value::Null,
            "True" if python => Value::Bool(true),
            "False" if python => Value::Bool(false),
            "None" if python => Value::Null,
            _ if is_not_finite(word) => return Err(Flaw::new(start, Kind::NotFinite, NOT_FINITE)),
            // `{"done": tru` ends inside a word.
            _ if self.at == self.text.len() && begins_word(word) => {
                return Err(Flaw::new(self.at, Kind::Truncated, VALUE));
            }
            _ => return Err(Flaw::new(start, Kind::Unexpected, VALUE)),
        };
        self.forgiven.python |= matches!(word, "True" | "False" | "None");
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Flaw> {
        let start = self.at;
        let text =
            self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_'));
        if is_not_finite(text.trim_start_matches(['+', '-'])) {
            return Err(Flaw::new(start, Kind::NotFinite, NOT_FINITE));
        }
        let is_json = is_json_number(text);
        let readable = is_json || (self.dialect.python && is_python_number(text));
        let Some(decimal) = Decimal::parse(text).filter(|_| readable) else {
            let cut = self.at == self.text.len() && text.ends_with(['-', '+', '.', 'e', 'E']);
            let (at, kind) = if cut { (self.at, Kind::Truncated) } else { (start, Kind::Unexpected) };
            return Err(Flaw::new(at, kind, "a JSON number"));
        };
        self.forgiven.python |= !is_json;
        if decimal.is_plain() && text != "-0" {
            return Ok(match decimal.integer() {
                Some(number) => Value::Number(number),
                None => {
                    self.forgiven.big_integers = true;
                    Value::String(text.to_owned())
                }
            });
        }
        let float = decimal.float().ok_or_else(|| Flaw::new(start, Kind::NotFinite, NOT_FINITE))?;
        Ok(Value::Number(decimal.unrounded(&float).unwrap_or(float)))
    }
}

fn is_not_finite(word: &str) -> bool {
    ["nan", "inf", "infinity"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn begins_word(word: &str) -> bool {
    ["true", "false", "null", "True", "False", "None"].iter().any(|whole| whole.starts_with(word))
}

/// JSON's own grammar, on text that is a decimal: no plus, no leading zeros, digits around the point.
fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let mantissa = unsigned.split(['e', 'E']).next().unwrap_or_default();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    has_plain_zeros(whole) && !whole.is_empty() && !fraction.is_empty() && !unsigned.starts_with('+')
}

fn is_python_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let whole = unsigned.split(['.', 'e', 'E']).next().unwrap_or_default();
    has_plain_zeros(whole)
}

fn has_plain_zeros(whole: &str) -> bool {
    whole.len() < 2 || !whole.starts_with('0')
}
