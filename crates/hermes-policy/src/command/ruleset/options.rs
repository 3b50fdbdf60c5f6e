//! Options that make a harmless program start another one.

use serde::Deserialize;

use super::pattern::Pattern;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LaunchOption {
    pub name: String,
    pub names: Vec<String>,
    /// The options; `-o=Proxy` means a value of `-o` that begins so, in any case.
    pub options: Vec<String>,
    /// Well-known pagers, compressors and shells are fine as the value.
    #[serde(default)]
    pub helpers: bool,
    /// Values that are what they seem.
    #[serde(default)]
    pub unless: Option<Pattern>,
    /// The option asks by being there; its value is not a command.
    #[serde(default)]
    pub bare: bool,
    #[serde(rename = "match")]
    pub matches: Vec<String>,
    pub pass: Vec<String>,
}
