//! What a custodian tells about the program it keeps.

use super::bytes::{Reader, Writer};
use crate::process::Exit;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Started { pid: u32 },
    Failed { reason: String },
    Ended(Exit),
}

const STARTED: u64 = 1;
const FAILED: u64 = 2;
const ENDED: u64 = 3;

impl Report {
    /// No report has more bytes.
    pub(crate) const LONGEST: usize = 4096;

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Report::Started { pid } => writer.number(STARTED).number(u64::from(*pid)),
            Report::Failed { reason } => {
                let reason = reason.as_bytes();
                writer.number(FAILED).bytes(reason.get(..Self::LONGEST / 2).unwrap_or(reason))
            }
            Report::Ended(exit) => writer
                .number(ENDED)
                .number(small(exit.code))
                .number(small(exit.signal))
                .number(u64::from(exit.left_behind)),
        };
        writer.framed()
    }

    pub(crate) fn decode(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        Some(match reader.number()? {
            STARTED => Report::Started { pid: u32::try_from(reader.number()?).ok()? },
            FAILED => Report::Failed { reason: String::from_utf8_lossy(reader.bytes()?).into_owned() },
            ENDED => Report::Ended(Exit {
                code: large(reader.number()?),
                signal: large(reader.number()?),
                left_behind: u32::try_from(reader.number()?).ok()?,
            }),
            _ => return None,
        })
    }
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
            Report::Started { pid: 42 },
            Report::Failed { reason: "no such program".into() },
            Report::Ended(exit),
            Report::Ended(Exit { code: None, signal: Some(9), ..exit }),
        ] {
            let framed = report.encode();
            assert!(framed.len() <= Report::LONGEST);
            assert_eq!(Report::decode(&framed[4..]), Some(report));
        }
    }
}
