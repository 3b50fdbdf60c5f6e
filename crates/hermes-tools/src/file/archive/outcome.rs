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

/// What did not go in.
pub(crate) fn note(links: usize, closed: usize) -> Option<String> {
    let mut notes = Vec::new();
    if links > 0 {
        notes.push(format!(
            "{links} symbolic links, special files and files whose names are no text were left out."
        ));
    }
    if closed > 0 {
        notes.push(format!("{closed} files that policy keeps closed were left out."));
    }
    (!notes.is_empty()).then(|| notes.join(" "))
}
