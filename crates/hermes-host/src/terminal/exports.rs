//! Reads what `export -p` prints: `declare -x NAME="value"` of bash, `export NAME='value'` of the others.
//! Every quoting that a shell prints is understood; what is not is left out, never guessed.

use std::string::FromUtf8Error;

use crate::env_file::is_name;

/// The exported variables with values, in the order of the shell, and the names of those whose values are no text.
pub(super) fn read(text: &[u8]) -> (Vec<(String, String)>, Vec<String>) {
    let mut reader = Reader { text, at: 0 };
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    while reader.at < text.len() {
        match reader.declaration() {
            Some((name, Ok(value))) => found.push((name, value)),
            Some((name, Err(_))) => unreadable.push(name),
            None => {}
        }
    }
    (found, unreadable)
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn word_until(&mut self, ends: &[u8]) -> Vec<u8> {
        let mut word = Vec::new();
        while let Some(byte) = self.peek().filter(|byte| !ends.contains(byte)) {
            word.push(byte);
            self.at += 1;
        }
        word
    }

    /// One declaration, and in any case at least one byte further.
    fn declaration(&mut self) -> Option<(String, Result<String, FromUtf8Error>)> {
        let keyword = self.word_until(b" \n");
        self.next();
        if keyword == b"declare" {
            // The flags, of which -x is one.
            let flags = self.word_until(b" \n");
            self.next();
            if !flags.contains(&b'x') {
                self.value();
                return None;
            }
        } else if keyword != b"export" {
            return None;
        }
        let name = self.word_until(b"=\n");
        if self.next() != Some(b'=') {
            return None;
        }
        let value = self.value();
        let name = String::from_utf8(name).ok().filter(|name| is_name(name))?;
        Some((name, String::from_utf8(value)))
    }

    /// A shell word, up to the end of its line.
    fn value(&mut self) -> Vec<u8> {
        let mut value = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'\n' => break,
                b'\'' => {
                    value.extend(self.word_until(b"'"));
                    self.next();
                }
                b'"' => self.double_quoted(&mut value),
                b'$' if self.peek() == Some(b'\'') => {
                    self.next();
                    self.escaped(&mut value);
                }
                b'\\' => value.extend(self.next()),
                byte => value.push(byte),
            }
        }
        value
    }

    fn double_quoted(&mut self, value: &mut Vec<u8>) {
        while let Some(byte) = self.next() {
            match byte {
                b'"' => return,
                b'\\' if matches!(self.peek(), Some(b'"' | b'\\' | b'$' | b'`' | b'\n')) => {
                    value.extend(self.next());
                }
                byte => value.push(byte),
            }
        }
    }

    /// The inside of `$'…'`.
    fn escaped(&mut self, value: &mut Vec<u8>) {
        while let Some(byte) = self.next() {
            match byte {
                b'\'' => return,
                b'\\' => match self.next() {
                    Some(b'n') => value.push(b'\n'),
                    Some(b't') => value.push(b'\t'),
                    Some(b'r') => value.push(b'\r'),
                    Some(b'a') => value.push(7),
                    Some(b'b') => value.push(8),
                    Some(b'v') => value.push(11),
                    Some(b'f') => value.push(12),
                    Some(b'E' | b'e') => value.push(27),
                    Some(digit @ b'0'..=b'7') => value.push(self.octal(digit)),
                    Some(other) => value.push(other),
                    None => return,
                },
                byte => value.push(byte),
            }
        }
    }

    fn octal(&mut self, first: u8) -> u8 {
        let mut number = u32::from(first - b'0');
        for _ in 0..2 {
            let Some(digit) = self.peek().filter(|byte| (b'0'..=b'7').contains(byte)) else { break };
            number = number * 8 + u32::from(digit - b'0');
            self.at += 1;
        }
        u8::try_from(number & 0xff).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        read(text.as_bytes()).0
    }

    #[test]
    fn every_shell_is_read() {
        let bash = "declare -x A=\"a \\\"b\\\" \\$c \\\\ \\`\"\ndeclare -ix N=\"1\"\ndeclare -x B\ndeclare -x C=$'x\\ny\\033\\'z'\n";
        let expected = [("A", "a \"b\" $c \\ `"), ("N", "1"), ("C", "x\ny\u{1b}'z")];
        assert_eq!(pairs(bash), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let dash = "export A='it'\"'\"'s\nhere'\nexport EMPTY=''\nexport NONE\nexport B='x'\\''y'\n";
        let expected = [("A", "it's\nhere"), ("EMPTY", ""), ("B", "x'y")];
        assert_eq!(pairs(dash), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn what_is_no_declaration_is_left_out() {
        assert_eq!(pairs("hello\nexport\nexport a-b='x'\ndeclare -r R=\"1\"\n\n"), []);
        assert_eq!(pairs("export A='open"), [("A".to_owned(), "open".to_owned())]);
        assert_eq!(read(b"declare -x A=$'\\377'\nexport B='\xfe'\n"), (vec![], vec!["A".into(), "B".into()]));
    }
}
