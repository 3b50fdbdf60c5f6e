//! The profiles that come with Hermes, as data.

use std::sync::Arc;

use super::decode::read_policy;
use super::ground::{Ground, Known};
use super::model::Profile;
use hermes_core::yaml::Problem;

/// A text that ships with Hermes and the profile in it.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    pub name: &'static str,
    /// What messages call the text.
    pub file: &'static str,
    pub text: &'static str,
}

impl Shipped {
    /// What the profile is for: the first line of the text.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(Shipped {
            name: $name,
            file: concat!("built-in/", $name, ".yaml"),
            text: include_str!(concat!("../profiles/", $name, ".yaml")),
        }),*]
    };
}

/// The shipped profiles, the one in force by default first.
pub const SHIPPED: &[Shipped] =
    shipped!["default", "unattended", "readonly_research", "full_developer", "production_deploy"];

/// The shipped profile of this name, if there is one.
pub fn read_shipped(name: &str, ground: &Ground) -> Result<Option<Arc<Profile>>, Vec<Problem>> {
    let Some(shipped) = SHIPPED.iter().find(|shipped| shipped.name == name) else { return Ok(None) };
    // Shipped texts may name tools that this build does not carry.
    let file = read_policy(shipped.file, shipped.text, ground, &Known::default())?;
    Ok(file.profiles.into_iter().next())
}
