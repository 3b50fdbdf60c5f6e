//! Rules that people add in their configuration (`dangerous_patterns`), held to the same examples.

use regex::Regex;
use serde::Deserialize;

use super::check::{RuleError, names, stage};
use super::rules::Rules;
use crate::command::judge::judge_by;
use crate::command::model::Class;

/// A rule as it is written in a configuration file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserRule {
    pub name: String,
    /// Only for this program, by its name after wrappers are taken off.
    #[serde(default)]
    pub program: Option<String>,
    /// A regular expression on the resolved command: its words, joined by single spaces.
    #[serde(default)]
    pub pattern: Option<String>,
    /// `ask` or `deny`.
    pub class: Class,
    #[serde(default = "category")]
    pub category: String,
    pub reason: String,
    #[serde(rename = "match")]
    pub matches: Vec<String>,
    pub pass: Vec<String>,
}

fn category() -> String {
    "user_rule".to_owned()
}

/// A user rule that was read and proved by its examples.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub rule: UserRule,
    pub pattern: Option<Regex>,
}

/// The rules of one configuration.
#[derive(Clone, Debug, Default)]
pub struct UserRules {
    pub(crate) rules: Vec<Compiled>,
}

impl UserRules {
    /// Reads a YAML list of rules and judges their examples. `file` is named in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, RuleError> {
        let rules: Vec<UserRule> = serde_saphyr::from_str(text)
            .map_err(|error| RuleError::new(file, "dangerous_patterns", error.to_string()))?;
        Self::check(file, rules)
    }

    /// Takes rules that were read as part of a larger file.
    pub fn check(file: &str, rules: Vec<UserRule>) -> Result<Self, RuleError> {
        let mut compiled = Vec::with_capacity(rules.len());
        for rule in rules {
            compiled.push(compile(file, rule)?);
        }
        Ok(UserRules { rules: compiled })
    }
}

fn compile(file: &str, rule: UserRule) -> Result<Compiled, RuleError> {
    let wrong = |problem: String| RuleError::new(file, rule.name.as_str(), problem);
    if rule.class < Class::Ask {
        return Err(wrong("class must be ask or deny: a rule can only make the policy stricter".to_owned()));
    }
    if rule.program.is_none() && rule.pattern.is_none() {
        return Err(wrong("needs a program or a pattern".to_owned()));
    }
    if rule.matches.is_empty() || rule.pass.is_empty() {
        return Err(wrong("needs at least one example under match and one under pass".to_owned()));
    }
    let pattern =
        rule.pattern.as_deref().map(Regex::new).transpose().map_err(|error| wrong(error.to_string()))?;
    let compiled = [Compiled { rule: rule.clone(), pattern }];
    let shipped = Rules::shipped().map_err(RuleError::clone)?;
    let stage = stage();
    for text in &rule.matches {
        if !names(&judge_by(shipped, &compiled, text, &stage), &rule.name) {
            return Err(wrong(format!("does not match its example: {text}")));
        }
    }
    for text in &rule.pass {
        if names(&judge_by(shipped, &compiled, text, &stage), &rule.name) {
            return Err(wrong(format!("matches what it must pass: {text}")));
        }
    }
    let [compiled] = compiled;
    Ok(compiled)
}
