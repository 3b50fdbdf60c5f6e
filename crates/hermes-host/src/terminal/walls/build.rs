//! Puts the walls around a command together.

use hermes_core::ports::Conversation;
use hermes_core::{Access, Verdict};

use super::ends::{Ends, is_kept};
use super::fixed::fixed;
use super::kept::Kept;
use super::linked::linked;
use super::open::open_folders;
use super::scene::{Ground, Scene};
use super::unseen::{hidden, shown};
use super::vacancies::{Expected, vacant};
use crate::process::Confinement;
use crate::terminal::settings::{Sandbox, SandboxMode};

/// The walls around a command, and what to say to who meets them.
#[derive(Clone, Debug)]
pub(in crate::terminal) struct Walls {
    pub(in crate::terminal) confinement: Confinement,
    /// What one might expect to be open and is not.
    pub(in crate::terminal) closed: Vec<String>,
    pub(in crate::terminal) expected: Expected,
}

/// The walls for one command; `None` where the operator wants none. `effects`: what the command itself would
/// do, where somebody was asked about it and agreed.
pub(in crate::terminal) fn walls(
    ground: &Ground<'_>,
    sandbox: &Sandbox,
    rules: &dyn Conversation,
    effects: Option<&[Access]>,
) -> Option<Walls> {
    if sandbox.mode == SandboxMode::Off {
        return None;
    }
    let scene = Scene::new(ground, sandbox, rules, effects);
    let mut writable = open_folders(&scene);
    let writes_here = writable.contains(&scene.own);
    let mut kept = if writes_here { Kept::of(&scene, &writable) } else { Kept::default() };
    kept.keep_home(&scene, &writable);
    kept.keep_around(&scene, &writable);
    let Kept { open, mut protected } = kept;
    let folders = writable.clone();
    writable.extend(open);
    writable.sort();
    writable.dedup();
    let mut second_names = linked(&scene, &folders, &protected);
    second_names.retain(|second| !is_kept(second, &writable, &protected));
    protected.extend(second_names);
    let ends = Ends::of(&scene, &writable, &protected);
    let hidden = hidden(&scene, &writable);
    writable.extend(fixed(&scene, &writable, (&protected, &ends.kept), &hidden));
    writable.sort();
    writable.dedup();
    let mut closed = scene.agreed.out_of_reach(&writable, &hidden);
    closed.extend(scene.astray.iter().map(|place| format!("{} {ASTRAY}", place.display())));
    if scene.usual.verdict == Verdict::Ask && effects.is_none() {
        closed.push(NOT_ASKED.to_owned());
    }
    let (vacant, expected) = writes_here.then(|| vacant(&scene, &writable, &ends.missing)).unzip();
    protected.extend(ends.kept);
    let confinement = Confinement {
        shown: shown(&scene, &hidden, rules),
        vacant,
        writable,
        protected,
        hidden,
        network: scene.has_network(),
        local_services: sandbox.local_services,
        strict: sandbox.mode == SandboxMode::Strict,
    };
    Some(Walls { confinement, closed, expected: expected.unwrap_or_default() })
}

const ASTRAY: &str =
    "of terminal.sandbox.writable is not open: a link that a command may have made leads elsewhere";

const NOT_ASKED: &str = "the rules ask before files are written, and nobody was asked about this command, so it \
                         could write nothing in the session's folder";
