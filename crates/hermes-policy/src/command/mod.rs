//! What a command line would do, judged by its programs, flags and targets.

mod model;

pub use model::{Class, Effect, EffectKind, Finding, Judgement, Stage};
