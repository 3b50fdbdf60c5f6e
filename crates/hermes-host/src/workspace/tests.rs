//! The doors with permits that do not reach.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hermes_core::ports::PathResolver;
use hermes_core::{
    Access, AccessRequest, Approval, Approver, CallContext, Decision, ErrorCode, InnerJudge, Permission,
    Policy, SessionIdentity, Target, ToolError, Verdict, authorise,
};

use super::*;
use crate::clock::Clock;
use crate::undo::{UndoLimits, UndoStore};

struct Yes;

impl Policy for Yes {
    fn decide(&self, _: &AccessRequest<'_>) -> Decision {
        Decision::new(Verdict::Allow, "test", "test")
    }
}

impl Approver for Yes {
    fn ask<'a>(&'a self, _: &'a AccessRequest<'a>, _: &'a Decision) -> BoxFuture<'a, Approval> {
        unreachable!("nothing is asked")
    }
}

/// Closes whatever is called `.env`, as a file that nobody named.
struct NoEnv;

impl Policy for NoEnv {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        Yes.decide(request)
    }

    fn inner_judge(&self, _: &AccessRequest<'_>) -> Option<InnerJudge> {
        Some(Arc::new(|_, path| {
            let verdict = if path.ends_with(".env") { Verdict::Deny } else { Verdict::Allow };
            Decision::new(verdict, "test", "test")
        }))
    }
}

/// The context of a call that was granted exactly `access`.
pub(super) fn granted(cwd: &Path, access: &[Access]) -> CallContext {
    granted_by(&Yes, cwd, access)
}

fn granted_by(policy: &dyn Policy, cwd: &Path, access: &[Access]) -> CallContext {
    let request = AccessRequest {
        call_id: "c",
        tool: "t",
        toolset: "t",
        owner: &hermes_core::Owner::BuiltIn,
        session: "s",
        actor: "user",
        cwd,
        shell: None,
        access,
        arguments: &serde_json::Value::Null,
        effects: &[],
    };
    let permit = authorise(policy, &Yes, &request).now_or_never().unwrap().unwrap();
    let session = SessionIdentity { id: "s".into(), actor: "user".into(), cwd: cwd.into() };
    CallContext::new("c".into(), Arc::new(session), permit, Default::default(), Default::default())
}

fn refused<T>(result: Result<T, ToolError>) -> bool {
    result.is_err_and(|error| error.code == ErrorCode::PermissionDenied)
}

#[test]
fn doors_refuse_what_the_permit_does_not_name() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::write(root.join(name), "x").unwrap();
    }
    let workspace = Workspace::new(root.clone(), root.join(".hermes"));
    let on = |permission, name: &str| Access::new(permission, Target::Resolved(root.join(name)));
    let cx = granted(&root, &[on(Permission::FILE_READ, "a.txt")]);
    let request = WriteRequest {
        content: b"y",
        mode: WriteMode::Overwrite,
        create_dirs: true,
        expected_sha256: None,
        fit: None,
    };
    let listed = ListOptions { depth: 1, hidden: false, ignore: false };
    assert!(workspace.open_read(&cx, "a.txt").is_ok());
    assert!(refused(workspace.open_read(&cx, "b.txt")));
    assert!(refused(workspace.write(&cx, "a.txt", &request)), "reading is not writing");
    assert!(refused(workspace.list(&cx, ".", listed)), "a file is not its folder");
    assert!(refused(workspace.similar(&cx, "b.txx", 5)));

    let folder = granted(&root, &[on(Permission::FILE_WRITE, "sub")]);
    assert!(workspace.write(&folder, "sub/deep/new.txt", &request).is_ok());
    assert!(refused(workspace.write(&folder, "subway.txt", &request)), "a shared prefix is not a folder");

    // A permission without a path is not a licence for every path.
    let vague = granted(&root, &[Access::any(Permission::FILE_READ)]);
    assert!(refused(workspace.open_read(&vague, "a.txt")));
    assert!(refused(crate::System::default().look(&vague)));
    assert_eq!(std::fs::read(root.join("a.txt")).unwrap(), b"x");
}

#[test]
fn what_was_replaced_since_it_was_looked_at_is_read_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let file = root.join("a.txt");
    std::fs::write(&file, "old").unwrap();
    std::fs::write(root.join("b.txt"), "new!").unwrap();
    let workspace = Workspace::new(root.clone(), root.join(".hermes"));
    let cx = granted(&root, &[Access::new(Permission::FILE_READ, Target::Resolved(file.clone()))]);
    workspace.resolve(&root, "a.txt").unwrap();
    std::fs::rename(root.join("b.txt"), &file).unwrap();
    let mut opened = workspace.open_cached(&cx, "a.txt").expect("a file in memory");
    assert_eq!(opened.take_content(10).unwrap(), b"new!");

    workspace.resolve(&root, "a.txt").unwrap();
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("b.txt", &file).unwrap();
    std::fs::write(root.join("b.txt"), "elsewhere").unwrap();
    assert!(workspace.open_cached(&cx, "a.txt").is_none(), "a look opens no other way");
}

