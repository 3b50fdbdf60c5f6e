//! Has a custodian start a program, and hears whether it runs.

use std::fmt::Display;

use super::confinement::Held;
use super::control::Control;
use super::launch::Launch;
use super::pipes::Theirs;
use crate::custody::{Order, Report};

/// How a program is refused that would be one more than are allowed.
const NO_MORE_PROCESSES: &str = "Resource temporarily unavailable";
/// The program, what starts it behind its walls, and one that it starts itself.
const NEEDED: u64 = 4;
pub(crate) const PROCESS_LIMIT: &str = "the limit on processes";

/// Why nobody starts it where one keeper after the other is changed.
const CHANGING: &str = "somebody keeps changing the bounds of who starts programs";

/// A program that runs.
pub(super) struct Begun {
    pub(super) control: Control,
    pub(super) pid: u32,
    pub(super) custodian: u32,
    pub(super) held: Held,
}

/// Starts the program with its ends of its streams. An error says in one phrase why it could not be started.
pub(super) async fn begin(launch: &Launch, order: &Order, streams: Theirs) -> Result<Begun, String> {
    let begun = Control::of_program(order, streams).await;
    let (control, first) = begun.map_err(|error| cannot_start(launch, error))?;
    match first {
        Report::Started { pid, custodian, held } => Ok(Begun { control, pid, custodian, held }),
        Report::Failed { reason } => {
            // The kernel knows of no limit by name, and whoever meets it may only see somebody else end.
            let is_met = |most: &u64| *most < NEEDED || reason.contains(NO_MORE_PROCESSES);
            let by_limit = launch.limits.processes.filter(is_met);
            let limit = by_limit.map(|most| format!(": {PROCESS_LIMIT} is {most}")).unwrap_or_default();
            Err(cannot_start(launch, format!("{reason}{limit}")))
        }
        Report::Ended(_) => Err(cannot_start(launch, "its custodian lost count")),
        Report::Unfit => Err(cannot_start(launch, CHANGING)),
    }
}

pub(super) fn cannot_start(launch: &Launch, reason: impl Display) -> String {
    match launch.argv.first() {
        Some(name) => format!("'{}' cannot be started: {reason}", name.to_string_lossy()),
        None => "the command is empty".to_owned(),
    }
}
