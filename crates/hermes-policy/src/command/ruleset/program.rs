//! What one program does by subcommand and options, as it is written in a rule file.

use serde::Deserialize;

use super::pattern::Pattern;
use crate::command::model::{Class, EffectKind};

/// Everything known about a program, or several that take the same words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    pub names: Vec<String>,
    /// Options that take a value, so that the value is not taken for a subcommand.
    #[serde(default)]
    pub values: Vec<String>,
    /// `-name` is one option (Go and X style).
    #[serde(default)]
    pub words: bool,
    /// Options that make any call of it a look or a rehearsal.
    #[serde(default)]
    pub quiet: Vec<String>,
    /// Operands are local files whose content it sends or shows.
    #[serde(default)]
    pub reads: bool,
    /// Options whose value is a file that is written.
    #[serde(default)]
    pub writes: Vec<String>,
    /// Standard input holds commands, one a line.
    #[serde(default)]
    pub input: bool,
    /// Words that mean looking wherever they stand: `list`, `describe-*`.
    #[serde(default)]
    pub read_verbs: Vec<String>,
    /// Subcommands that only look. A trailing `*` matches the rest of a word.
    #[serde(default)]
    pub read_only: Vec<String>,
    /// Subcommands that change only what may be changed.
    #[serde(default)]
    pub safe: Vec<String>,
    /// What holds for a call that no rule and no list names.
    #[serde(default)]
    pub otherwise: Otherwise,
    /// Category and reason of `otherwise: ask`.
    #[serde(default)]
    pub category: String,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub rules: Vec<Rule>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Otherwise {
    ReadOnly,
    #[default]
    Safe,
    Ask,
    /// By the vocabulary for programs nobody wrote a rule for.
    Words,
}

/// One thing worth asking about. All conditions that are given must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub name: String,
    /// One of these subcommands, such as `push` or `remote remove`; a trailing `*` matches the rest.
    #[serde(default)]
    pub sub: Vec<String>,
    /// One of these words stands among the first four operands, alone or as `word-…` or `…:word`.
    #[serde(default)]
    pub verb: Vec<String>,
    /// One of these options, in full or cut short; `-o=value` asks for a value that begins so.
    #[serde(default)]
    pub flags: Vec<String>,
    /// All of these options.
    #[serde(default)]
    pub all: Vec<String>,
    /// A pattern for the name of an option.
    #[serde(default)]
    pub option: Option<Pattern>,
    /// None of these options, written in full.
    #[serde(default)]
    pub without: Vec<String>,
    /// A pattern for one of the operands behind the subcommand.
    #[serde(default)]
    pub operand: Option<Pattern>,
    /// A pattern that no operand behind the subcommand may match.
    #[serde(default)]
    pub unless: Option<Pattern>,
    /// A pattern for the last operand: where something goes.
    #[serde(default)]
    pub last: Option<Pattern>,
    /// There are operands behind `--`.
    #[serde(default)]
    pub dashed: bool,
    /// There is something behind the subcommand, or there is nothing.
    #[serde(default)]
    pub operands: Option<bool>,
    /// One of the operands is a disk, a partition or a volume.
    #[serde(default)]
    pub device: bool,
    #[serde(default = "ask")]
    pub class: Class,
    pub category: String,
    pub reason: String,
    #[serde(default)]
    pub effect: Option<EffectKind>,
    #[serde(rename = "match")]
    pub matches: Vec<String>,
    pub pass: Vec<String>,
}

impl Program {
    /// An option that a rule gives a value takes one.
    pub fn learn_values(&mut self) {
        let named = self.rules.iter().flat_map(|rule| rule.flags.iter().chain(&rule.all)).chain(&self.quiet);
        let named = named.filter_map(|flag| flag.split_once('=')).map(|(name, _)| name.to_owned());
        let values: Vec<String> = named.chain(self.writes.iter().cloned()).collect();
        for value in values {
            if !self.values.contains(&value) {
                self.values.push(value);
            }
        }
    }
}

fn ask() -> Class {
    Class::Ask
}
