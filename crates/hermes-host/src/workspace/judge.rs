//! The check in front of every door: what a path names, and whether this call may touch it.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use hermes_core::ports::PathResolver;
use hermes_core::{Access, CallContext, Permission, Target, ToolError, Verdict};
use rustix::fs::Stat;

use super::Workspace;
use super::linked::Linked;
use crate::places::{QUARANTINE, expect, settle, withdraw};

/// The parts of Hermes's home that tools may read. Everything else there may hold secrets or records, and
/// what is added later is closed until it is named here.
const READABLE_IN_HOME: &[&str] = &["config.yaml", "skills"];

/// What may be read about a process. The rest (`environ`, `cmdline`, `mem`, `fd`, …) shows its secrets.
const READABLE_IN_PROCESS: &[&str] = &[
    "cgroup",
    "comm",
    "io",
    "limits",
    "mountinfo",
    "mounts",
    "net",
    "oom_score",
    "sched",
    "schedstat",
    "stat",
    "statm",
    "status",
];

/// Kernel memory and logs under `/proc` itself.
const CLOSED_IN_PROC: &[&str] = &[
    "kallsyms",
    "kcore",
    "key-users",
    "keys",
    "kmsg",
    "kpagecgroup",
    "kpagecount",
    "kpageflags",
    "sysrq-trigger",
    "vmallocinfo",
];

impl Workspace {
    /// The object that `raw` names, if this call may use it in this way.
    pub(super) fn judge(
        &self,
        cx: &CallContext,
        raw: &str,
        permission: &Permission,
    ) -> Result<PathBuf, ToolError> {
        let path = self.resolve(cx.cwd(), raw)?;
        self.admit(cx, &path, permission)?;
        Ok(path)
    }

    /// These are about to be written, maybe by somebody's word: until the answer is dropped no program that runs at the same
    /// time is blamed for what comes to be there.
    pub(super) fn agreed<'p>(
        &self,
        cx: &CallContext,
        places: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Agreed {
        let mut agreed =
            Agreed { quarantine: self.own_home.as_written().join(QUARANTINE), places: BTreeSet::new() };
        if cx.permit().is_approved() {
            agreed.places.extend(places.into_iter().cloned());
            expect(self.own_home.as_written(), &agreed.places);
        }
        agreed
    }

    /// Whether nothing can be put at a place without somebody's word.
    pub(super) fn is_asked_about(&self, cx: &CallContext, path: &Path) -> bool {
        let write = Access::new(Permission::FILE_WRITE, Target::Resolved(path.to_owned()));
        cx.conversation().map_or(true, |rules| rules.verdict(&write) != Verdict::Allow)
    }

    /// What somebody agreed to is there now: what others make of it afterwards is theirs.
    pub(super) fn settled(&self, cx: &CallContext, path: &Path) {
        if cx.permit().is_approved() {
            settle(&self.own_home.as_written().join(QUARANTINE), &BTreeSet::from([path.to_owned()]));
        }
    }

    /// A refusal as this call may see it: who may write a file, but not read it, is not shown its content.
    pub(crate) fn without_what_is_closed(
        &self,
        cx: &CallContext,
        path: &Path,
        mut error: ToolError,
    ) -> ToolError {
        if !error.data.contains_key("current") {
            return error;
        }
        let read = Access::new(Permission::FILE_READ, Target::Resolved(path.to_owned()));
        let is_open = cx.permit().opens(&Permission::FILE_READ, path)
            || cx.conversation().is_ok_and(|rules| rules.verdict(&read) == Verdict::Allow);
        if !is_open || self.is_closed(path, true) {
            error.data.remove("current");
        }
        error
    }

    /// Whether this call may use a path that is free of links in this way.
    pub(crate) fn admit(
        &self,
        cx: &CallContext,
        path: &Path,
        permission: &Permission,
    ) -> Result<(), ToolError> {
        if !cx.permit().opens(permission, path) {
            return Err(ToolError::denied(format!(
                "this call was not granted {permission} on '{}'",
                path.display()
            )));
        }
        if self.is_closed(path, *permission == Permission::FILE_READ) {
            return Err(ToolError::denied(format!(
                "'{}' belongs to Hermes itself and is closed to file tools",
                path.display()
            )));
        }
        if shows_process_secrets(path) {
            return Err(ToolError::denied(format!(
                "'{}' can hold secrets of running processes and is closed to file tools",
                path.display()
            )));
        }
        Ok(())
    }

