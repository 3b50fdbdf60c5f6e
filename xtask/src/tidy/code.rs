//! Rust source with comments and the insides of literals blanked out, so that rules look at code only.
//! Lines and columns stay where they are.

/// Blanks comments, strings and characters.
pub(super) fn code_of(text: &str) -> String {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, out: String::with_capacity(text.len()) };
    while let Some(next) = reader.peek(0) {
        match (next, reader.peek(1)) {
            ('/', Some('/')) => reader.blank_while(|reader| reader.peek(0).is_some_and(|c| c != '\n')),
            ('/', Some('*')) => reader.block_comment(),
            ('"', _) => reader.string(),
            ('r', Some('"' | '#')) if !reader.inside_a_word() => reader.raw_string(),
            ('\'', _) => reader.quote(),
            _ => reader.keep(),
        }
    }
    reader.out
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    out: String,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn keep(&mut self) {
        self.out.extend(self.peek(0));
        self.at += 1;
    }

    fn blank(&mut self) {
        self.out.extend(self.peek(0).map(|c| if c == '\n' { '\n' } else { ' ' }));
        self.at += 1;
    }

    fn blank_while(&mut self, go_on: impl Fn(&Self) -> bool) {
        while go_on(self) {
            self.blank();
        }
    }

    /// Whether the character before belongs to the same word; `br"…"` and `cr"…"` begin a literal all the same.
    fn inside_a_word(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.chars.get(at)).copied();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        is_word(before(1)) && (!matches!(before(1), Some('b' | 'c')) || is_word(before(2)))
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) => return,
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                _ => {
                    self.blank();
                    continue;
                }
            }
            self.blank();
            self.blank();
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.keep();
        loop {
            match self.peek(0) {
                None => return,
                Some('"') => return self.keep(),
                Some('\\') => {
                    self.blank();
                    self.blank();
                }
                Some(_) => self.blank(),
            }
        }
    }

    fn raw_string(&mut self) {
        let mut hashes = 0;
        while self.peek(1 + hashes) == Some('#') {
            hashes += 1;
        }
        // `r#name` is a word, not a literal.
        if self.peek(1 + hashes) != Some('"') {
            return self.keep();
        }
        (0..hashes + 2).for_each(|_| self.keep());
        let closes = |reader: &Self| {
            reader.peek(0) == Some('"') && (1..=hashes).all(|ahead| reader.peek(ahead) == Some('#'))
        };
        self.blank_while(|reader| reader.peek(0).is_some() && !closes(reader));
        (0..=hashes).for_each(|_| self.keep());
    }

    /// A character literal, or the mark of a lifetime.
    fn quote(&mut self) {
        self.keep();
        let escaped = self.peek(0) == Some('\\');
        if !escaped && self.peek(1) != Some('\'') {
            return;
        }
        if escaped {
            self.blank();
        }
        self.blank();
        self.blank_while(|reader| reader.peek(0).is_some_and(|c| c != '\''));
        self.keep();
    }
}

/// Whether `word` stands in `code` on its own, not as a part of a longer name.
pub(super) fn has_word(code: &str, word: &str) -> bool {
    words_at(code, word).next().is_some()
}

/// The lines, counted from 1, where `word` stands on its own.
pub(super) fn words_at<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.lines().enumerate().filter_map(move |(index, line)| {
        let stands_alone = line.match_indices(word).any(|(at, _)| {
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            let after = line.get(at + word.len()..).and_then(|text| text.chars().next());
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        });
        stands_alone.then_some(index + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_the_rest_stays() {
        let cases = [
            ("a // unsafe\nb", "a          \nb"),
            ("a /* x /* y */ z */ b", "a                   b"),
            (r#"f("a \" b") + 1"#, r#"f("      ") + 1"#),
            (r##"f(r#"a " b"#) + 1"##, r##"f(r#"     "#) + 1"##),
            (r#"f(br"ab")"#, r#"f(br"  ")"#),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            (r"match c { '\'' => 'x', '{' => '\u{7f}' }", r"match c { '  ' => ' ', ' ' => '      ' }"),
            ("r#type + bar", "r#type + bar"),
            ("\"open", "\"    "),
            ("/* open", "       "),
        ];
        for (text, expected) in cases {
            assert_eq!(code_of(text), expected, "{text}");
        }
    }

    #[test]
    fn words_stand_alone() {
        assert!(has_word("let x = unsafe { y };", "unsafe"));
        assert!(!has_word("unsafe_code", "unsafe"));
        assert!(!has_word("is_unsafe()", "unsafe"));
        assert_eq!(words_at("a\nuse b;\nb_c b", "b").collect::<Vec<_>>(), [2, 3]);
    }
}
