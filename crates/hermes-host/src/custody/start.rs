//! Starts the program behind the strongest walls there are.

use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::process::Pid;

use super::confine::fenceable;
use super::execute::{Walls, execute};
use super::first::Failure;
use super::group::Group;
use super::order::Order;
use super::placeholders::{Placeholders, Removed};
use super::ready::{Ready, UNWANTED};
use crate::places::{Copies, Vacant};
use crate::process::{Bounds, Confinement, Held, Level};

/// A program that runs.
pub(super) struct Started {
    /// The root of its tree: the program, or the first process of its namespaces.
    pub(super) root: Pid,
    pub(super) held: Held,
    /// Where the first process tells how the program ended.
    pub(super) told: Option<File>,
    pub(super) kept: Kept,
}

/// What a program needs as long as it runs, and nobody afterwards.
#[derive(Default)]
pub(super) struct Kept {
    placeholders: Option<Placeholders>,
    removed: Option<Removed>,
    /// What must not be there when it ends, and since when.
    vacant: Option<(Vacant, SystemTime)>,
    /// What the walls do not keep as it is.
    copies: Copies,
    group: Option<Group>,
}

impl Kept {
    /// Takes away what others would see: before anybody is told that the program has ended.
    pub(super) fn put_back(&mut self) {
        self.remove_placeholders();
        if let Some((vacant, start)) = self.vacant.take() {
            vacant.clear(start, &self.copies);
        }
    }

    fn remove_placeholders(&mut self) {
        if let Some(placeholders) = self.placeholders.take() {
            self.removed = Some(placeholders.remove());
        }
    }

    /// Takes away the rest, once nothing of the program is left.
    pub(super) fn remove(mut self) {
        self.put_back();
        if let Some(group) = self.group {
            group.remove();
        }
        if let Some(removed) = self.removed {
            removed.provide();
        }
    }
}

/// `ready` are namespaces that were made ahead. Nothing is begun that is not wanted when it could begin.
pub(super) fn start(
    order: &Order,
    streams: &[OwnedFd; 3],
    ready: Option<Ready>,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Started, String> {
    if !order.limits.bound_a_tree() {
        return behind_walls(order, streams, (ready, is_wanted), Kept::default());
    }
    let group = Group::make(&order.limits);
    let bounds = if group.is_some() { Bounds::Tree } else { Bounds::EachProcess };
    let order = Order { grouped: group.is_some(), ..order.clone() };
    let mut started = behind_walls(&order, streams, (ready, is_wanted), Kept { group, ..Kept::default() })?;
    started.held.bounds = Some(bounds);
    Ok(started)
}

fn behind_walls(
    order: &Order,
    streams: &[OwnedFd; 3],
    (ready, is_wanted): (Option<Ready>, &dyn Fn() -> bool),
    mut kept: Kept,
) -> Result<Started, String> {
    let raw = streams.each_ref().map(AsRawFd::as_raw_fd);
    let done = match &order.confinement {
        None => {
            if let Some(unwanted) = &ready {
                unwanted.dismiss();
            }
            let root = begin_wanted(is_wanted, || execute(order, raw, Walls::None, kept.group.as_ref()));
            if let Some(unwanted) = ready {
                unwanted.give_up();
            }
            root.map(|root| (root, Held::default(), None))
        }
        Some(confinement) => {
            kept.placeholders = Some(Placeholders::make(confinement));
            kept.vacant = confinement.vacant.clone().map(|vacant| (vacant, SystemTime::now()));
            let mut copies = None;
            let mut look = || {
                copies = Some(Copies::below(confinement));
                is_wanted()
            };
            let sealed = sealed(order, streams, ready, kept.group.as_ref(), &mut look);
            kept.copies = copies.unwrap_or_else(|| Copies::below(confinement));
            match sealed {
                Ok((root, told)) => Ok((root, Held { level: Level::Sealed, ..Held::default() }, Some(told))),
                Err(Failure::Program(reason)) => Err(reason),
                // Made now, nothing is stale.
                Err(Failure::Stale) => Err("its walls did not stay as they were built".to_owned()),
                Err(Failure::Walls(reason)) => {
                    kept.remove_placeholders();
                    // A fence has nothing smaller than a folder that may be written.
                    kept.copies.keep_own(own_repositories(confinement));
                    begin_wanted(is_wanted, || fenced(order, confinement, raw, (reason, kept.group.as_ref())))
                        .map(|(root, held)| (root, held, None))
                }
            }
        }
    };
    match done {
        Ok((root, held, told)) => Ok(Started { root, held, told, kept }),
        Err(reason) => {
            kept.remove();
            Err(reason)
        }
    }
}

fn begin_wanted<T>(
    is_wanted: &dyn Fn() -> bool,
    begin: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    if is_wanted() { begin() } else { Err(UNWANTED.to_owned()) }
}

/// The repositories whose settings other walls keep as they are.
fn own_repositories(confinement: &Confinement) -> Vec<PathBuf> {
    let settings = confinement.protected.iter().filter(|path| path.ends_with("config"));
    settings.filter_map(|path| path.parent()).map(Path::to_owned).collect()
}

/// What no fence keeps as it is.
const NOT_HELD: &str = "modes and times of files elsewhere are not held";

/// Where the strongest walls cannot be had, for that reason.
fn fenced(
    order: &Order,
    confinement: &Confinement,
    streams: [i32; 3],
    (reason, group): (String, Option<&Group>),
) -> Result<(Pid, Held), String> {
    if confinement.strict {
        return Err(format!("the sandbox cannot be set up ({reason})"));
    }
    if !fenceable() {
        return Err(format!("no sandbox can be set up ({reason}; Landlock is not available)"));
    }
    let root = execute(order, streams, Walls::Fenced(confinement), group)?;
    let lacking = Some(format!("{reason}; without them {NOT_HELD}"));
    Ok((root, Held { level: Level::Fenced, lacking, ..Held::default() }))
}

/// In namespaces that were made ahead, or made now where the terminal of the program must be taken along.
fn sealed(
    order: &Order,
    streams: &[OwnedFd; 3],
    ready: Option<Ready>,
    group: Option<&Group>,
    before: &mut dyn FnMut() -> bool,
) -> Result<(Pid, File), Failure> {
    let begun = match ready {
        Some(ready) if !order.pty => ready.begin(order, streams, group, before),
        other => {
            if let Some(unfit) = other {
                unfit.give_up();
            }
            Err(Failure::Stale)
        }
    };
    match begun {
        Err(Failure::Stale) => Ready::now()?.begin(order, streams, group, before),
        begun => begun,
    }
}
