//! Permission profiles: `hermes_permissions.yaml` read, compiled and judged.
//!
//! Levels go from wide to narrow: global, session (the profile and what it extends), tool, and the
//! parameters of a call. Every level can only take away: a call goes through if no level denies it and every
//! level that lists what is allowed allows it. Deny beats ask beats allow, whatever the order.

mod analysis;
mod answer;
mod build;
mod cell;
mod config_level;
mod decode;
mod engine;
mod facts;
mod ground;
mod holds;
mod judged_paths;
mod level;
mod lint;
mod matchers;
mod model;
mod plainly;
mod rate;
mod restrict;
mod shipped;
mod shut_out;

pub use answer::{AccessExplanation, Answer, Explanation, LevelAnswers, LevelKind, Limit};
pub use build::{DEFAULT_PROFILE, Plan};
pub use cell::PolicyCell;
pub use config_level::ConfigLevel;
pub use decode::read_policy;
pub use engine::Engine;
pub use ground::{Ground, Known, KnownTool, Spelling};
pub use hermes_core::yaml::{At, Place, Problem, Severity};
pub use lint::lint;
pub use matchers::{Argument, CommandPattern, HostPattern, PathGlob, Wildcard};
pub use model::{Body, OfCommands, PolicyFile, Profile, Restriction, Rule, ToolBody};
pub use rate::{MinuteLedger, NotTaken, RateLedger};
pub use shipped::{SHIPPED, Shipped, read_shipped};
