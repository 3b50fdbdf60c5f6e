//! Reading variables: those the script sets, and the few whose value is known without it.

use std::rc::Rc;

use super::Resolver;
use super::env::{self, Alternative, Elements, Value};

/// What a variable was found to be.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Value(Value),
    Array(Rc<Elements>),
    Unset,
    /// Nothing in the script sets it.
    Never,
    /// It is set, but to what only running would tell.
    Opaque,
}

/// Variables that every shell has, with a value that only running would tell.
const OPAQUE: [&str; 28] = [
    "PATH",
    "OLDPWD",
    "UID",
    "EUID",
    "PPID",
    "GROUPS",
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "BASHPID",
    "BASHOPTS",
    "SHELLOPTS",
    "BASH_VERSION",
    "BASH_VERSINFO",
    "BASH_COMMAND",
    "BASH_SUBSHELL",
    "FUNCNAME",
    "HOSTNAME",
    "HOSTTYPE",
    "MACHTYPE",
    "OSTYPE",
    "SHLVL",
    "TERM",
    "DIRSTACK",
    "PIPESTATUS",
];

impl Resolver<'_> {
    pub(super) fn look_up(&mut self, name: &str) -> Found {
        match name.as_bytes() {
            [b'?' | b'$' | b'!' | b'-'] => return Found::Opaque,
            // Whatever the shell is called, it is a shell.
            [b'0'] if self.calls.is_empty() => return Found::Value(env::text("bash")),
            [b'0'] => return Found::Opaque,
            [b'_'] => {
                let command = self.last_command.and_then(|at| self.script.commands.get(at));
                let word = command.and_then(|command| command.words.last());
                return word.map_or(Found::Opaque, |word| Found::Value(word.pieces.clone().into()));
            }
            [b'#'] => {
                return match self.arguments() {
                    Some(list) => Found::Value(env::text(list.len().to_string())),
                    None => Found::Opaque,
                };
            }
            [first, ..] if first.is_ascii_digit() => {
                let Ok(number) = name.parse::<usize>() else { return Found::Opaque };
                return match self.arguments() {
                    None => Found::Opaque,
                    Some(list) => match number.checked_sub(1).and_then(|at| list.get(at)) {
                        Some((_, value)) => Found::Value(Rc::clone(value)),
                        None => Found::Unset,
                    },
                };
            }
            _ => {}
        }
        match self.pick(name) {
            Some(Some(Alternative::Scalar(value))) => Found::Value(value),
            Some(Some(Alternative::Array(elements))) => Found::Array(elements),
            Some(Some(Alternative::Unset)) => Found::Unset,
            Some(None) => Found::Opaque,
            Some(Some(Alternative::Never)) | None => self.unset(name),
        }
    }

    /// The value of a variable in this round: nothing if it was never set, and inside that nothing if it
    /// has too many.
    fn pick(&mut self, name: &str) -> Option<Option<Alternative>> {
        let values = Rc::clone(&self.env.get(name)?.alternatives);
        Some(match (values.as_slice(), self.choices.as_mut()) {
            ([only], _) => Some(only.clone()),
            (several, Some(choices)) => choices.pick(name, several).cloned(),
            (_, None) => None,
        })
    }

    fn unset(&mut self, name: &str) -> Found {
        match name {
            "HOME" => Found::Value(env::text(self.home)),
            "PWD" => Found::Value(env::text(self.cwd)),
            "USER" | "LOGNAME" => match self.user() {
                Some(user) => Found::Value(env::text(user)),
                None => Found::Opaque,
            },
            "IFS" => Found::Value(env::text(" \t\n")),
            "SHELL" | "BASH" => Found::Value(env::text("/bin/bash")),
            name if OPAQUE.contains(&name) => Found::Opaque,
            name if self.blank.iter().any(|blank| blank == name) => Found::Unset,
            name => {
                self.nevers.push(name.to_owned());
                Found::Never
            }
        }
    }

    fn user(&self) -> Option<&str> {
        let name = self.home.trim_end_matches('/').rsplit('/').next()?;
        (!name.is_empty()).then_some(name)
    }

    /// The arguments in this round; nothing if they are unknown.
    pub(super) fn arguments(&mut self) -> Option<Rc<Elements>> {
        match self.pick("@")?? {
            Alternative::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// What words are split at.
    pub(super) fn separators(&mut self) -> String {
        if self.env.get("IFS").is_none() {
            return " \t\n".to_owned();
        }
        match self.look_up("IFS") {
            Found::Value(pieces) => env::literal(&pieces).unwrap_or_else(|| " \t\n".to_owned()),
            _ => " \t\n".to_owned(),
        }
    }

    /// `~`, `~+`, `~-` and `~name`.
    pub(super) fn tilde(&mut self, tilde: &str) -> Value {
        let variable = match tilde {
            "~" => "HOME",
            "~+" => "PWD",
            "~-" => "OLDPWD",
            "~root" => return env::text("/root"),
            name if name.get(1..) == self.user() => return env::text(self.home),
            name => return env::unknown(name),
        };
        match self.look_up(variable) {
            Found::Value(value) => value,
            _ => env::unknown(tilde),
        }
    }

    /// A typical value of a variable that is only known to be set: enough for the letters that tricks
    /// such as `${PATH:0:1}` take from it.
    pub(super) fn typical(name: &str) -> Option<&'static str> {
        Some(match name {
            "PATH" => "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "OLDPWD" => "/",
            "OSTYPE" => "linux-gnu",
            "HOSTTYPE" => "x86_64",
            "MACHTYPE" => "x86_64-pc-linux-gnu",
            "BASH_VERSION" => "5.2.15(1)-release",
            "SHELLOPTS" => "braceexpand:hashall:interactive-comments",
            "TERM" => "xterm-256color",
            "-" => "hBc",
            _ => return None,
        })
    }
}
