//! Layers in, one checked configuration out, or everything that is wrong with them.

use serde_json::Value;

use super::check::check;
use super::env::ENV;
use super::error::{ConfigError, ErrorKind};
use super::generous::read_generously;
use super::given::given;
use super::key::KeyPath;
use super::loaded::{Loaded, Source};
use super::model::Config;
use super::nearest::nearest;
use super::node::{Finding, Node, Pos};
use super::origin::{Layer, Origin, Place};
use super::parse::parse;
use super::replaced::make_way;
use super::shape::Shape;
use super::together::agreed;

impl Config {
    /// Merges the layers, weakest first whatever their order here: tables key by key, everything else whole, and
    /// whole too the MCP servers that a project makes its own.
    ///
    /// `env_overrides` are environment variables of the table [`ENV`] with their values, `flags` dotted keys with
    /// theirs. Every layer is checked by itself, so a mistake is found even where a stronger layer hides it. On
    /// failure all errors come back, by layer and place.
    pub fn load(
        layers: &[Layer],
        env_overrides: &[(String, String)],
        flags: &[(String, String)],
    ) -> Result<Loaded, Vec<ConfigError>> {
        let mut sources: Vec<Source> = Vec::new();
        let mut errors = Vec::new();
        let mut notices = Vec::new();
        let read = layers
            .iter()
            .map(read_text)
            .chain(env_overrides.iter().filter_map(read_variable))
            .chain(flags.iter().map(read_flag));
        let mut read: Vec<Read> = read.collect();
        // Stable, so layers of one kind keep the order they were given in.
        read.sort_by_key(|read| read.source.origin.rank());
        for Read { mut source, mut findings } in read {
            let odd = read_generously(&mut source.root);
            notices.extend(odd.into_iter().map(|finding| source.error(finding)));
            findings.extend(check(&source.root, Shape::root()));
            findings.sort_by_key(|finding| finding.at);
            errors.extend(findings.into_iter().map(|finding| source.error(finding)));
            sources.push(source);
        }
        if errors.is_empty() { settle(sources, notices).and_then(agreed) } else { Err(errors) }
    }
}

struct Read {
    source: Source,
    findings: Vec<Finding>,
}

fn read_text(layer: &Layer) -> Read {
    let (root, findings) = parse(&layer.text);
    let root = root.unwrap_or(Node::broken(Pos::default()));
    Read { source: Source { origin: layer.origin.clone(), name: None, root }, findings }
}

fn read_variable((name, value): &(String, String)) -> Option<Read> {
    let Some(variable) = ENV.iter().find(|variable| variable.name == name) else {
        let finding = Finding::new(Pos::default(), ErrorKind::UnknownKey, "no such environment variable");
        let near = nearest(name, ENV.iter().map(|variable| variable.name));
        let finding = Finding { hint: near.map(|near| format!("did you mean {near}?")), ..finding };
        return Some(read_nothing(Origin::Environment, name, vec![finding]));
    };
    // Unset and empty are the same to most shells and service files.
    if variable.key.is_empty() || value.is_empty() {
        return None;
    }
    Some(read_given(Origin::Environment, name, variable.key, value))
}

fn read_flag((key, value): &(String, String)) -> Read {
    read_given(Origin::Flag, key, key, value)
}

fn read_given(origin: Origin, name: &str, key: &str, value: &str) -> Read {
    let Some(path) = KeyPath::parse(key) else {
        let finding = Finding::new(Pos::default(), ErrorKind::UnknownKey, "not a dotted key");
        return read_nothing(origin, name, vec![finding]);
    };
    if let Some(list) = path.list() {
        let finding =
            Finding::new(Pos::default(), ErrorKind::NotAllowed, "lists are set whole, without an index")
                .key(key);
        return read_nothing(origin, name, vec![finding.hint(format!("set {list}"))]);
    }
    match given(&path, value) {
        Ok(root) => {
            Read { source: Source { origin, name: Some(name.to_owned()), root }, findings: Vec::new() }
        }
        Err(findings) => {
            let findings = findings.into_iter().map(|finding| finding.key(key)).collect();
            read_nothing(origin, name, findings)
        }
    }
}

fn read_nothing(origin: Origin, name: &str, findings: Vec<Finding>) -> Read {
    Read {
        source: Source { origin, name: Some(name.to_owned()), root: Node::broken(Pos::default()) },
        findings,
    }
}

fn settle(sources: Vec<Source>, notices: Vec<ConfigError>) -> Result<Loaded, Vec<ConfigError>> {
    let build = || {
        let mut merged = serde_json::to_value(Config::default())?;
        for source in &sources {
            let over = source.root.to_value();
            make_way(&mut merged, source, &over);
            merge(&mut merged, over);
        }
        let config: Config = serde_json::from_value(merged)?;
        let effective = serde_json::to_value(&config)?;
        Ok((config, effective))
    };
    // The checks above cover all the decoder can refuse; a gap between them must still be an answer, not a panic.
    match build() {
        Ok((config, effective)) => Ok(Loaded::new(config, effective, sources, notices)),
        Err::<_, serde_json::Error>(error) => Err(vec![ConfigError {
            place: Place::defaults(),
            key: String::new(),
            kind: ErrorKind::Internal,
            message: format!("the checked settings could not be read: {error}"),
            hint: None,
        }]),
    }
}

/// Lays `over` on `base`.
fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        // The root of an empty text.
        (Value::Object(_), Value::Null) => {}
        (base, over) => *base = over,
    }
}
