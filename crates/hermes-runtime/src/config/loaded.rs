//! A loaded configuration, and the answer to "why is this set?".

use serde_json::Value;

use super::error::{ConfigError, ErrorKind, WhyError};
use super::key::{KeyPath, Step};
use super::model::Config;
use super::nearest::nearest;
use super::node::{Finding, Node, Pos};
use super::origin::{Origin, Place, Spot};
use super::replaced::replaced_by;
use super::shape::Shape;

/// A configuration that passed every check, with the layers it was made from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    /// Settings that are odd, and were read as the nearest that makes sense.
    pub notices: Vec<ConfigError>,
    effective: Value,
    sources: Vec<Source>,
}

/// Where the value of a key comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The value in force.
    pub value: Value,
    /// The place that set it. For a table: the strongest layer that set anything in it.
    pub origin: Place,
    /// What weaker layers said, strongest first. For a table: their shares in it.
    pub overridden: Vec<(Place, Value)>,
}

/// One layer as it was read. Every environment variable and every flag is a layer of its own.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) origin: Origin,
    pub(super) name: Option<String>,
    pub(super) root: Node,
}

impl Source {
    pub(super) fn place(&self, at: Pos) -> Place {
        let spot = match &self.name {
            Some(name) => Spot::Name(name.clone()),
            None => Spot::Text { line: at.line, column: at.column },
        };
        Place { origin: self.origin.clone(), spot: Some(spot) }
    }

    pub(super) fn error(&self, finding: Finding) -> ConfigError {
        let Finding { at, key, kind, message, hint } = finding;
        ConfigError { place: self.place(at), key, kind, message, hint }
    }
}

impl Loaded {
    pub(super) fn new(
        config: Config,
        effective: Value,
        sources: Vec<Source>,
        notices: Vec<ConfigError>,
    ) -> Self {
        Loaded { config, notices, effective, sources }
    }

    /// All settings in force, defaults included, in the order of the documentation.
    pub fn effective(&self) -> Value {
        self.effective.clone()
    }

    /// Where the value of a dotted key comes from, and what it overrode.
    pub fn why(&self, key: &str) -> Result<Why, WhyError> {
        let unknown = || WhyError::Unknown { key: key.to_owned(), nearest: self.nearest_key(key) };
        let path = KeyPath::parse(key).ok_or_else(unknown)?;
        let Some(value) = value_at(&self.effective, &path) else {
            return Err(match Shape::root().at_key(&path) {
                None => unknown(),
                Some(_) => WhyError::Unset { key: key.to_owned(), nearest: near(key, &self.entries()) },
            });
        };
        let mut history = self.history(&path);
        let origin = history.pop().map_or(Place::defaults(), |(place, _)| place);
        history.reverse();
        Ok(Why { value: value.clone(), origin, overridden: history })
    }

    /// An error at the place where a key got its value, for rules that only the caller knows (names of tools,
    /// toolsets and plugins). The key may end in an index: `toolsets[1]`.
    pub fn error_at(&self, key: &str, message: impl Into<String>, hint: Option<String>) -> ConfigError {
        let place = KeyPath::parse(key).and_then(|path| self.history(&path).pop()).map(|(place, _)| place);
        ConfigError {
            place: place.unwrap_or(Place::defaults()),
            key: key.to_owned(),
            kind: ErrorKind::NotAllowed,
            message: message.into(),
            hint,
        }
    }

    /// Who set a key to what, weakest first.
    fn history(&self, path: &KeyPath) -> Vec<(Place, Value)> {
        let built_in = serde_json::to_value(Config::default()).ok();
        let built_in = built_in.as_ref().and_then(|defaults| value_at(defaults, path)).cloned();
        // Lists are replaced whole: only the strongest one says anything about its items.
        let list = path.list();
        let replaced =
            list.and_then(|list| self.sources.iter().rposition(|source| source.root.at_key(&list).is_some()));
        let built_in = if replaced.is_none() { built_in } else { None };
        let first = replaced.max(replaced_by(&self.sources, path)).unwrap_or(0);
        let set = self.sources.iter().skip(first).filter_map(|source| {
            let node = source.root.at_key(path).filter(|node| !node.is_null())?;
            Some((source.place(node.at), node.to_value()))
        });
        built_in.map(|value| (Place::defaults(), value)).into_iter().chain(set).collect()
    }

    fn nearest_key(&self, key: &str) -> Option<String> {
        let mut known = Shape::root().keys(&KeyPath::default());
        known.extend(self.entries());
        // A bare last name is as good as a misspelt whole.
        near(key, &known).or_else(|| known.into_iter().find(|known| known.rsplit('.').next() == Some(key)))
    }

    fn entries(&self) -> Vec<String> {
        entries(&self.effective, Shape::root(), &KeyPath::default())
    }
}

fn near(key: &str, known: &[String]) -> Option<String> {
    nearest(key, known.iter().map(String::as_str)).map(str::to_owned)
}

fn value_at<'a>(value: &'a Value, path: &KeyPath) -> Option<&'a Value> {
    path.steps().iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}

/// The keys of maps, which the shape alone does not know.
fn entries(value: &Value, shape: &Shape, prefix: &KeyPath) -> Vec<String> {
    let Some(map) = value.as_object() else { return Vec::new() };
    let below = map.iter().filter_map(|(name, value)| {
        let inner = shape.step(&Step::Name(name.clone()))?;
        let key = prefix.join(name);
        let mut keys = entries(value, inner, &key);
        if matches!(shape, Shape::Map(_)) {
            keys.insert(0, key.to_string());
            keys.extend(inner.keys(&key));
        }
        Some(keys)
    });
    below.flatten().collect()
}
