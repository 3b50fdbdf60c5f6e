//! `hermes policy trust`: a policy file that others write counts only as the user saw it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hermes_core::text::visible;

use crate::app::{PolicyMaker, PolicyText, ProjectPolicy, Surroundings, TrustStore, digest, project_policy};
use crate::commands::run::read_text;
use crate::failure::Failure;
use crate::render::{Style, print_text};

pub(super) fn trust(
    file: Option<&Path>,
    surroundings: &Surroundings,
    maker: &PolicyMaker,
    style: Style,
) -> Result<(), Failure> {
    let text = wanted(file, surroundings)?;
    // Agreeing to a file that cannot be used would only hide the mistake.
    maker.read(std::slice::from_ref(&text)).map_err(|problems| Failure::policy(&problems))?;
    TrustStore::of(&surroundings.home).add(&digest(&text.text), &text.path.display().to_string())?;
    print_text(&format!("{} {} as it is now\n", style.good("trusted"), shown(&text.path)))
}

pub(super) fn untrust(file: Option<&Path>, surroundings: &Surroundings, style: Style) -> Result<(), Failure> {
    let text = wanted(file, surroundings)?;
    let known = TrustStore::of(&surroundings.home).remove(&BTreeSet::from([digest(&text.text)]))?;
    let state = if known { style.good("no longer trusted") } else { style.dim("was not trusted") };
    print_text(&format!("{} {state}\n", shown(&text.path)))
}

fn wanted(file: Option<&Path>, surroundings: &Surroundings) -> Result<PolicyText, Failure> {
    let (path, text): (PathBuf, Option<String>) = match file {
        Some(file) => (file.to_owned(), Some(read_text(file)?)),
        None => {
            let ProjectPolicy { path, text, .. } = project_policy(surroundings)?;
            (path, text)
        }
    };
    let text = text.ok_or_else(|| Failure::usage(format!("there is no policy file at {}", shown(&path))))?;
    Ok(PolicyText { path, text })
}

/// Folders may be named by others.
fn shown(path: &Path) -> String {
    visible(&path.display().to_string()).replace('\n', "\\n")
}
