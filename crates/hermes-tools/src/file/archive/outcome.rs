//! What the model reads about an archive.

use serde::Serialize;

#[derive(Debug, Default, Serialize)]
pub struct Output {
    pub(crate) path: String,
    pub(crate) files: usize,
    pub(crate) bytes_in: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes_out: Option<u64>,
    /// Content for each byte of the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entries: Option<Vec<Listed>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Listed {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) size: u64,
}

/// Content for each byte of the archive.
pub(crate) fn ratio(content: u64, archive: u64) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "a ratio for people")]
    let ratio = content as f64 / archive.max(1) as f64;
    (content > 0).then(|| (ratio * 100.0).round() / 100.0)
}

/// How many files that were left out are named.
const NAMED: usize = 10;

/// What did not go in.
pub(crate) fn note(links: usize, closed: &[String]) -> Option<String> {
    let mut notes = Vec::new();
    if links > 0 {
        notes.push(format!(
            "{links} symbolic links, special files and files whose names are no text were left out."
        ));
    }
    if !closed.is_empty() {
        let (count, named) =
            (closed.len(), closed.get(..NAMED.min(closed.len())).unwrap_or_default().join(", "));
        let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
        notes.push(format!("{count} files that may not be read were left out: {named}{more}."));
    }
    (!notes.is_empty()).then(|| notes.join(" "))
}
