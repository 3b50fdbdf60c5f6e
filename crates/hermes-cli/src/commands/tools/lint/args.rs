//! What the command takes.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// Look at this file of tools, one JSON object a line, instead of the session's
    #[arg(long, value_name = "FILE")]
    pub(super) catalog: Option<PathBuf>,
    /// Fail if any server has a lower score, from 0 to 100
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(super) min_score: Option<u32>,
}
