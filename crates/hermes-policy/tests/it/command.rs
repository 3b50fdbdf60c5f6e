//! The judgement of commands: rules prove themselves, corpora hold the bars.

mod anything;
mod corpus;
mod effects;
mod rules;
