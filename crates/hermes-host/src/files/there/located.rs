//! Finding a path on the other side, and judging it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use hermes_core::path::clean;
use hermes_core::{CallContext, Permission, ToolError};
use rustix::fs::FileType;

use super::complaints::confused;
use super::scripts::LOCATE;
use super::side::{Question, Side};
use crate::workspace::{EntryKind, Found, follow, meant};

/// An object over there.
#[derive(Clone, Debug)]
pub(in crate::files) struct Located {
    /// Where it really is, links followed.
    pub(in crate::files) path: PathBuf,
    /// The same path as rules speak of it.
    pub(in crate::files) judged: PathBuf,
    pub(super) what: Option<What>,
    /// Whether a symbolic link in the given path led there.
    pub(super) through_link: bool,
    /// What is in it, if that was asked for and it is a file that is not too large.
    pub(super) content: Option<Vec<u8>>,
    ground: Ground,
}

/// The folders over there that rules speak of.
#[derive(Clone, Debug)]
struct Ground {
    home: PathBuf,
    work: PathBuf,
    our_home: PathBuf,
    our_work: PathBuf,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct What {
    pub(super) kind: EntryKind,
    /// Permission bits.
    pub(super) mode: u32,
    pub(super) size: u64,
    pub(super) modified: i64,
    /// How many names it has.
    pub(super) names: u64,
}

impl What {
    /// From the words `mode size time [names]`, the mode in hexadecimal digits.
    pub(super) fn read(words: &str) -> Option<What> {
        let mut words = words.split(' ');
        let mode = u32::from_str_radix(words.next()?, 16).ok()?;
        let kind = match FileType::from_raw_mode(mode) {
            FileType::Directory => EntryKind::Folder,
            FileType::RegularFile => EntryKind::File,
            FileType::Symlink => EntryKind::Link,
            _ => EntryKind::Special,
        };
        let (size, modified) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let names = words.next().map_or(Some(1), |names| names.parse().ok())?;
        Some(What { kind, mode: mode & 0o7777, size, modified, names })
    }
}

impl Located {
    pub(super) fn found(&self) -> Found {
        match self.what.map(|what| what.kind) {
            None => Found::Nothing,
            Some(EntryKind::File) => Found::File,
            Some(EntryKind::Folder) => Found::Folder,
            Some(EntryKind::Link | EntryKind::Special) => Found::Special,
        }
    }

    /// How rules speak of another path over there.
    pub(super) fn judged(&self, path: &Path) -> PathBuf {
        self.ground.judged(path)
    }
}

impl Ground {
    fn is_home(&self, folder: &Path) -> bool {
        folder == self.home && folder != Path::new("/")
    }

    /// The home over there is our home, its work folder the session's own. Where one is the other, its hidden entries
    /// are a person's. A work folder that only holds the home is no project, and stays under the rules of homes. Where
    /// the home is the root itself, as in small containers, only its hidden entries are a person's, too.
    fn judged(&self, path: &Path) -> PathBuf {
        let is_hidden = |inside: &Path| inside.as_os_str().as_bytes().starts_with(b".");
        match (path.strip_prefix(&self.work), path.strip_prefix(&self.home)) {
            (Ok(inside), _) if !self.home.starts_with(&self.work) => self.our_work.join(inside),
            (Ok(inside), _) if self.is_home(&self.work) && !is_hidden(inside) => self.our_work.join(inside),
            (_, Ok(inside)) if self.home != Path::new("/") || is_hidden(inside) => self.our_home.join(inside),
            _ => path.to_owned(),
        }
    }
}

impl Side<'_> {
    /// Finds the object that a path names over there.
    pub(in crate::files) async fn locate(&self, raw: &str) -> Result<Located, ToolError> {
        self.find(raw, None).await
    }

    /// Finds an object, and fetches a file of at most so many bytes on the same way.
    async fn find(&self, raw: &str, fetched: Option<u64>) -> Result<Located, ToolError> {
        let wanted = tidy(raw)?;
        let count = fetched.map(|most| most.to_string()).unwrap_or_default();
        let words = [self.folder.as_bytes(), wanted.as_bytes(), count.as_bytes()];
        let question = Question::new(LOCATE, &words);
        let most = question.most.max(room_for(fetched.unwrap_or(0)));
        let (mut home, mut work) = (PathBuf::from("/"), PathBuf::from("/"));
        let mut located = None;
        for record in self.ask(&Question { most, ..question }).await? {
            let path = || PathBuf::from(OsString::from_vec(record.bytes.clone()));
            match record.words.split_once(' ').unwrap_or((&record.words, "")) {
                ("home", _) => home = path(),
                ("work", _) => work = path(),
                ("dangling", _) => {
                    let text = format!("'{}' is a symbolic link that leads nowhere", path().display());
                    return Err(ToolError::not_found(text));
                }
                ("nothing", _) => return self.located(&wanted, path(), None, (home, work)),
                ("at", words) => {
                    let what = What::read(words).ok_or_else(|| confused(words))?;
                    let ground = (std::mem::take(&mut home), std::mem::take(&mut work));
                    located = Some(self.located(&wanted, path(), Some(what), ground)?);
                }
                ("content", _) if located.is_some() => {
                    located = located.map(|located| Located { content: Some(record.bytes), ..located });
                }
                (other, _) => return Err(confused(other)),
            }
        }
        located.ok_or_else(|| confused("no place"))
    }

