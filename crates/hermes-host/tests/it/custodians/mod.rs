//! Those who keep programs.

mod again;
mod killed;
mod processes;
mod stopped;
