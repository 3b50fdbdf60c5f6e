//! Starts the program behind the strongest walls there are.

use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::process::Pid;

use super::confine::fenceable;
use super::execute::{Walls, execute};
use super::first::Failure;
use super::order::Order;
use super::placeholders::Placeholders;
use super::ready::Ready;
use crate::process::Level;

/// A program that runs.
pub(super) struct Started {
    /// The root of its tree: the program, or the first process of its namespaces.
    pub(super) root: Pid,
    pub(super) level: Level,
    pub(super) lacking: Option<String>,
    /// Where the first process tells how the program ended.
    pub(super) told: Option<File>,
    pub(super) placeholders: Option<Placeholders>,
}

/// `ready` are namespaces that were made ahead.
pub(super) fn start(order: &Order, streams: &[OwnedFd; 3], ready: Option<Ready>) -> Result<Started, String> {
    let raw = streams.each_ref().map(AsRawFd::as_raw_fd);
    let Some(confinement) = &order.confinement else {
        let root = execute(order, raw, Walls::None);
        ready.map(Ready::give_up);
        let root = root?;
        return Ok(Started { root, level: Level::Open, lacking: None, told: None, placeholders: None });
    };
    let placeholders = Placeholders::make(&confinement.protected);
    match sealed(order, streams, ready) {
        Ok((root, told)) => Ok(Started {
            root,
            level: Level::Sealed,
            lacking: None,
            told: Some(told),
            placeholders: Some(placeholders),
        }),
        Err(Failure::Program(reason)) => {
            placeholders.remove();
            Err(reason)
        }
        Err(Failure::Walls(reason)) => {
            placeholders.remove();
            if confinement.strict {
                return Err(format!("the sandbox cannot be set up ({reason})"));
            }
            if !fenceable() {
                return Err(format!("no sandbox can be set up ({reason}; Landlock is not available)"));
            }
            let root = execute(order, raw, Walls::Fenced(confinement))?;
            Ok(Started { root, level: Level::Fenced, lacking: Some(reason), told: None, placeholders: None })
        }
    }
}

/// In namespaces that were made ahead, or made now where the terminal of the program must be taken along.
fn sealed(order: &Order, streams: &[OwnedFd; 3], ready: Option<Ready>) -> Result<(Pid, File), Failure> {
    let ready = match ready {
        Some(ready) if !order.pty => ready,
        other => {
            other.map(Ready::give_up);
            Ready::now()?
        }
    };
    ready.begin(order, streams)
}
