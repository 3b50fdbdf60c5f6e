//! Values and containers.

use serde_json::{Map, Value};

use super::cursor::{Cursor, MAX_DEPTH};
use super::dialect::{Dialect, Forgiven};
use super::flaw::{Flaw, Kind};
use super::nesting::Nesting;

/// The one value that the whole text is, and what had to be forgiven to read it.
pub(in crate::arguments) fn read(text: &str, dialect: Dialect) -> Result<(Value, Forgiven), Flaw> {
    read_apart(text, dialect, &[])
}

/// The same, but an object under one of the keys that names a key twice or nests too deep is kept as the text it
/// is, for whoever reads it to refuse. What is inside such an object is never kept so.
pub(in crate::arguments) fn read_apart(
    text: &str,
    dialect: Dialect,
    keys: &'static [&'static str],
) -> Result<(Value, Forgiven), Flaw> {
    let mut cursor = Cursor { apart: keys, ..Cursor::new(text, dialect) };
    cursor.skip_blanks();
    let value = cursor.value()?;
    cursor.skip_blanks();
    if cursor.at < text.len() {
        return Err(Flaw::new(cursor.at, Kind::Trailing, "the end of the text"));
    }
    Ok((value, cursor.forgiven))
}

impl Cursor<'_> {
    pub(super) fn value(&mut self) -> Result<Value, Flaw> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(|cursor| cursor.sequence(b']')),
            Some(b'(') if self.dialect.python => self.nested(|cursor| cursor.sequence(b')')),
            Some(b'"') => self.string(b'"').map(Value::String),
            Some(b'\'') if self.dialect.python => self.string(b'\'').map(Value::String),
            _ => self.scalar(),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Result<Value, Flaw>) -> Result<Value, Flaw> {
        if self.depth >= MAX_DEPTH {
            return Err(Flaw::new(self.at, Kind::TooDeep, "at most 128 levels of nesting"));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, Flaw> {
        self.at += 1;
        self.skip_blanks();
        let mut fields = Map::new();
        if self.eat(b'}') {
            return Ok(Value::Object(fields));
        }
        loop {
            let key_at = self.at;
            let key = self.key()?;
            if fields.contains_key(&key) {
                return Err(Flaw::new(key_at, Kind::DuplicateKey(key), "each key once"));
            }
            self.skip_blanks();
            if !self.eat(b':') {
                return Err(self.missing("':' after the key"));
            }
            self.skip_blanks();
            let value = self.member(&key)?;
            fields.insert(key, value);
            self.skip_blanks();
            if self.ends(b'}', "',' or '}'", self.dialect.trailing_commas)? {
                return Ok(Value::Object(fields));
            }
        }
    }

    fn member(&mut self, key: &str) -> Result<Value, Flaw> {
        if !self.apart.contains(&key) || self.peek() != Some(b'{') {
            return self.value();
        }
        let (start, keys) = (self.at, std::mem::take(&mut self.apart));
        let elsewhere = std::mem::take(&mut self.forgiven.big_integers);
        let value = self.value();
        self.apart = keys;
        self.forgiven.big_integers_apart |= self.forgiven.big_integers;
        self.forgiven.big_integers |= elsewhere;
        let flaw = match value {
            Err(flaw) if matches!(flaw.kind, Kind::DuplicateKey(_) | Kind::TooDeep) => flaw,
            read => return read,
        };
        self.at = start;
        let text = extent(self.rest_bytes()).and_then(|length| self.text.get(start..start + length));
        let text = text.ok_or(flaw)?;
        self.at += text.len();
        Ok(Value::String(text.to_owned()))
    }

    fn key(&mut self) -> Result<String, Flaw> {
        match self.peek() {
            Some(b'"') => self.string(b'"'),
            Some(b'\'') if self.dialect.python => self.string(b'\''),
            _ => Err(self.missing("a key in double quotes")),
        }
    }

    /// A list, or a tuple when it closes with a parenthesis.
    fn sequence(&mut self, close: u8) -> Result<Value, Flaw> {
        let is_tuple = close == b')';
        self.forgiven.python |= is_tuple;
        let opened = self.at;
        self.at += 1;
        self.skip_blanks();
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(Value::Array(items));
        }
        let mut commas = 0;
        loop {
            items.push(self.value()?);
            self.skip_blanks();
            commas += usize::from(self.peek() == Some(b','));
            let expected = if is_tuple { "',' or ')'" } else { "',' or ']'" };
            if self.ends(close, expected, is_tuple || self.dialect.trailing_commas)? {
                break;
            }
        }
        if is_tuple && commas == 0 {
            // `(1)` is a number in parentheses, not a list of one.
            return Err(Flaw::new(opened, Kind::Unexpected, "a JSON value"));
        }
        Ok(Value::Array(items))
    }

    /// Consumes the separator or the end of a container; tells whether it was the end.
    fn ends(&mut self, close: u8, expected: &'static str, trailing_comma: bool) -> Result<bool, Flaw> {
        if self.eat(close) {
            return Ok(true);
        }
        if !self.eat(b',') {
            return Err(self.missing(expected));
        }
        self.skip_blanks();
        if self.peek() != Some(close) {
            return Ok(false);
        }
        if !trailing_comma {
            return Err(self.missing("a value after ','"));
        }
        self.forgiven.trailing_commas |= close != b')';
        self.at += 1;
        Ok(true)
    }
}

/// How many bytes the object at the start takes, by its brackets alone.
fn extent(bytes: &[u8]) -> Option<usize> {
    let mut nesting = Nesting::default();
    let end = bytes.iter().position(|byte| {
        nesting.pass(*byte);
        nesting.is_outside()
    });
    end.map(|last| last + 1)
}
