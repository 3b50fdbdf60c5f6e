//! Rules carry examples of what they must and must not catch; a rule that fails its own is refused.

use std::fmt;

use super::launcher::Launcher;
use super::pattern::Pattern;
use super::rules::Rules;
use crate::command::judge::judge_by;
use crate::command::model::{Class, Judgement, Stage};

/// What is wrong with a rule, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    pub file: String,
    pub rule: String,
    pub problem: String,
}

impl RuleError {
    pub(crate) fn new(file: impl Into<String>, rule: impl Into<String>, problem: impl Into<String>) -> Self {
        RuleError { file: file.into(), rule: rule.into(), problem: problem.into() }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: rule {}: {}", self.file, self.rule, self.problem)
    }
}

impl std::error::Error for RuleError {}

/// Where examples are judged.
pub(super) fn stage() -> Stage {
    Stage {
        home: "/home/agent".to_owned(),
        cwd: "/workspace".to_owned(),
        writable: vec!["/workspace".to_owned(), "/tmp".to_owned()],
        hermes_home: "/home/agent/.hermes".to_owned(),
    }
}

struct Examples<'a> {
    file: &'static str,
    name: &'a str,
    matches: &'a [String],
    pass: &'a [String],
}

/// Judges all examples; returns how many there were, or everything that is wrong.
pub(super) fn check(rules: &Rules) -> Result<usize, Vec<RuleError>> {
    let stage = stage();
    let mut count = 0;
    let mut errors = Vec::new();
    for examples in all(rules) {
        let wrong = |problem: String| RuleError::new(examples.file, examples.name, problem);
        if examples.matches.is_empty() || examples.pass.is_empty() {
            errors.push(wrong("needs at least one example to match and one to pass".to_owned()));
        }
        for text in examples.matches {
            if !names(&judge_by(rules, &[], text, &stage), examples.name) {
                errors.push(wrong(format!("does not match its example: {text}")));
            }
        }
        for text in examples.pass {
            if names(&judge_by(rules, &[], text, &stage), examples.name) {
                errors.push(wrong(format!("matches what it must pass: {text}")));
            }
        }
        count += examples.matches.len() + examples.pass.len();
    }
    for (name, problem) in patterns(rules).filter_map(|(name, pattern)| Some((name, pattern.problem()?))) {
        errors.push(RuleError::new("rules", name, problem));
    }
    for launcher in &rules.launchers {
        match check_launcher(rules, launcher, &stage) {
            Ok(examples) => count += examples,
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(count) } else { Err(errors) }
}

/// Every pattern of the rules, and whose it is.
fn patterns(rules: &Rules) -> impl Iterator<Item = (&str, &Pattern)> {
    let programs = rules.programs.iter().flat_map(|program| &program.rules).flat_map(|rule| {
        let all = [&rule.option, &rule.operand, &rule.unless, &rule.last];
        all.into_iter().flatten().map(|pattern| (rule.name.as_str(), pattern))
    });
    let variables =
        rules.variables.iter().filter_map(|given| Some((given.name.as_str(), given.value.as_ref()?)));
    let languages =
        rules.languages.iter().filter_map(|language| Some(("languages", language.forbidden.as_ref()?)));
    programs.chain(variables).chain(languages)
}

/// A launcher has no finding of its own: what it launches is found, or is not.
fn check_launcher(rules: &Rules, launcher: &Launcher, stage: &Stage) -> Result<usize, RuleError> {
    let name = launcher.names.first().map(String::as_str).unwrap_or_default();
    let stopped = |text: &String| judge_by(rules, &[], text, stage).class >= Class::Ask;
    let missed = launcher.matches.iter().find(|text| !stopped(text));
    if let Some(text) = missed.or_else(|| launcher.pass.iter().find(|text| stopped(text))) {
        let problem = format!("is not judged by what it launches: {text}");
        return Err(RuleError::new("rules/launchers.yaml", name, problem));
    }
    Ok(launcher.matches.len() + launcher.pass.len())
}

pub(super) fn names(judgement: &Judgement, rule: &str) -> bool {
    judgement.findings.iter().any(|finding| finding.rule == rule)
}

fn all(rules: &Rules) -> impl Iterator<Item = Examples<'_>> {
    let programs = rules.programs.iter().flat_map(|program| &program.rules).map(|rule| Examples {
        file: "rules/programs",
        name: &rule.name,
        matches: &rule.matches,
        pass: &rule.pass,
    });
    let options = rules.options.iter().map(|option| Examples {
        file: "rules/launch_options.yaml",
        name: &option.name,
        matches: &option.matches,
        pass: &option.pass,
    });
    let variables = rules.variables.iter().map(|variable| Examples {
        file: "rules/variables.yaml",
        name: &variable.name,
        matches: &variable.matches,
        pass: &variable.pass,
    });
    programs.chain(options).chain(variables)
}
