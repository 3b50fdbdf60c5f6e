//! Quoted strings and their escapes.

use super::cursor::Cursor;
use super::flaw::{Flaw, Kind};

/// What one escape sequence tells about the habits of its writer.
enum Escape {
    /// `\"`, `\\`, `\u0041`: written on purpose.
    Deliberate,
    /// `\n`, `\t`: deliberate, or a path such as `C:\new` with its backslashes bare.
    Letter,
    /// `\d`: certainly a bare backslash.
    Loose,
}

impl Cursor<'_> {
    /// A string in the given quotes, with its position on the opening one.
    pub(super) fn string(&mut self, quote: u8) -> Result<String, Flaw> {
        self.forgiven.python |= quote == b'\'';
        let opened = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut copied = self.at;
        let mut letter_escapes = false;
        let mut loose_escape = None;
        loop {
            let plain = |byte: &u8| *byte != quote && *byte != b'\\' && *byte > 0x1f;
            self.at += self.rest_bytes().iter().take_while(|byte| plain(byte)).count();
            match self.peek() {
                None => {
                    let opened = self.text.get(..opened).map_or(0, |before| before.chars().count()) + 1;
                    let expected =
                        format!("the closing quote of the string that starts at character {opened}");
                    return Err(Flaw::new(self.at, Kind::Truncated, expected));
                }
                Some(byte) if byte == quote => {
                    text.push_str(self.text.get(copied..self.at).unwrap_or_default());
                    self.at += 1;
                    break;
                }
                Some(b'\\') => {
                    text.push_str(self.text.get(copied..self.at).unwrap_or_default());
                    let at = self.at;
                    match self.escape(quote, &mut text)? {
                        Escape::Deliberate => {}
                        Escape::Letter => letter_escapes = true,
                        Escape::Loose => loose_escape = loose_escape.or(Some(at)),
                    }
                    copied = self.at;
                }
                Some(0..=0x1f) if !self.dialect.raw_controls => {
                    return Err(Flaw::new(
                        self.at,
                        Kind::Unexpected,
                        "an escape such as \\n for a control character",
                    ));
                }
                Some(_) => {
                    self.forgiven.raw_controls = true;
                    self.at += 1;
                }
            }
        }
        match loose_escape {
            // `C:\dir\new`: the writer escapes nothing, so `\n` may not be a line end either.
            Some(at) if letter_escapes => {
                Err(Flaw::new(at, Kind::Unexpected, "a JSON escape (write \\\\ for a backslash)"))
            }
            _ => Ok(text),
        }
    }

    /// One escape sequence, with the position on its backslash.
    fn escape(&mut self, quote: u8, text: &mut String) -> Result<Escape, Flaw> {
        let start = self.at;
        let is_python = quote == b'\'' || !self.dialect.json_words;
        self.at += 1;
        let Some(c) = self.rest().chars().next() else {
            return Err(Flaw::new(self.at, Kind::Truncated, "the rest of an escape"));
        };
        self.at += c.len_utf8();
        let bad = || Flaw::new(start, Kind::Unexpected, "a JSON escape (write \\\\ for a backslash)");
        match c {
            '"' | '\\' => text.push(c),
            'n' | 't' | 'r' | 'b' | 'f' => {
                text.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    _ => '\u{c}',
                });
                return Ok(Escape::Letter);
            }
            'u' => text.push(self.unicode_escape(start)?),
            '/' if !is_python => text.push('/'),
            '\'' if self.dialect.python => {
                self.forgiven.python = true;
                text.push('\'');
            }
            _ if is_python => self.python_escape(c, start, text)?,
            // Another language would read these as something else than a backslash and a letter.
            'a' | 'v' | 'x' | 'U' | 'N' | '0'..='9' => return Err(bad()),
            _ if self.dialect.python && !c.is_control() => {
                self.forgiven.loose_escapes = true;
                text.push('\\');
                text.push(c);
                return Ok(Escape::Loose);
            }
            _ => return Err(bad()),
        }
        Ok(Escape::Deliberate)
    }

    fn python_escape(&mut self, c: char, start: usize, text: &mut String) -> Result<(), Flaw> {
        let code = match c {
            'a' => 7,
            'v' => 11,
            'x' => self.hex(2, start)?,
            'U' => self.hex(8, start)?,
            '0'..='7' => {
                self.at -= 1;
                let digits =
                    self.rest().bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let octal = self.text.get(self.at..self.at + digits).unwrap_or_default();
                self.at += digits;
                u32::from_str_radix(octal, 8).unwrap_or_default()
            }
            '\n' => return Ok(()),
            'N' => return Err(Flaw::new(start, Kind::Unexpected, "an escape with a code, not a name")),
            _ => {
                text.push('\\');
                text.push(c);
                return Ok(());
            }
        };
        text.push(char::from_u32(code).ok_or_else(|| no_character(start))?);
        Ok(())
    }

    /// Four hex digits, and the second half of a pair where the first asks for one.
    fn unicode_escape(&mut self, start: usize) -> Result<char, Flaw> {
        let first = self.hex(4, start)?;
        let code = match first {
            0xd800..=0xdbff => {
                if !self.rest().starts_with("\\u") {
                    return Err(no_character(start));
                }
                self.at += 2;
                let second = self.hex(4, start)?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(no_character(start));
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| no_character(start))
    }

    fn hex(&mut self, digits: usize, start: usize) -> Result<u32, Flaw> {
        let text = self.text.get(self.at..self.at + digits).unwrap_or_default();
        if text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            self.at += digits;
            return u32::from_str_radix(text, 16).map_err(|_| no_character(start));
        }
        let cut = self.rest().len() < digits && self.rest().bytes().all(|byte| byte.is_ascii_hexdigit());
        let (at, kind) = if cut { (self.text.len(), Kind::Truncated) } else { (start, Kind::Unexpected) };
        Err(Flaw::new(at, kind, format!("{digits} hexadecimal digits in the escape")))
    }
}

fn no_character(start: usize) -> Flaw {
    Flaw::new(start, Kind::Unexpected, "an escape that stands for a character")
}
