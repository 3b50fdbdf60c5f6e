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
    /// Fail if recall@5 is less than this, in percent; up to 1 as a share
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(super) min_recall5: Option<f64>,
    /// Rank by words alone, without the encoder
    #[arg(long)]
    pub(super) words: bool,
    /// Give the search each query's "server_hint"
    #[arg(long)]
    pub(super) hints: bool,
}

/// 90 and 0.9 mean the same.
fn percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim_end_matches('%').parse().map_err(|_| "must be a number".to_owned())?;
    match number {
        share if (0.0..=1.0).contains(&share) => Ok(share * 100.0),
        percent if (1.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("must be from 0 to 100".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_percents_are_read() {
        assert_eq!(
            ["90", "0.9", "1", "0", "90%"].map(|text| percent(text).ok()),
            [90.0, 90.0, 100.0, 0.0, 90.0].map(Some)
        );
        assert!(["-1", "101", "NaN", "much"].iter().all(|text| percent(text).is_err()));
    }
}
