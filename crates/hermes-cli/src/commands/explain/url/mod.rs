//! `hermes explain url`: whether a URL would be fetched. Nothing is looked up and nothing is contacted.

mod answer;
mod args;
mod dns;
mod run;

pub(crate) use args::UrlArgs;
pub(crate) use run::run;
