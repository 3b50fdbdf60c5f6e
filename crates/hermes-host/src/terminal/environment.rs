//! What commands get of our own environment: names that programs need, never a secret. A list of what may
//! pass, because a list of what may not is never complete.

use std::collections::BTreeMap;

use hermes_core::ToolError;

use crate::env::Env;
use crate::env_file::is_name;
use crate::secrets;

/// Names that pass as they are.
const PASS: &[&str] = &[
    "CARGO_HOME",
    "COLORTERM",
    "CONDA_PREFIX",
    "DOTNET_ROOT",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "NVM_DIR",
    "PATH",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "RUSTUP_HOME",
    "SHELL",
    "TERMINFO",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// Names that pass by how they begin.
const PASS_BEGINNING: &[&str] = &["LC_"];

/// Programs that wait for somebody to press a key would wait for ever.
const QUIET: &[(&str, &str)] = &[
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("GIT_EDITOR", "true"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("PAGER", "cat"),
    ("PYTHONUNBUFFERED", "1"),
    ("TERM", "dumb"),
];

/// The environment of a session's first command.
pub(super) fn base(env: &Env, passthrough: &[String]) -> BTreeMap<String, String> {
    let passes = |name: &str| {
        PASS.contains(&name)
            || PASS_BEGINNING.iter().any(|beginning| name.starts_with(beginning))
            // What the operator names passes, unless its name says that it is a secret of Hermes itself.
            || (passthrough.iter().any(|wanted| wanted == name) && !name.starts_with("HERMES_"))
    };
    let inherited = env.iter().filter(|(name, _)| passes(name));
    let mut base: BTreeMap<String, String> =
        inherited.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    base.extend(QUIET.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    base.entry("PATH".to_owned()).or_insert_with(|| "/usr/local/bin:/usr/bin:/bin".to_owned());
    base
}

/// Refuses names that no shell would take. One with `=` in it sets another variable than it names, one of `BASH_FUNC_`
/// defines a function, and any other sign may be shell text to somebody.
pub fn check_names<'n>(names: impl IntoIterator<Item = &'n String>) -> Result<(), ToolError> {
    let odd = names.into_iter().find(|name| !is_name(name));
    odd.map_or(Ok(()), |name| {
        let text = format!("{name:?} is no name of an environment variable");
        Err(ToolError::invalid(text).with_hint("Use letters, digits and _, with no digit at the beginning."))
    })
}

/// Whether a variable that a command exported may be kept for the next one.
pub(super) fn may_be_kept(name: &str) -> bool {
    !matches!(name, "PWD" | "OLDPWD" | "SHLVL" | "_")
        && !name.starts_with("HERMES_")
        && !name.starts_with("__hermes_")
        && !name.starts_with("SSH_")
}

/// Whether a value looks like a secret by the name of its variable; such are kept in memory only.
pub(super) fn is_secret(name: &str) -> bool {
    secrets::is_secret_name(name)
}

/// Whether a command speaks of a variable.
pub fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        before.ends_with('$') || before.ends_with("${") || before.ends_with("${#") || before.ends_with("${!")
    }) || matches!(name, "PATH" | "IFS" | "LD_PRELOAD" | "LD_LIBRARY_PATH" | "BASH_ENV" | "ENV")
}
