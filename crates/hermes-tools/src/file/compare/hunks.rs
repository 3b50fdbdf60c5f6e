//! The differing runs of lines, one by one.

use serde::Serialize;

use crate::file::text::unified::Compared;

#[derive(Debug, Serialize)]
pub struct Hunk {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Counted from 1.
    left_line: usize,
    left: Vec<String>,
    right_line: usize,
    right: Vec<String>,
}

pub(crate) fn hunks(compared: &Compared<'_>, file: Option<&str>) -> Vec<Hunk> {
    let lines = |lines: Option<&[&str]>| -> Vec<String> {
        lines.unwrap_or_default().iter().map(|line| (*line).to_owned()).collect()
    };
    let runs = compared.groups(0).into_iter().flatten().filter(|run| !run.is_same);
    runs.map(|run| Hunk {
        file: file.map(str::to_owned),
        left_line: run.old.start + 1,
        left: lines(compared.old.get(run.old.clone())),
        right_line: run.new.start + 1,
        right: lines(compared.new.get(run.new.clone())),
    })
    .collect()
}
