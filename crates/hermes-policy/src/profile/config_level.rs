//! The `permissions` section of the configuration as one more level, below all others.

use std::path::{Path, PathBuf};

use hermes_core::Permission;

use super::ground::Ground;
use super::matchers::PathGlob;
use super::model::{Body, Restriction};
use crate::pattern::Pattern;
use hermes_core::yaml::{At, Place, Problem, quote};

/// What the configuration says, each with its place.
#[derive(Clone, Debug, Default)]
pub struct ConfigLevel {
    pub allow: Vec<At<String>>,
    pub deny: Vec<At<String>>,
    pub ask: Vec<At<String>>,
    /// Folders that may be read, with everything below them: absolute, by their letters.
    pub read_roots: Vec<At<PathBuf>>,
    /// The same for writing and deleting.
    pub write_roots: Vec<At<PathBuf>>,
    /// Globs of what is never written nor deleted. A bare name means it wherever it is.
    pub protected_paths: Vec<At<String>>,
}

impl ConfigLevel {
    /// The level, or what cannot be read of it.
    pub fn body(&self, ground: &Ground) -> Result<Body, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut patterns = |texts: &[At<String>]| -> Vec<At<Pattern>> {
            let mut read = Vec::new();
            for text in texts {
                match Pattern::parse(&text.value) {
                    Ok(value) => read.push(At { value, at: text.at.clone() }),
                    Err(error) => problems.push(Problem::error(text.at.clone(), error.to_string())),
                }
            }
            read
        };
        let mut body = Body {
            allow: Some(patterns(&self.allow)),
            deny: patterns(&self.deny),
            approval_required: patterns(&self.ask),
            ..Body::default()
        };
        let protected =
            globs(&self.protected_paths, &mut problems, |text| PathGlob::parse(&anywhere(text), ground));
        let folders = |roots: &[At<PathBuf>], problems: &mut Vec<Problem>| {
            let opens_all = roots.iter().any(|root| root.value == Path::new("/"));
            (!opens_all).then(|| globs(roots, problems, |root| PathGlob::folder(root, ground)))
        };
        let read = folders(&self.read_roots, &mut problems);
        let write = folders(&self.write_roots, &mut problems);
        for (permission, allowed, denied) in [
            (Permission::FILE_READ, read, Vec::new()),
            (Permission::FILE_WRITE, write.clone(), protected.clone()),
            (Permission::FILE_DELETE, write, protected),
        ] {
            if allowed.is_none() && denied.is_empty() {
                continue;
            }
            let Ok(value) = Pattern::parse(permission.as_str()) else { continue };
            let roots =
                if permission == Permission::FILE_READ { &self.read_roots } else { &self.write_roots };
            let at = roots.first().map_or_else(Place::nowhere, |root| root.at.clone());
            let mut restriction = Restriction::on(At { value, at });
            restriction.allowed_paths = allowed;
            restriction.denied_paths = denied;
            body.restrictions.push(restriction);
        }
        if problems.is_empty() { Ok(body) } else { Err(problems) }
    }
}

fn globs<T: std::fmt::Debug>(
    texts: &[At<T>],
    problems: &mut Vec<Problem>,
    read: impl Fn(&T) -> Result<PathGlob, String>,
) -> Vec<At<PathGlob>> {
    let mut globs = Vec::new();
    for text in texts {
        match read(&text.value) {
            Ok(value) => globs.push(At { value, at: text.at.clone() }),
            Err(why) => {
                let message =
                    format!("the path {} {why}", quote(format!("{:?}", text.value).trim_matches('"')));
                problems.push(Problem::error(text.at.clone(), message));
            }
        }
    }
    globs
}

/// A bare name such as `.env` means it in every folder.
fn anywhere(text: &str) -> String {
    let bare = !text.contains('/') && text != "~" && text != ".";
    if bare { format!("/**/{text}") } else { text.to_owned() }
}
