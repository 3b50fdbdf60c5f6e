//! Places in a session's folder that rules single out: which are there, which came to be there while a program ran,
//! and what becomes of those.

mod copied;
mod copies;
mod expected;
mod git_files;
mod git_named;
mod git_settings;
mod gitlinks;
mod harmless;
mod led;
mod left;
mod listing;
mod locked;
mod nested;
mod planted;
mod quarantine;
mod repository;
mod search;
mod since;
mod vacant;
mod way;

pub(crate) use copies::Copies;
pub(crate) use expected::{expect, expect_within, settle, withdraw};
pub(crate) use git_named::{OF_HOME, named_by_settings};
pub(crate) use led::{Folders, Leading, led_to};
pub(crate) use planted::without_planted_links;
pub use quarantine::Taken;
pub(crate) use quarantine::taken;
pub(crate) use repository::Repository;
pub(crate) use search::{NESTED, Search, names_below};
pub(crate) use vacant::QUARANTINE;
pub use vacant::Vacant;
pub(crate) use way::way_to;
