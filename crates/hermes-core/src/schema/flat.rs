//! Several schemas that apply to one value, looked at as one.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// Rules from several places: fields and requirements add up, elsewhere the first word counts.
#[derive(Default)]
pub(crate) struct Flat<'a> {
    parts: Vec<&'a Map<String, Value>>,
}

impl<'a> Flat<'a> {
    pub(crate) fn add(&mut self, rules: &'a Map<String, Value>) {
        self.parts.push(rules);
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(crate) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|rules| rules.get(keyword))
    }

    pub(crate) fn has(&self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    /// The rules that have this keyword.
    pub(crate) fn with(&self, keyword: &str) -> Option<&'a Map<String, Value>> {
        self.parts.iter().find(|rules| rules.contains_key(keyword)).copied()
    }

    pub(crate) fn property(&self, name: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|rules| rules.get("properties")?.get(name))
    }

    /// All fields in order, each once.
    pub(crate) fn properties(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        let mut seen = HashSet::new();
        let maps = self.parts.iter().filter_map(|rules| rules.get("properties")?.as_object());
        maps.flatten().filter(move |(name, _)| seen.insert(name.as_str()))
    }

    /// All required names in order, each once.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'a str> {
        let mut seen = HashSet::new();
        let lists = self.parts.iter().filter_map(|rules| rules.get("required")?.as_array());
        lists.flatten().filter_map(Value::as_str).filter(move |name| seen.insert(*name))
    }

    /// The elements of a list-valued keyword.
    pub(crate) fn list(&self, keyword: &str) -> Option<&'a [Value]> {
        self.parts.iter().find_map(|rules| rules.get(keyword)?.as_array()).map(Vec::as_slice)
    }
}
