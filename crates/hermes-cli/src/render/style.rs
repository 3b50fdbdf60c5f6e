//! Colours, used only where they are wanted.

use std::io::IsTerminal;

use clap::ValueEnum;

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// Paints text, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    on: bool,
}

impl Style {
    /// `auto` colours on a terminal, unless `NO_COLOR` is set.
    pub(crate) fn for_stdout(choice: ColorChoice) -> Self {
        Self::decide(choice, std::io::stdout().is_terminal())
    }

    pub(crate) fn for_stderr(choice: ColorChoice) -> Self {
        Self::decide(choice, std::io::stderr().is_terminal())
    }

    fn decide(choice: ColorChoice, terminal: bool) -> Self {
        let wanted = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Style { on: wanted }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint("31", text)
    }

    pub(crate) fn warning(self, text: &str) -> String {
        self.paint("33", text)
    }

    pub(crate) fn accent(self, text: &str) -> String {
        self.paint("36", text)
    }
}

/// How long the paint is that the text begins with; nothing if it begins with something else.
pub(super) fn paint_at(text: &str) -> usize {
    let Some(code) = text.strip_prefix("\u{1b}[").and_then(|rest| rest.split_once('m')).map(|(code, _)| code)
    else {
        return 0;
    };
    if matches!(code, "0" | "1" | "2" | "31" | "32" | "33" | "36") { code.len() + 3 } else { 0 }
}