    /// Whether the path lies in Hermes's own home, outside what may be read there.
    pub(crate) fn is_closed(&self, path: &Path, reading: bool) -> bool {
        let outside = |home: &Path| match path.strip_prefix(home) {
            Ok(inside) => reading && READABLE_IN_HOME.iter().any(|open| inside.starts_with(open)),
            Err(_) => true,
        };
        let home_is_elsewhere = match reading {
            true => self.own_home.lately().map(|home| outside(&home)),
            false => self.own_home.now().map(|home| outside(&home)),
        };
        !home_is_elsewhere.unwrap_or(false)
    }

    /// The name by which a file is guarded, if `path` is another of its names.
    pub(super) fn first_name(&self, path: &Path, stat: &Stat) -> Option<PathBuf> {
        self.second_names.first_name(path, Linked::of(stat)?)
    }

    /// Whether this call may know what is in a file by its other names too: a name says nothing about what it names, so
    /// what rules close under one of them is closed under all. Who writes to it may keep what was in it.
    pub(super) fn admit_others(&self, cx: &CallContext, path: &Path, stat: &Stat) -> Result<(), ToolError> {
        let Some(file) = Linked::of(stat) else { return Ok(()) };
        let others = self.second_names.others(path, file, cx.cwd());
        match others.iter().find(|other| !cx.permit().agrees(&Permission::FILE_READ, other)) {
            None => Ok(()),
            Some(other) => Err(ToolError::denied(format!(
                "'{}' is another name of '{}', which is closed to this call",
                path.display(),
                other.display()
            ))),
        }
    }
}

/// Places that somebody agreed to have written. Dropped before they are settled, nothing came of it.
#[derive(Debug)]
#[must_use]
pub(super) struct Agreed {
    quarantine: PathBuf,
    places: BTreeSet<PathBuf>,
}

impl Drop for Agreed {
    fn drop(&mut self) {
        withdraw(&self.quarantine, &self.places);
    }
}

/// Whether the resolved path shows what other processes, or the kernel, keep to themselves.
fn shows_process_secrets(path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix("/proc") else { return false };
    let mut names = inside.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let Some(first) = names.next() else { return false };
    if !first.as_bytes().iter().all(u8::is_ascii_digit) {
        return CLOSED_IN_PROC.iter().any(|closed| first == *closed);
    }
    // A thread's folder looks like its process's: /proc/1/task/7/status.
    let mut part = names.next();
    if part.is_some_and(|name| name == "task") {
        part = names.nth(1);
    }
    part.is_some_and(|name| !READABLE_IN_PROCESS.iter().any(|open| name == *open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_secrets_are_closed_and_facts_are_open() {
        for closed in [
            "/proc/1/environ",
            "/proc/12/cmdline",
            "/proc/1/task/7/environ",
            "/proc/3/fd/0",
            "/proc/3/mem",
            "/proc/kcore",
            "/proc/9/root/x",
            "/proc/1/map_files/a",
        ] {
            assert!(shows_process_secrets(Path::new(closed)), "{closed}");
        }
        for open in [
            "/proc/cpuinfo",
            "/proc/1/status",
            "/proc/1",
            "/proc",
            "/proc/1/task/7/stat",
            "/procfs/1/environ",
            "/proc/net/dev",
            "/proc/1/task",
        ] {
            assert!(!shows_process_secrets(Path::new(open)), "{open}");
        }
    }

    #[test]
    fn own_home_is_closed_except_skills_and_settings_for_reading() {
        let workspace = Workspace::new("/nowhere/user".into(), "/nowhere/user/.hermes".into());
        let closed = |path: &str, reading| workspace.is_closed(Path::new(path), reading);
        assert!(closed("/nowhere/user/.hermes/.env", true));
        assert!(closed("/nowhere/user/.hermes", true));
        assert!(closed("/nowhere/user/.hermes/skills/a/SKILL.md", false));
        assert!(!closed("/nowhere/user/.hermes/skills/a/SKILL.md", true));
        assert!(!closed("/nowhere/user/.hermes/config.yaml", true));
        assert!(closed("/nowhere/user/.hermes/config.yaml", false));
        assert!(!closed("/nowhere/user/.hermes-other/x", false));
    }
}
