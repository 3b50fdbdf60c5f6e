//! What a command line would do, judged by its programs, flags and targets.
//!
//! [`judge`] reads the text with [`crate::shell`], looks at every command in it and says what it would do
//! ([`Effect`]), what is worth asking about ([`Finding`]), and how grave the whole is ([`Class`]). What is
//! known about programs stands in the data files of `rules/`.

mod access;
mod amount;
mod archives;
mod args;
mod assignments;
mod awk;
mod bombs;
mod builtins;
mod call;
mod code;
mod containers;
mod copying;
mod dd;
mod debuggers;
mod deletion;
mod devices;
mod disks;
mod dispatch;
mod editors;
mod endless;
mod fetching;
mod finding;
mod floods;
mod folder;
mod generic;
mod git;
mod help;
mod hidden;
mod installers;
mod interpreters;
mod judge;
mod launched;
mod launching;
mod letters;
mod listing;
mod literals;
mod making;
mod media;
mod model;
mod modes;
mod options;
mod peel;
mod place;
mod processes;
mod produced;
mod readers;
mod reading;
mod redirects;
mod remote;
mod ruleset;
mod scene;
mod sed;
mod sensitive;
mod shells;
mod sockets;
mod sql;
mod stages;
mod statements;
mod table;
mod terminals;
mod tokens;
mod touched;
mod trial;
mod urls;
mod windows;
mod xargs;

pub(crate) use args::Arg;
pub use judge::{judge, judge_with};
pub(crate) use launched::{Launched, launched};
pub use model::{Class, Effect, EffectKind, Finding, Judgement, Stage};
pub use ruleset::{RuleError, Rules, UserRule, UserRules};
pub use stages::judge_on;
