//! Names that resemble one that is not there.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use hermes_core::{CallContext, Permission, ToolError};
use rustix::fs::{Dir, OFlags};

use super::Workspace;
use super::open::open_exact;
use super::spelling::{meant, spelled};

/// Enough for any folder a person works in; a larger one is searched in part.
const MAX_NAMES: usize = 20_000;
/// How alike two names must be, from 0 to 1.
const ALIKE: f64 = 0.35;

impl Workspace {
    /// Up to `limit` files beside the missing `raw` whose names resemble it, best first, spelled so that
    /// they can be used in place of `raw`. Shows names only, and hidden ones only if `raw` is hidden too.
    pub fn similar(&self, cx: &CallContext, raw: &str, limit: usize) -> Result<Vec<String>, ToolError> {
        let path = self.judge(cx, raw, &Permission::FILE_READ)?;
        let (Some(parent), Some(wanted)) = (path.parent(), path.file_name()) else { return Ok(Vec::new()) };
        let Ok(mut folder) = open_exact(parent, OFlags::RDONLY | OFlags::DIRECTORY).and_then(Dir::read_from)
        else {
            return Ok(Vec::new());
        };
        let read = std::iter::from_fn(|| folder.read()?.ok()).take(MAX_NAMES);
        let names: Vec<OsString> =
            read.map(|entry| OsString::from_vec(entry.file_name().to_bytes().to_vec())).collect();
        Ok(alike(raw, &wanted.to_string_lossy(), names.iter().map(OsString::as_os_str), limit))
    }
}

/// Those of `names`, in the folder of `raw`, that resemble `wanted`, best first and spelled like `raw`.
pub(crate) fn alike<'a>(
    raw: &str,
    wanted: &str,
    names: impl Iterator<Item = &'a OsStr>,
    limit: usize,
) -> Vec<String> {
    let is_shown = |name: &&OsStr| {
        !matches!(name.as_bytes(), b"." | b"..")
            && (!name.as_bytes().starts_with(b".") || wanted.starts_with('.'))
    };
    let scored = names.filter(is_shown).map(|name| (likeness(wanted, &name.to_string_lossy()), name));
    let mut scored: Vec<(f64, &OsStr)> = scored.filter(|(score, _)| *score >= ALIKE).collect();
    scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then_with(|| left.cmp(right)));
    let beside = meant(raw);
    scored.into_iter().take(limit).map(|(_, name)| spelled(&beside.with_file_name(name))).collect()
}

/// How alike two names are: the share of letter pairs they have in common, without regard to case.
fn likeness(wanted: &str, name: &str) -> f64 {
    let pairs = |text: &str| {
        let letters: Vec<char> =
            std::iter::once('^').chain(text.to_lowercase().chars()).chain(std::iter::once('$')).collect();
        let mut counts = HashMap::new();
        for pair in letters.windows(2) {
            *counts.entry(pair.to_vec()).or_insert(0_u32) += 1;
        }
        counts
    };
    let (left, right) = (pairs(wanted), pairs(name));
    let shared: u32 = left.iter().map(|(pair, count)| count.min(right.get(pair).unwrap_or(&0))).sum();
    let total: u32 = left.values().chain(right.values()).sum();
    if total == 0 { 0.0 } else { 2.0 * f64::from(shared) / f64::from(total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_score_high_and_strangers_low() {
        for (wanted, name) in
            [("config.yml", "config.yaml"), ("README.md", "readme.md"), ("tset.rs", "test.rs")]
        {
            assert!(likeness(wanted, name) > ALIKE, "{wanted} {name}: {}", likeness(wanted, name));
        }
        assert!(likeness("main.rs", "package-lock.json") < ALIKE);
    }
}