    fn located(
        &self,
        wanted: &OsStr,
        path: PathBuf,
        what: Option<What>,
        (home, work): (PathBuf, PathBuf),
    ) -> Result<Located, ToolError> {
        if path.components().any(|part| part == std::path::Component::ParentDir) {
            let text = format!("a folder of '{}' does not exist", wanted.display());
            return Err(ToolError::not_found(text));
        }
        let written = match Path::new(wanted).strip_prefix("~") {
            Ok(rest) => home.join(rest),
            Err(_) => work.join(wanted),
        };
        let through_link = clean(&written) != path;
        let our_home = follow(self.workspace.user_home())?;
        let ground = Ground { home, work, our_home, our_work: follow(&self.session.cwd)? };
        Ok(Located { judged: ground.judged(&path), path, what, through_link, content: None, ground })
    }

    /// Finds the object that a path names, if this call may use it in this way.
    pub(super) async fn judge(
        &self,
        cx: &CallContext,
        raw: &str,
        permission: &Permission,
    ) -> Result<Located, ToolError> {
        let located = self.locate(raw).await?;
        self.workspace.admit(cx, &located.judged, permission)?;
        Ok(located)
    }

    /// The same, together with what is in it. What this call may not see is dropped here.
    pub(super) async fn judge_and_fetch(
        &self,
        cx: &CallContext,
        raw: &str,
        permission: &Permission,
        most: u64,
    ) -> Result<Located, ToolError> {
        let located = self.find(raw, Some(most)).await?;
        self.workspace.admit(cx, &located.judged, permission)?;
        Ok(located)
    }
}

/// Bytes that a record may have which holds a file of `most` bytes.
pub(super) fn room_for(most: u64) -> usize {
    usize::try_from(most).unwrap_or(usize::MAX).saturating_add(4_096)
}

/// The path without empty and meaningless parts, so that its last part is a name.
fn tidy(raw: &str) -> Result<OsString, ToolError> {
    if raw.is_empty() {
        return Err(ToolError::invalid("the path is empty"));
    }
    let path = meant(raw);
    let bytes = path.as_os_str().as_bytes();
    if bytes.contains(&0) {
        return Err(ToolError::invalid("the path contains a NUL character"));
    }
    let parts = bytes.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."));
    let parts: Vec<&[u8]> = parts.collect();
    if let Some(first) =
        parts.first().filter(|first| first.starts_with(b"~") && **first != b"~" && !bytes.starts_with(b"/"))
    {
        return Err(ToolError::invalid(format!(
            "'{}' names another user's home folder; write the absolute path instead",
            String::from_utf8_lossy(first)
        )));
    }
    let joined = parts.join(&b'/');
    let tidied = match (bytes.starts_with(b"/"), bytes.starts_with(b"./~")) {
        (true, _) => [b"/", joined.as_slice()].concat(),
        (_, true) => [b"./", joined.as_slice()].concat(),
        _ if joined.is_empty() => b".".to_vec(),
        _ => joined,
    };
    Ok(OsString::from_vec(tidied))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_see_the_home_and_the_work_folder_as_ours() {
        let judged = |home: &str, work: &str, path: &str| {
            let ground = Ground {
                home: home.into(),
                work: work.into(),
                our_home: "/home/ada".into(),
                our_work: "/home/ada/p".into(),
            };
            ground.judged(Path::new(path)).display().to_string()
        };
        assert_eq!(judged("/root", "/srv/app", "/srv/app/a/b"), "/home/ada/p/a/b");
        assert_eq!(judged("/root", "/srv/app", "/root/.ssh/id_rsa"), "/home/ada/.ssh/id_rsa");
        assert_eq!(judged("/root", "/root/app", "/root/app/x"), "/home/ada/p/x");
        assert_eq!(judged("/root", "/root", "/root/.ssh/id_rsa"), "/home/ada/.ssh/id_rsa", "no project");
        assert_eq!(judged("/root", "/", "/etc/shadow"), "/etc/shadow", "the root is no project");
        assert_eq!(judged("/", "/work", "/etc/shadow"), "/etc/shadow", "nor is it a home");
        assert_eq!(
            judged("/", "/work", "/.ssh/id_rsa"),
            "/home/ada/.ssh/id_rsa",
            "but for what is hidden there"
        );
        assert_eq!(judged("/root", "/srv/app", "/srv/application"), "/srv/application");
    }

    #[test]
    fn paths_lose_what_says_nothing() {
        for (raw, tidied) in [
            ("a//b/./c/", "a/b/c"),
            (".", "."),
            ("/", "/"),
            ("//x/..", "/x/.."),
            ("~//x", "~/x"),
            ("./~", "./~"),
        ] {
            assert_eq!(tidy(raw).as_deref(), Ok(OsStr::new(tidied)), "{raw}");
        }
        assert_eq!(tidy("file:x//caf%E9").as_deref(), Ok(OsStr::from_bytes(b"x/caf\xe9")), "no text");
        assert!(tidy("file:a%00b").is_err());
        assert!(tidy("").is_err() && tidy("~bob/x").is_err() && tidy("a\0b").is_err());
        assert_eq!(tidy("/~bob").as_deref(), Ok(OsStr::new("/~bob")));
    }
}
