//! What happened in the background: a command ended, or printed a line somebody waits for.

use super::record::{Record, Status};
use crate::process::{Exit, Log};

/// Lines shown of one match, and bytes of one line.
const MOST_LINES: usize = 5;
const MOST_BYTES: usize = 400;

/// Something to tell about a command in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Ended {
        id: String,
        exit: Option<Exit>,
    },
    Printed {
        id: String,
        lines: Vec<String>,
    },
    /// The connection to where it runs was lost, and it may still run there.
    OutOfSight {
        id: String,
    },
}

/// What is new about the record, which then remembers that it was told.
pub(super) fn of(record: &mut Record, status: Status, log: impl FnOnce() -> Log) -> Vec<Notice> {
    let mut notices = Vec::new();
    if !record.watch_patterns.is_empty() && !record.told {
        let lines = matches(record, &log(), status != Status::Running);
        if !lines.is_empty() {
            notices.push(Notice::Printed { id: record.id.clone(), lines });
        }
    }
    let id = record.id.clone();
    let notice = match status {
        Status::Running => return notices,
        Status::Exited(exit) => Notice::Ended { id, exit: Some(exit) },
        Status::Lost => Notice::Ended { id, exit: None },
        Status::OutOfSight => Notice::OutOfSight { id },
    };
    if record.notify_on_complete && !record.told {
        notices.push(notice);
    }
    record.told = true;
    notices
}

/// New lines with a pattern in them. A line is looked at once it is whole, so none is missed or told twice.
fn matches(record: &mut Record, log: &Log, ended: bool) -> Vec<String> {
    let skipped = usize::try_from(record.searched.saturating_sub(log.begins)).unwrap_or(usize::MAX);
    let new = log.bytes.get(skipped..).unwrap_or_default();
    let whole = if ended { new.len() } else { memchr::memrchr(b'\n', new).map_or(0, |at| at + 1) };
    let new = new.get(..whole).unwrap_or_default();
    record.searched = log.begins.max(record.searched) + u64::try_from(whole).unwrap_or_default();
    let text = hermes_core::text::printed(&String::from_utf8_lossy(new));
    let has_pattern = |line: &&str| record.watch_patterns.iter().any(|pattern| line.contains(pattern));
    let cut = |line: &str| line.chars().take(MOST_BYTES).collect();
    let found: Vec<&str> = text.lines().filter(has_pattern).collect();
    found.iter().rev().take(MOST_LINES).rev().map(|line| cut(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            id: "p".into(),
            session: "s".into(),
            command: "c".into(),
            cwd: "/".into(),
            backend: "local".into(),
            sandbox: "sealed".into(),
            lacking: None,
            bounds: None,
            identity: None,
            pid: 1,
            started_ms: 0,
            pty: false,
            notify_on_complete: true,
            watch_patterns: vec!["ready".into()],
            custodian: 0,
            born: None,
            boot: String::new(),
            told: false,
            searched: 0,
            ended_there: false,
        }
    }

    #[test]
    fn a_pattern_is_found_once_however_its_line_came() {
        let mut record = record();
        let mut told = Vec::new();
        let whole = "one\nserver is ready\nready again\nno end, ready";
        for end in 0..=whole.len() {
            let log = Log { bytes: whole.as_bytes()[..end].to_vec(), ..Log::default() };
            told.extend(of(&mut record, Status::Running, || log));
        }
        let exit = Exit { code: Some(0), signal: None, left_behind: 0 };
        let log = Log { bytes: whole.as_bytes().to_vec(), ..Log::default() };
        told.extend(of(&mut record, Status::Exited(exit), || log.clone()));
        told.extend(of(&mut record, Status::Exited(exit), || log));
        let printed = |line: &str| Notice::Printed { id: "p".into(), lines: vec![line.into()] };
        let expected = [
            printed("server is ready"),
            printed("ready again"),
            printed("no end, ready"),
            Notice::Ended { id: "p".into(), exit: Some(exit) },
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn output_that_was_dropped_is_not_searched_twice() {
        let mut record = Record { searched: 10, ..record() };
        let log = Log { begins: 20, bytes: b"ready\n".to_vec(), ..Log::default() };
        assert_eq!(of(&mut record, Status::Running, || log).len(), 1);
        assert_eq!(record.searched, 26);
    }
}
