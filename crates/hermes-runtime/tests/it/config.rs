//! Configuration through its public face: layers in, settings or the whole list of mistakes out.

// The helpers below are test code too, which clippy only sees in functions marked as tests.
#![allow(clippy::panic, clippy::expect_used)]

mod layers;
mod mistakes;
mod rules;
mod texts;
mod whole;

use hermes_runtime::config::{Config, ConfigError, Layer, Loaded, Origin};

fn user(text: &str) -> Layer {
    Layer::new(Origin::UserFile("user.yaml".into()), text)
}

fn project(text: &str) -> Layer {
    Layer::new(Origin::ProjectFile("project.yaml".into()), text)
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn load(text: &str) -> Result<Loaded, Vec<ConfigError>> {
    Config::load(&[user(text)], &[], &[])
}

#[track_caller]
fn good(text: &str) -> Loaded {
    load(text).unwrap_or_else(|errors| panic!("{}", lines(&errors)))
}

#[track_caller]
fn bad(text: &str) -> Vec<ConfigError> {
    load(text).map(|_| ()).expect_err("the text was accepted")
}

fn lines(errors: &[ConfigError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    assert_eq!(lines(&bad(text)), expected.join("\n"), "{text}");
}
