//! What a custodian tells about the program it keeps.

use rustix::process::{Pid, getpid};

use super::bytes::{Reader, Writer};
use crate::process::{Bounds, Exit, Held, Level};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Started {
        pid: u32,
        /// The process that keeps it, which ends after it.
        custodian: u32,
        held: Held,
    },
    Failed {
        reason: String,
    },
    Ended(Exit),
    /// Nothing was begun: somebody changed the bounds of the keeper, so that another keeper has to start it.
    Unfit,
}

const STARTED: u64 = 1;
const FAILED: u64 = 2;
const ENDED: u64 = 3;
const UNFIT: u64 = 4;

impl Report {
    /// No report has more bytes.
    pub(crate) const LONGEST: usize = 4096;

    /// Said by the custodian itself.
    pub(super) fn started(root: Pid, held: Held) -> Self {
        let number = |pid: Pid| pid.as_raw_pid().unsigned_abs();
        Report::Started { pid: number(root), custodian: number(getpid()), held }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Report::Started { pid, custodian, held } => writer
                .number(STARTED)
                .number(u64::from(*pid))
                .number(u64::from(*custodian))
                .number(held.level as u64)
                .perhaps(held.bounds.map(|bounds| bounds as u64))
                .bytes(cut(held.lacking.as_deref().unwrap_or_default())),
            Report::Failed { reason } => writer.number(FAILED).bytes(cut(reason)),
            Report::Ended(exit) => writer
                .number(ENDED)
                .number(small(exit.code))
                .number(small(exit.signal))
                .number(u64::from(exit.left_behind)),
            Report::Unfit => writer.number(UNFIT),
        };
        writer.framed()
    }

    pub(crate) fn decode(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        Some(match reader.number()? {
            STARTED => Report::Started {
                pid: u32::try_from(reader.number()?).ok()?,
                custodian: u32::try_from(reader.number()?).ok()?,
                held: Held {
                    level: match reader.number()? {
                        0 => Level::Open,
                        1 => Level::Fenced,
                        _ => Level::Sealed,
                    },
                    bounds: reader
                        .perhaps()?
                        .map(|bounds| if bounds == 0 { Bounds::Tree } else { Bounds::EachProcess }),
                    lacking: Some(text(reader.bytes()?)).filter(|reason| !reason.is_empty()),
                },
            },
            FAILED => Report::Failed { reason: text(reader.bytes()?) },
            ENDED => Report::Ended(Exit {
                code: large(reader.number()?),
                signal: large(reader.number()?),
                left_behind: u32::try_from(reader.number()?).ok()?,
            }),
            UNFIT => Report::Unfit,
            _ => return None,
        })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn cut(text: &str) -> &[u8] {
    let bytes = text.as_bytes();
    bytes.get(..Report::LONGEST / 2).unwrap_or(bytes)
}

/// Codes and signals are small and never negative; 0 stands for none.
fn small(value: Option<i32>) -> u64 {
    value.and_then(|value| u64::try_from(value).ok()).map_or(0, |value| value + 1)
}

fn large(value: u64) -> Option<i32> {
    i32::try_from(value.checked_sub(1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_come_back_as_they_were() {
        let exit = Exit { code: Some(0), signal: None, left_behind: 3 };
        for report in [
            Report::Started {
                pid: 42,
                custodian: 41,
                held: Held {
                    level: Level::Fenced,
                    lacking: Some("no namespaces".into()),
                    bounds: Some(Bounds::EachProcess),
                },
            },
            Report::Started {
                pid: 42,
                custodian: 41,
                held: Held { level: Level::Sealed, lacking: None, bounds: Some(Bounds::Tree) },
            },
            Report::Failed { reason: "no such program".into() },
            Report::Unfit,
            Report::Ended(exit),
            Report::Ended(Exit { code: None, signal: Some(9), ..exit }),
        ] {
            let framed = report.encode();
            assert!(framed.len() <= Report::LONGEST);
            assert_eq!(Report::decode(&framed[4..]), Some(report));
        }
    }
}
