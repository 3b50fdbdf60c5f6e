//! The judgement of commands: rules prove themselves, corpora hold the bars.

mod corpus;
mod rules;
mod speed;
