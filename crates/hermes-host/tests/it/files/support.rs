//! A door, permits for it, and children under `strace`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hermes_core::{
    Access, AccessRequest, Approval, Approver, CallContext, Decision, ErrorCode, Owner, Permission, Policy,
    SessionIdentity, Target, ToolError, Verdict, authorise,
};
use hermes_host::workspace::{Change, Workspace, WriteMode, WriteRequest};
use hermes_host::{Env, Host};

/// Allows what lies inside one folder.
struct Inside(PathBuf);

impl Policy for Inside {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        let is_inside = |access: &Access| match &access.target {
            Target::Resolved(path) => path.starts_with(&self.0),
            _ => false,
        };
        let verdict = if request.access.iter().all(is_inside) { Verdict::Allow } else { Verdict::Deny };
        Decision::new(verdict, "test", "test")
    }
}

impl Approver for Inside {
    fn ask<'a>(&'a self, _: &'a AccessRequest<'a>, _: &'a Decision) -> BoxFuture<'a, Approval> {
        unreachable!("nothing is asked")
    }
}

/// The context of a call that the policy of `root` allows to use these paths in every way; `None` if not.
pub(super) fn call(host: &Host, root: &Path, paths: &[&str]) -> Option<CallContext> {
    use hermes_core::ports::PathResolver;
    let mut access = Vec::new();
    for path in paths {
        let resolved = host.workspace.resolve(root, path).ok()?;
        for permission in [Permission::FILE_READ, Permission::FILE_WRITE, Permission::FILE_DELETE] {
            access.push(Access::new(permission, Target::Resolved(resolved.clone())));
        }
    }
    let inside = Inside(root.to_owned());
    let request = AccessRequest {
        call_id: "c",
        tool: "t",
        toolset: "t",
        owner: &Owner::BuiltIn,
        session: "s",
        actor: "user",
        cwd: root,
        shell: None,
        access: &access,
        arguments: &serde_json::Value::Null,
        effects: &[],
    };
    let permit = authorise(&inside, &inside, &request).now_or_never()?.ok()?;
    let session = SessionIdentity { id: "s".into(), actor: "user".into(), cwd: root.into() };
    Some(CallContext::new("c".into(), Arc::new(session), permit, Default::default(), Default::default()))
}

pub(super) fn host(home: &Path) -> Host {
    let env: Env = [("HOME".to_owned(), home.display().to_string())].into_iter().collect();
    Host::new(env, home.join(".hermes"))
}

pub(super) fn overwrite(content: &[u8]) -> WriteRequest<'_> {
    WriteRequest { content, mode: WriteMode::Overwrite, create_dirs: true, expected_sha256: None, fit: None }
}

/// Changes `a.txt` from what it is to `a`, takes `b.txt` away and makes `c.txt`, in one commit.
pub(super) fn commit(workspace: &Workspace, cx: &CallContext, a: &[u8]) -> Result<(), ToolError> {
    let (old_a, old_b) = (workspace.current(cx, "a.txt")?, workspace.current(cx, "b.txt")?);
    let changes = [
        Change { raw: "a.txt", expected_sha256: old_a.sha256(), after: Some(a), like: None },
        Change { raw: "b.txt", expected_sha256: old_b.sha256(), after: None, like: None },
        Change { raw: "c.txt", expected_sha256: None, after: Some(b"made"), like: None },
    ];
    workspace.commit(cx, &changes).map(|_| ())
}

pub(super) const OLD: &str = "old ";
pub(super) const NEW: &str = "new ";
pub(super) const REPEATED: usize = 20_000;

/// How a child tells what came of its work.
pub(super) const DONE: i32 = 40;
pub(super) const FAILED: i32 = 41;
pub(super) const UNKNOWN: i32 = 42;

pub(super) fn end(result: Result<(), ToolError>) -> ! {
    std::process::exit(match result {
        Ok(()) => DONE,
        Err(error) if error.code == ErrorCode::OutcomeUnknown => UNKNOWN,
        Err(_) => FAILED,
    })
}

/// The folder a child works in, if this process is one. From here on `strace` sees what this thread does, and
/// nothing else: neither the harness's own thread nor what went before.
#[expect(clippy::zombie_processes, reason = "it ends with the thread it watches")]
pub(super) fn folder_of_child() -> Option<PathBuf> {
    let folder = std::env::var_os("HERMES_TEST_FOLDER").map(PathBuf::from)?;
    let options = std::env::var("HERMES_TEST_STRACE").unwrap();
    let thread = rustix::thread::gettid().as_raw_nonzero();
    Command::new("strace")
        .args(["-qq", "-p", &thread.to_string()])
        .args(options.split(' '))
        .spawn()
        .expect("the program 'strace'; get it with: cargo xtask setup");
    // Watched from another thread: a look of this one would be seen.
    let watch = move || {
        let is_traced = || {
            let status = std::fs::read_to_string(format!("/proc/self/task/{thread}/status")).unwrap();
            !status.lines().any(|line| line.split_whitespace().eq(["TracerPid:", "0"]))
        };
        for _ in 0..10_000 {
            if is_traced() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        false
    };
    let attached = std::thread::spawn(watch).join().unwrap();
    assert!(attached, "strace cannot attach; run this test as root");
    Some(folder)
}

/// Runs a child test with `strace` attached, and waits for it.
fn child(name: &str, folder: &Path, options: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env("HERMES_TEST_FOLDER", folder)
        .env("HERMES_TEST_STRACE", options)
        .output()
        .unwrap()
}

/// Every system call that a child makes, in order: its name, and how many of that name there were with it.
pub(super) fn calls_of(name: &str, folder: &Path) -> Vec<(String, usize)> {
    let trace = folder.join("trace");
    let ran = child(name, folder, &format!("-o {}", trace.display()));
    assert_eq!(ran.status.code(), Some(DONE), "{ran:?}");
    let text = std::fs::read_to_string(&trace).unwrap();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let names = text.lines().filter_map(|line| line.split_once('(')).map(|(name, _)| name.to_owned());
    names
        .filter(|name| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
        .map(|name| {
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            (name, *count)
        })
        .collect()
}

/// Runs a child with a fault at one of its calls.
pub(super) fn with_fault(name: &str, folder: &Path, (call, count): &(String, usize), fault: &str) -> Output {
    child(name, folder, &format!("-o /dev/null -e inject={call}:{fault}:when={count}"))
}

/// Names of unfinished files that are still there.
pub(super) fn leftovers(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with(".hermes-"))
        .collect()
}
