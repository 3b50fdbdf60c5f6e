//! Archives: where each entry would land.

use hermes_policy::paths::PathOp;
use serde_json::{Map, Value};

use super::outcome::Outcome;
use super::stage::Stage;

/// More than this is a bomb, whatever it says it is.
const MOST_ENTRIES: usize = 100_000;
const MOST_BYTES: u64 = 8 << 30;
/// A file that grows to this many times its packed size is a bomb.
const MOST_GROWTH: u64 = 1_000;

pub(super) fn judge(stage: &Stage, archive: &str, row: &Map<String, Value>) -> Outcome {
    let mut outcome = match stage.forms(archive) {
        Ok(forms) => stage.judge(&forms, PathOp::Read),
        Err(refused) => return refused,
    };
    let folder =
        row.get("dest").and_then(Value::as_str).map_or_else(|| ".".to_owned(), |text| stage.expand(text));
    outcome.add(landing(stage, &folder));
    let entries = row.get("entries").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if entries.len() > MOST_ENTRIES || bytes(entries) > MOST_BYTES || entries.iter().any(grows_too_much) {
        outcome.add(Outcome::deny("archive_bomb", "the archive would unpack to more than is sensible"));
    }
    for entry in entries {
        outcome.add(one_entry(stage, &folder, entry));
    }
    outcome
}

fn one_entry(stage: &Stage, folder: &str, entry: &Value) -> Outcome {
    let name = entry.get("name").and_then(Value::as_str).or_else(|| entry.as_str()).unwrap_or_default();
    let kind = entry.get("type").and_then(Value::as_str).unwrap_or("file").to_lowercase();
    if !matches!(kind.as_str(), "file" | "dir" | "directory" | "folder" | "regular") {
        return Outcome::deny(
            "archive_entry",
            "the archive holds a link, a device or something else that is no file",
        );
    }
    let mode = entry.get("mode").map(|mode| mode.as_u64().unwrap_or_else(|| octal(mode))).unwrap_or(0);
    if mode & 0o6000 != 0 {
        return Outcome::deny(
            "archive_entry",
            "the archive holds a file that would run with another user's rights",
        );
    }
    let climbs = name.split(['/', '\\']).any(|part| part == "..");
    let absolute = name.starts_with(['/', '\\', '~']) || name.get(1..2) == Some(":");
    if name.is_empty() || climbs || absolute {
        return Outcome::deny(
            "archive_entry",
            "an entry of the archive leads out of the folder it is unpacked into",
        );
    }
    landing(stage, &format!("{folder}/{name}"))
}

fn landing(stage: &Stage, path: &str) -> Outcome {
    match stage.forms(path) {
        Ok(forms) => stage.judge(&forms, PathOp::Extract),
        Err(refused) => refused,
    }
}

fn octal(mode: &Value) -> u64 {
    let digits = mode.as_str().unwrap_or_default().trim_start_matches("0o");
    u64::from_str_radix(digits, 8).unwrap_or(0)
}

fn bytes(entries: &[Value]) -> u64 {
    entries.iter().filter_map(|entry| entry.get("size")?.as_u64()).fold(0, u64::saturating_add)
}

fn grows_too_much(entry: &Value) -> bool {
    let number = |name: &str| entry.get(name).and_then(Value::as_u64);
    let packed = number("compressed_size").or_else(|| number("compressed")).or_else(|| number("packed"));
    matches!((number("size"), packed), (Some(size), Some(packed)) if size / packed.max(1) > MOST_GROWTH)
}
