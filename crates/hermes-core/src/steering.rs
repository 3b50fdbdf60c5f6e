//! Environment variables that decide which code other programs load or run. Whoever sets one of them has run code in the
//! next command, without a command that anybody could have judged.

/// How a variable steers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steers {
    /// Where programs, libraries and the words of a shell come from, in whatever runs next. No tool has a reason to set it.
    Loading,
    /// How Hermes itself works.
    Hermes,
    /// What some program runs or loads. What it is set to tells whether that is harmful.
    Running,
}

const LOADING: &[&str] = &[
    "BASHOPTS",
    "BASH_ENV",
    "ENV",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "IFS",
    "PATH",
    "PROMPT_COMMAND",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "SHELLOPTS",
];
const LOADING_PREFIXES: &[&str] = &["BASH_FUNC_", "DYLD_", "LD_"];
const HERMES_PREFIX: &str = "HERMES_";

const RUNNING: &[&str] = &[
    "CLASSPATH",
    "EDITOR",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "JAVA_TOOL_OPTIONS",
    "LESSCLOSE",
    "LESSOPEN",
    "LUA_CPATH",
    "LUA_INIT",
    "LUA_PATH",
    "MANPAGER",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PAGER",
    "PERL5DB",
    "PERL5LIB",
    "PERL5OPT",
    "PS4",
    "PYTHONPATH",
    "PYTHONWARNINGS",
    "RUBYLIB",
    "RUBYOPT",
    "SHELL",
    "SSH_ASKPASS",
    "VISUAL",
    "_JAVA_OPTIONS",
];
const RUNNING_PREFIXES: &[&str] = &["GIT_CONFIG"];

/// Whether and how a variable steers. Programs that mind no case take either.
pub fn steers(name: &str) -> Option<Steers> {
    let upper = name.to_ascii_uppercase();
    let is_in = |names: &[&str], prefixes: &[&str]| {
        names.contains(&upper.as_str()) || prefixes.iter().any(|prefix| upper.starts_with(prefix))
    };
    if is_in(LOADING, LOADING_PREFIXES) {
        Some(Steers::Loading)
    } else if upper.starts_with(HERMES_PREFIX) {
        Some(Steers::Hermes)
    } else {
        is_in(RUNNING, RUNNING_PREFIXES).then_some(Steers::Running)
    }
}

/// Every such variable that has a name of its own.
pub fn steering_names() -> impl Iterator<Item = &'static str> {
    LOADING.iter().chain(RUNNING).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_steer_whatever_their_case() {
        for (name, how) in [
            ("PATH", Some(Steers::Loading)),
            ("path", Some(Steers::Loading)),
            ("LD_PRELOAD", Some(Steers::Loading)),
            ("HERMES_HOME", Some(Steers::Hermes)),
            ("PYTHONPATH", Some(Steers::Running)),
            ("GIT_CONFIG_COUNT", Some(Steers::Running)),
            ("MY_PATH", None),
            ("LDFLAGS", None),
            ("GITHUB_TOKEN", None),
            ("DATABASE_URL", None),
        ] {
            assert_eq!(steers(name), how, "{name}");
        }
    }
}
