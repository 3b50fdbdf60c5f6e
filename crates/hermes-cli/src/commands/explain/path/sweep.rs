//! Operations over many files: what is closed is left out of their results.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use hermes_policy::paths::PathOp;
use regex::Regex;

use super::files::Kind;
use super::outcome::{Kept, Outcome};
use super::row::one;
use super::stage::Stage;

/// As far as a look goes.
const MOST_FILES: usize = 10_000;

/// Names by pattern. The part before the first wildcard is a path like any other.
pub(super) fn glob(stage: &Stage, path: &str, pattern: Option<&str>) -> Outcome {
    let wild = |text: &str| text.contains(['*', '?', '[', '{']);
    let (base, pattern) = match pattern {
        Some(pattern) => (path, pattern.to_owned()),
        None if wild(path) => (".", path.to_owned()),
        None => return one(stage, PathOp::Glob, path),
    };
    let steps: Vec<&str> = pattern.split('/').collect();
    let plain = steps.iter().take_while(|step| !wild(step)).count();
    let (before, after) = steps.split_at_checked(plain).unwrap_or((&steps, &[]));
    if after.iter().any(|step| step.contains("..")) {
        return Outcome::deny("climbing_pattern", "the pattern climbs behind a wildcard");
    }
    let prefix = before.join("/");
    let start = if pattern.starts_with(['/', '~']) {
        if prefix.is_empty() { "/".to_owned() } else { prefix }
    } else if prefix.is_empty() {
        base.to_owned()
    } else {
        format!("{base}/{prefix}")
    };
    let mut outcome = one(stage, PathOp::Glob, base);
    outcome.add(one(stage, PathOp::Glob, &start));
    let matcher =
        GlobBuilder::new(&after.join("/")).literal_separator(true).build().map(|glob| glob.compile_matcher());
    if let (true, Ok(forms), Ok(matcher)) = (outcome.is_allowed(), stage.forms(&start), matcher) {
        outcome.kept = left_out(stage, &forms.resolved, |relative, _| fits(&matcher, relative));
    }
    outcome
}

fn fits(matcher: &GlobMatcher, relative: &Path) -> bool {
    matcher.is_match(relative)
}

/// Content by pattern.
pub(super) fn search(stage: &Stage, path: &str, pattern: Option<&str>) -> Outcome {
    let mut outcome = one(stage, PathOp::Search, path);
    let Some(pattern) = pattern.filter(|_| stage.is_confined() && outcome.is_allowed()) else {
        return outcome;
    };
    let Ok(wanted) = Regex::new(pattern).or_else(|_| Regex::new(&regex::escape(pattern))) else {
        return outcome;
    };
    if let Ok(forms) = stage.forms(path) {
        let has = |file: &Path| stage.files.text(file).is_some_and(|text| wanted.is_match(&text));
        outcome.kept = left_out(stage, &forms.resolved, |_, file| has(file));
    }
    outcome
}

/// Whether something below the folder would be a result if it were not closed, or not behind a link.
fn left_out(stage: &Stage, folder: &Path, is_result: impl Fn(&Path, &Path) -> bool) -> Option<Kept> {
    if !stage.is_confined() {
        return None;
    }
    let mut pending = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(next) = pending.pop() {
        for child in stage.files.children(&next) {
            seen += 1;
            if seen > MOST_FILES {
                return Some(Kept::Inside);
            }
            let relative = child.strip_prefix(folder).unwrap_or(&child).to_owned();
            let Some((object, is_closed)) = object(stage, &child) else { continue };
            let shown = if object.is_dir { under(stage, &object.path) } else { vec![object.path.clone()] };
            if is_closed
                && (is_result(&relative, &child) || shown.iter().any(|file| is_result(&relative, file)))
            {
                return Some(Kept::Inside);
            }
            if stage.files.kind(&child) == Some(Kind::Folder) {
                pending.push(child);
            }
        }
    }
    None
}

struct Object {
    path: PathBuf,
    is_dir: bool,
}

/// What the entry leads to, and whether reading that is closed.
fn object(stage: &Stage, entry: &Path) -> Option<(Object, bool)> {
    let forms = stage.forms(entry.to_str()?).ok()?;
    let is_closed = !stage.judge(&forms, PathOp::Read).is_allowed();
    let is_link = stage.files.kind(entry) == Some(Kind::Link);
    let is_dir = is_link && stage.files.kind(&forms.resolved) == Some(Kind::Folder);
    Some((Object { path: forms.resolved, is_dir }, is_closed))
}

/// The files directly in a folder that a link leads to.
fn under(stage: &Stage, folder: &Path) -> Vec<PathBuf> {
    stage.files.children(folder).into_iter().take(MOST_FILES).collect()
}
