//! What the command takes.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct SearchEvalArgs {
    /// Tools, one JSON object a line: {"name", "description", "parameters"?, "tool"?, "server"?, "catalogs"?}
    #[arg(long, value_name = "FILE")]
    pub(super) catalog: PathBuf,
    /// Queries, one JSON object a line: {"query_id", "query", "gold": [names], "catalog"?, "mode"?, "source"?}
    #[arg(long, value_name = "FILE")]
    pub(super) queries: PathBuf,
    /// Write the rankings here, one {"query_id", "ranked"} a line
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    /// Fail if recall@5 is less than this, in percent
    #[arg(long, value_name = "PERCENT")]
    pub(super) min_recall5: Option<f64>,
    /// Rank by words alone, without the encoder
    #[arg(long)]
    pub(super) words: bool,
    /// Give the search each query's "server_hint"
    #[arg(long)]
    pub(super) hints: bool,
}
