//! What every wall is built from: who asks and where, the rules about places, and what was opened by somebody's word.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hermes_core::ports::Conversation;
use hermes_core::{Access, Decision, Verdict};

use super::asked::Asked;
use crate::places::{Search, named_by_settings, without_planted_links};
use crate::terminal::agreed::Agreed;
use crate::terminal::settings::Sandbox;

/// Who asks and where.
pub(in crate::terminal) struct Ground<'a> {
    pub(in crate::terminal) workspace: &'a Path,
    pub(in crate::terminal) user_home: &'a Path,
    pub(in crate::terminal) hermes_home: &'a Path,
    pub(in crate::terminal) tmpdir: Option<&'a str>,
    /// Whether the session is a person's own.
    pub(in crate::terminal) attended: bool,
}

/// One command among the rules.
pub(super) struct Scene<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) sandbox: &'a Sandbox,
    /// The session's folder as it really is.
    pub(super) own: PathBuf,
    /// The person's home as it really is.
    pub(super) home: PathBuf,
    /// What somebody agreed to for this command.
    pub(super) agreed: Agreed,
    /// What the operator opened and is there.
    pub(super) opened: Vec<PathBuf>,
    /// What the operator opened, and where a link now leads elsewhere that a command may have put there.
    pub(super) astray: Vec<PathBuf>,
    /// Patterns of the places that the rules single out.
    pub(super) patterns: Vec<String>,
    /// What fits them in the session's folder.
    pub(super) mine: BTreeSet<PathBuf>,
    /// Where git finds hooks and further settings by what its settings say, in the session's folder and in those for
    /// temporary files.
    pub(super) named_for_git: Vec<PathBuf>,
    /// What fits them elsewhere.
    pub(super) elsewhere: BTreeSet<PathBuf>,
    /// What holds for files of the session's folder that no rule is about.
    pub(super) usual: Decision,
    /// Whoever agreed to the command has agreed to the usual reason for asking, and to no other.
    usual_is_agreed: bool,
    rules: Asked<'a>,
}

impl<'a> Scene<'a> {
    /// `effects`: what the command itself would do, where somebody was asked about it and agreed.
    pub(super) fn new(
        ground: &'a Ground<'a>,
        sandbox: &'a Sandbox,
        rules: &'a dyn Conversation,
        effects: Option<&[Access]>,
    ) -> Self {
        let asked = Asked::of(rules);
        let usual = asked.write(&ground.workspace.join(ANY_FILE));
        let own = ground.workspace.canonicalize().unwrap_or_else(|_| ground.workspace.to_owned());
        let patterns = rules.singled_out();
        let mut search = Search::new(ground.user_home, &own, &patterns);
        let (mine, elsewhere) = (search.in_workspace(), search.elsewhere());
        let (opened, astray) = opened(ground, sandbox, &own);
        let within: Vec<PathBuf> = temporary(ground).chain([own.clone()]).collect();
        Scene {
            usual_is_agreed: effects.is_some() && usual.verdict == Verdict::Ask,
            agreed: effects.map(|effects| Agreed::of(effects, ground, rules)).unwrap_or_default(),
            opened,
            astray,
            ground,
            sandbox,
            named_for_git: named_by_settings(&own, &within, Some(ground.user_home)),
            home: ground.user_home.canonicalize().unwrap_or_else(|_| ground.user_home.to_owned()),
            own,
            patterns,
            mine,
            elsewhere,
            usual,
            rules: asked,
        }
    }

    pub(super) fn may_write(&self, path: &Path) -> bool {
        let decision = self.rules.write(path);
        match decision.verdict {
            Verdict::Allow => true,
            Verdict::Ask => self.usual_is_agreed && decision.rule == self.usual.rule,
            Verdict::Deny => false,
        }
    }

    pub(super) fn may_read(&self, path: &Path) -> bool {
        self.rules.read(path) == Verdict::Allow
    }

    pub(super) fn is_denied_to_writers(&self, path: &Path) -> bool {
        self.rules.write(path).verdict == Verdict::Deny
    }

    pub(super) fn is_denied_to_readers(&self, path: &Path) -> bool {
        self.rules.read(path) == Verdict::Deny
    }

    pub(super) fn has_network(&self) -> bool {
        self.ground.attended && self.rules.network() == Verdict::Allow
    }

    /// Whether nobody opened the place for this command.
    pub(super) fn stays(&self, path: &Path) -> bool {
        !self.opened.iter().any(|opened| opened == path) && !self.agreed.gives_up(path)
    }
}

/// What the operator opened as it really is, and what of that leads astray.
fn opened(ground: &Ground<'_>, sandbox: &Sandbox, own: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let places: Vec<PathBuf> = sandbox.writable.iter().map(|place| ground.workspace.join(place)).collect();
    let mut written: Vec<PathBuf> = temporary(ground).collect();
    written.push(own.to_owned());
    let found = |written: &[PathBuf]| -> Vec<Option<PathBuf>> {
        places.iter().map(|place| without_planted_links(&of_session(place, ground, own), written)).collect()
    };
    // One of them may lie in another, which commands write too.
    written.extend(found(&written).into_iter().flatten());
    let found = found(&written);
    let is_astray = |(place, found): (&PathBuf, &Option<PathBuf>)| found.is_none() && place.exists();
    let astray = places.iter().zip(&found).filter(|pair| is_astray(*pair)).map(|(place, _)| place.clone());
    let astray = astray.collect();
    (found.into_iter().flatten().collect(), astray)
}

/// How the session's folder is reached is nobody's to change from within.
fn of_session(place: &Path, ground: &Ground<'_>, own: &Path) -> PathBuf {
    place.strip_prefix(ground.workspace).map_or_else(|_| place.to_owned(), |rest| own.join(rest))
}

const TEMPORARY: &[&str] = &["/tmp", "/var/tmp"];

/// Folders for temporary files, as they really are.
pub(super) fn temporary(ground: &Ground<'_>) -> impl Iterator<Item = PathBuf> {
    let named = TEMPORARY.iter().copied().chain(ground.tmpdir);
    named.filter_map(|folder| Path::new(folder).canonicalize().ok())
}

/// Folders in which git looks for a repository from many others: those around the session's folder, and those for temporary
/// files, as far as commands write there.
pub(super) fn around(scene: &Scene<'_>, writable: &[PathBuf]) -> BTreeSet<PathBuf> {
    let all = scene.own.ancestors().skip(1).map(Path::to_owned).chain(temporary(scene.ground));
    let is_written = |folder: &PathBuf| writable.iter().any(|open| folder.starts_with(open));
    all.filter(|folder| is_written(folder) && !folder.starts_with(&scene.own)).collect()
}

/// A name that no rule is about: what holds for it holds for the folder.
pub(super) const ANY_FILE: &str = "x";

/// The names in a folder, to be judged one by one. Of a large folder only those that begin with a dot, where settings and
/// credentials are: what else the rules single out there, they name.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    if all.len() > MANY_ENTRIES {
        let is_dotted =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
        all.retain(is_dotted);
    }
    all
}

/// Judging more takes longer than most commands.
const MANY_ENTRIES: usize = 2_000;
