//! Starts the program behind the strongest walls there are.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, waitpid};

use super::confine::{Clone, clone_into_spaces, fenceable};
use super::execute::{Walls, execute};
use super::first::{self, First};
use super::order::Order;
use super::placeholders::Placeholders;
use crate::process::{Confinement, Level};

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

pub(super) fn start(order: &Order, streams: [i32; 3]) -> Result<Started, String> {
    let Some(confinement) = &order.confinement else {
        let root = execute(order, streams, Walls::None)?;
        return Ok(Started { root, level: Level::Open, lacking: None, told: None, placeholders: None });
    };
    let placeholders = Placeholders::make(&confinement.protected);
    match sealed(order, confinement, streams) {
        Ok((root, told)) => Ok(Started {
            root,
            level: Level::Sealed,
            lacking: None,
            told: Some(told),
            placeholders: Some(placeholders),
        }),
        Err(first::Failure::Program(reason)) => {
            placeholders.remove();
            Err(reason)
        }
        Err(first::Failure::Walls(reason)) => {
            placeholders.remove();
            if confinement.strict {
                return Err(format!("the sandbox cannot be set up ({reason})"));
            }
            if !fenceable() {
                return Err(format!("no sandbox can be set up ({reason}; Landlock is not available)"));
            }
            let root = execute(order, streams, Walls::Fenced(confinement))?;
            Ok(Started { root, level: Level::Fenced, lacking: Some(reason), told: None, placeholders: None })
        }
    }
}

fn sealed(
    order: &Order,
    confinement: &Confinement,
    streams: [i32; 3],
) -> Result<(Pid, File), first::Failure> {
    let pair = || pipe_with(PipeFlags::CLOEXEC).map_err(|error| first::Failure::Walls(error.to_string()));
    let (failed, failure): (OwnedFd, OwnedFd) = pair()?;
    let (told, tell) = pair()?;
    match clone_into_spaces(confinement.network).map_err(first::Failure::Walls)? {
        Clone::Child(ids) => {
            drop((failed, told));
            first::live(First { order, confinement, streams, ids }, failure, tell)
        }
        Clone::Parent(root) => {
            drop((failure, tell));
            let mut reason = Vec::new();
            let _ = File::from(failed).read_to_end(&mut reason);
            match first::Failure::read(&reason) {
                None => Ok((root, File::from(told))),
                Some(failure) => {
                    let _ = rustix::process::kill_process(root, rustix::process::Signal::KILL);
                    let _ = waitpid(Some(root), WaitOptions::empty());
                    Err(failure)
                }
            }
        }
    }
}
