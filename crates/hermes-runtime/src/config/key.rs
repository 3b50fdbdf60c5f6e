//! Dotted keys such as `limits.batch_width`, `hooks.pre_tool_call[0].matcher` and `plugins.entries."a.b"`.

use std::fmt;

pub(super) use hermes_core::yaml::Step;

/// The way from the root to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyPath(Vec<Step>);

impl KeyPath {
    pub(super) fn from_steps(steps: Vec<Step>) -> Self {
        KeyPath(steps)
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.0
    }

    pub(super) fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// The list that an index in this key points into.
    pub(super) fn list(&self) -> Option<Self> {
        let end = self.0.iter().position(|step| matches!(step, Step::Index(_)))?;
        Some(KeyPath(self.0.iter().take(end).cloned().collect()))
    }

    /// This key with one more name.
    pub(super) fn join(&self, name: &str) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Name(name.to_owned()));
        KeyPath(steps)
    }

    /// Reads a dotted key. A name with dots in it is written in double quotes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text.chars().peekable();
        loop {
            let mut name = String::new();
            if rest.next_if_eq(&'"').is_some() {
                loop {
                    match rest.next()? {
                        '"' => break,
                        '\\' => name.push(rest.next()?),
                        other => name.push(other),
                    }
                }
            } else {
                while let Some(letter) = rest.next_if(|letter| !matches!(letter, '.' | '[' | '"')) {
                    name.push(letter);
                }
            }
            if name.is_empty() {
                return None;
            }
            steps.push(Step::Name(name));
            while rest.next_if_eq(&'[').is_some() {
                let mut digits = String::new();
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                rest.next_if_eq(&']')?;
                steps.push(Step::Index(digits.parse().ok()?));
            }
            match rest.next() {
                None => return Some(KeyPath(steps)),
                Some('.') => {}
                Some(_) => return None,
            }
        }
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Name(name) => {
                    let dot = if position == 0 { "" } else { "." };
                    let bare = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
                    if !name.is_empty() && name.chars().all(bare) {
                        write!(f, "{dot}{name}")?;
                    } else {
                        // Only quotes and backslashes are escaped, so that parsing gives the name back.
                        write!(f, "{dot}\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_writing_and_reading() {
        for text in ["limits.batch_width", "hooks.pre_tool_call[0].matcher", r#"plugins.entries."a.b\"c".x"#]
        {
            assert_eq!(KeyPath::parse(text).unwrap().to_string(), text);
        }
        for text in ["", ".", "a.", "a..b", "a[", "a[x]", "a[0]b", "\"a", "a\"b\""] {
            assert_eq!(KeyPath::parse(text), None, "{text}");
        }
    }
}
