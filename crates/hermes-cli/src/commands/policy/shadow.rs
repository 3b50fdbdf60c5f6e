//! Another policy file in place of the user's own, to see what it would change.

use std::path::Path;

use hermes_policy::profile::Engine;

use crate::app::{App, PolicyText};
use crate::commands::run::read_text;
use crate::failure::Failure;

/// The policy that would be in force with `file`, under the profile of the configuration or another.
pub(super) fn shadow(file: &Path, profile: Option<&str>, app: &App) -> Result<Engine, Failure> {
    let maker = app.policy.maker();
    let text = PolicyText { path: file.to_owned(), text: read_text(file)? };
    let texts = maker.in_place_of_own(text)?;
    maker.build(&texts, profile).map_err(|problems| Failure::policy(&problems))
}