/// Between the look and the change others can save; a new file that takes its time leaves them long for it.
#[test]
fn what_was_saved_while_a_new_file_was_made_stays() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let file = root.join("a.zip");
    let workspace = Workspace::new(root.clone(), root.join(".hermes"));
    let cx = granted(&root, &[Access::new(Permission::FILE_WRITE, Target::Resolved(file.clone()))]);
    for saved in [Some("theirs"), None] {
        std::fs::write(&file, "old").unwrap();
        let mut new = workspace.create(&cx, "a.zip", true).unwrap();
        new.write_all(b"new").unwrap();
        match saved {
            Some(saved) => std::fs::write(&file, saved).unwrap(),
            None => std::fs::remove_file(&file).unwrap(),
        }
        assert_eq!(new.finish().unwrap_err().code, ErrorCode::Conflict);
        assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), saved);
        assert_eq!(
            std::fs::read_dir(&root).unwrap().count(),
            usize::from(saved.is_some()),
            "nothing else is left"
        );
    }
    let mut new = workspace.create(&cx, "a.zip", false).unwrap();
    new.write_all(b"new").unwrap();
    new.finish().unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
}

/// A change that others were faster than has not happened, and is not there to be taken back.
#[test]
fn what_was_overtaken_is_not_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (file, theirs) = (root.join("a.txt"), root.join("theirs"));
    let store = UndoStore::at(root.join(".hermes/undo"), UndoLimits::default(), Clock::system());
    let workspace = Workspace::new(root.clone(), root.join(".hermes")).with_undo(Some(store.clone()));
    let cx = granted(&root, &[Access::new(Permission::FILE_WRITE, Target::Resolved(file.clone()))]);
    std::fs::write(&file, "old\n").unwrap();
    std::fs::write(&theirs, "theirs\n").unwrap();
    // Somebody saves while the first try is under way.
    let fit = |_: &[u8]| {
        let _ = std::fs::rename(&theirs, &file);
        Ok(b"new\n".to_vec())
    };
    let request = WriteRequest {
        content: b"new\n",
        mode: WriteMode::Append,
        create_dirs: false,
        expected_sha256: None,
        fit: Some(Fit(&fit)),
    };
    workspace.write(&cx, "a.txt", &request).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs\nnew\n");
    assert_eq!(store.list().unwrap().len(), 1);

    let mut new = workspace.create(&cx, "a.txt", true).unwrap();
    new.write_all(b"new").unwrap();
    std::fs::write(&file, "theirs again").unwrap();
    assert_eq!(new.finish().unwrap_err().code, ErrorCode::Conflict);
    assert_eq!(store.list().unwrap().len(), 1);
}

/// The link may be made after the call was judged.
#[test]
fn a_second_name_is_judged_before_anything_is_told_or_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::write(root.join(".env"), "TOKEN=abc123").unwrap();
    std::fs::hard_link(root.join(".env"), root.join("notes")).unwrap();
    let workspace = Workspace::new(root.clone(), root.join(".hermes"));
    let both = [Permission::FILE_READ, Permission::FILE_WRITE];
    let cx = granted_by(&NoEnv, &root, &both.map(|how| Access::new(how, Target::Resolved(root.clone()))));
    let stale = Some("0000");
    let request = WriteRequest {
        content: b"new",
        mode: WriteMode::Overwrite,
        create_dirs: false,
        expected_sha256: stale,
        fit: None,
    };
    let told = |error: ToolError| (error.code, error.data.contains_key("current"));
    let denied = (ErrorCode::PermissionDenied, false);
    assert_eq!(told(workspace.open_read(&cx, "notes").unwrap_err()), denied);
    assert_eq!(told(workspace.write(&cx, "notes", &request).unwrap_err()), denied);
    let change = Change { raw: "notes", expected_sha256: stale, after: Some(b"new"), like: None };
    assert_eq!(told(workspace.commit(&cx, &[change]).unwrap_err()), denied);
    assert!(refused(workspace.create(&cx, "notes", true).map(|_| ())));
    let limits = UnpackLimits { max_entries: 9, max_bytes: 999, max_ratio: 9, archive_bytes: 999 };
    let mut unpacking = workspace.unpack(&cx, ".", true, limits).unwrap();
    unpacking.file("notes".as_ref(), (None, None), &mut b"new".as_slice()).unwrap();
    assert!(refused(unpacking.finish().map(|_| ())));
    assert_eq!(std::fs::read_to_string(root.join("notes")).unwrap(), "TOKEN=abc123");
}

/// Of a file with one name, as nearly all are, everything is known at once; for others folders are looked through.
#[test]
fn a_path_is_resolved_at_once_unless_its_file_has_several_names() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::create_dir(root.join(".ssh")).unwrap();
    std::fs::write(root.join(".ssh/id"), "x").unwrap();
    std::fs::hard_link(root.join(".ssh/id"), root.join("second")).unwrap();
    std::fs::write(root.join("one"), "x").unwrap();
    std::os::unix::fs::symlink("second", root.join("link")).unwrap();
    let workspace = Workspace::new(root.clone(), root.join(".hermes"));
    for name in ["one", "none", ".ssh", "../none/deep"] {
        let at_once = workspace.resolve_at_once(&root, name).unwrap().unwrap();
        assert_eq!(at_once, workspace.resolve(&root, name).unwrap());
    }
    for name in ["second", "link"] {
        assert!(workspace.resolve_at_once(&root, name).is_none(), "{name}");
        assert_eq!(workspace.resolve(&root, name).unwrap(), root.join(".ssh/id"));
    }
    assert!(workspace.resolve_at_once(&root, "").unwrap().is_err());
}
