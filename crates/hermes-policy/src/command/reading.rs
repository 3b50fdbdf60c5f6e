//! Reading text that was found inside other text.

use super::scene::Scene;
use super::trial::Trial;
use crate::shell::{self, Script, Surroundings};

/// The inside of `$(…)`, `` `…` ``, `<(…)`.
pub(crate) fn inside(hint: &str) -> Option<&str> {
    let hint = hint.trim_matches('"');
    let inner =
        hint.strip_prefix("$(").or_else(|| hint.strip_prefix("<(")).or_else(|| hint.strip_prefix(">("));
    if let Some(inner) = inner {
        return (!inner.starts_with('(')).then(|| inner.strip_suffix(')').unwrap_or(inner));
    }
    hint.strip_prefix('`').map(|inner| inner.strip_suffix('`').unwrap_or(inner))
}

pub(crate) fn read(trial: &Trial<'_>, scene: &Scene<'_>, text: &str) -> Script {
    let cwd = scene.cwd().unwrap_or(&trial.stage.cwd);
    shell::read_in(text, &Surroundings { home: &trial.stage.home, cwd })
}

/// What the last command of a script would print, where that is certain.
pub(crate) fn output(script: &Script) -> Option<String> {
    let last = script.commands.len().checked_sub(1)?;
    shell::static_output(script, last)
}
