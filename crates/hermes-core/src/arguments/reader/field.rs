//! One field of an object as it was written, also where the rest of the text cannot be read.

use super::cursor::Cursor;
use super::dialect::Dialect;
use super::nesting::Nesting;

/// The text of the value under `key` in the object that the text begins with, if it stands there once and is whole.
/// What the other fields hold does not matter.
pub(in crate::arguments) fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut cursor = Cursor::new(text, Dialect::JSON);
    cursor.skip_blanks();
    if !cursor.eat(b'{') {
        return None;
    }
    let mut found = None;
    loop {
        cursor.skip_blanks();
        let Some(name) = cursor.name() else { return found };
        let start = cursor.at;
        if name != key {
            cursor.pass_over();
        } else if found.is_some() || cursor.value().is_err() {
            return None;
        } else {
            found = text.get(start..cursor.at);
        }
        cursor.skip_blanks();
        match cursor.peek() {
            Some(b',') => cursor.at += 1,
            // A number that ends with the text may have been cut.
            Some(b'}') => return found,
            _ => return found.filter(|_| name != key),
        }
    }
}

impl Cursor<'_> {
    /// The name of the field that begins here. Its value is next.
    fn name(&mut self) -> Option<String> {
        let name = (self.peek() == Some(b'"')).then(|| self.string(b'"').ok())??;
        self.skip_blanks();
        let is_field = self.eat(b':');
        self.skip_blanks();
        is_field.then_some(name)
    }

    /// Moves to the end of a value, whatever it is: a comma or a bracket that nothing inside it has opened.
    fn pass_over(&mut self) {
        let mut nesting = Nesting::default();
        while let Some(byte) = self.peek() {
            if nesting.is_outside() && matches!(byte, b',' | b'}' | b']') {
                return;
            }
            nesting.pass(byte);
            self.at += 1;
        }
    }
}
