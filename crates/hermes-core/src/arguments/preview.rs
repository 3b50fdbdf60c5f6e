//! A value as compact JSON, cut short: for notes and error messages.

use std::io;

use serde_json::Value;

const MAX_CHARS: usize = 60;

pub(super) fn preview(value: &Value) -> String {
    let mut start = Start { bytes: Vec::new() };
    // The writer refuses what lies beyond the bound: that is how the work stays small.
    let whole = serde_json::to_writer(&mut start, value).is_ok();
    let text = String::from_utf8_lossy(&start.bytes);
    let cut = text.char_indices().nth(MAX_CHARS).map(|(index, _)| index);
    match cut {
        Some(index) => format!("{}…", text.get(..index).unwrap_or_default()),
        None if whole => text.into_owned(),
        None => format!("{}…", text.trim_end_matches('\u{fffd}')),
    }
}

/// Keeps the first bytes, then fails.
struct Start {
    bytes: Vec<u8>,
}

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = (4 * MAX_CHARS + 4).saturating_sub(self.bytes.len());
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.get(..room.min(bytes.len())).unwrap_or_default();
        self.bytes.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
