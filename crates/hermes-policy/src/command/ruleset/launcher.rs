//! Programs that start other programs, and where in their words the other program stands.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Launcher {
    pub names: Vec<String>,
    /// Only with these first words, such as `exec` of `kubectl exec`.
    #[serde(default)]
    pub sub: Vec<String>,
    /// Options that take a value.
    #[serde(default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub words: bool,
    /// Operands in front of the inner command.
    #[serde(default)]
    pub skip: usize,
    /// Options whose value is shell text.
    #[serde(default)]
    pub text: Vec<String>,
    /// Options that say in which folder it runs.
    #[serde(default)]
    pub folder: Vec<String>,
    #[serde(default)]
    pub kind: LauncherKind,
    /// Runs as somebody else.
    #[serde(default)]
    pub privileged: bool,
    /// Runs on another machine or in a container.
    #[serde(default)]
    pub remote: bool,
    /// So far away that any change there is worth asking about.
    #[serde(default)]
    pub far: bool,
    #[serde(rename = "match")]
    pub matches: Vec<String>,
    pub pass: Vec<String>,
}

impl Launcher {
    pub fn folder_options(&self) -> Vec<&str> {
        self.folder.iter().map(String::as_str).collect()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LauncherKind {
    /// The rest of the words is the command.
    #[default]
    Words,
    /// The rest of the words, joined, is shell text.
    Joined,
    /// Every operand is shell text of its own.
    Each,
    /// The command stands behind `--`.
    AfterDashes,
    /// The words behind the first of the options of `text` are the command.
    AfterOption,
    /// Only the options of `text` say what runs.
    Options,
}
