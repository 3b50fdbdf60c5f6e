//! Permission profiles: read, judged, explained.

mod agreement;
mod anything;
mod bombs;
mod cell;
mod commands;
mod everyday;
mod explain;
mod levels;
mod linted;
mod meeting;
mod mistakes;
mod paths;
mod random;
mod reference;
mod rules;
mod seed;
mod shipped;
mod support;
