//! What only another machine can do to a call: its links, its modes, its other writers.

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{failure, value};

async fn shell(test: &TestRuntime, command: &str) -> String {
    let ran = value(test.call("terminal", json!({"command": command})).await);
    assert_eq!(ran["exit_code"], json!(0), "{ran}");
    ran["output"].as_str().unwrap().to_owned()
}

/// `work` is the folder over there in which the session starts.
pub(super) async fn edges_hold(test: &TestRuntime, work: &str) {
    rules_reach_over_there(test, work).await;
    links_are_followed_and_judged(test, work).await;
    modes_stay(test).await;
    nobody_is_overwritten(test).await;
    only_this_machine_can(test).await;
    let left = shell(test, &format!("cd {work}; find . -name '.hermes-*'")).await;
    assert_eq!(left, "", "unfinished files");
}

/// The policy of the tests lets files be written in the session's own folder only, and closes Hermes's home.
async fn rules_reach_over_there(test: &TestRuntime, work: &str) {
    let outside = format!("{work}-outside");
    shell(test, &format!("mkdir -p {outside} ~/.hermes && echo secret > ~/.hermes/.env")).await;
    for path in [format!("{outside}/x"), "../x".to_owned(), "~/x".to_owned()] {
        let denied = failure(test.call("write_file", json!({"path": path, "content": "x"})).await);
        assert_eq!(denied.code, ErrorCode::PermissionDenied, "{path}: {denied}");
    }
    assert_eq!(shell(test, &format!("ls {outside}")).await, "");
    for path in ["~/.hermes/.env", "/proc/self/environ", "/proc/1/environ"] {
        let denied = failure(test.call("read_file", json!({"path": path})).await);
        assert_eq!(denied.code, ErrorCode::PermissionDenied, "{path}: {denied}");
    }
    let inside =
        value(test.call("write_file", json!({"path": format!("{work}/abs.txt"), "content": "x"})).await);
    assert_eq!(inside["path"], json!(format!("{work}/abs.txt")), "an absolute path into the work folder");
}

async fn links_are_followed_and_judged(test: &TestRuntime, work: &str) {
    let make = format!(
        "cd {work} && echo target > real.txt && ln -s real.txt good && ln -s ~/.hermes closed && \
         ln -s {work}-outside out && ln -s nowhere/at/all dangling && ln -s loop loop && mkfifo pipe"
    );
    shell(test, &make).await;
    let written = value(test.call("write_file", json!({"path": "good", "content": "new\n"})).await);
    assert_eq!(written["path"], json!(format!("{work}/real.txt")));
    assert!(written["note"].as_str().unwrap().contains("symbolic link"), "{written}");
    assert_eq!(shell(test, &format!("cat {work}/real.txt; readlink {work}/good")).await, "new\nreal.txt");
    for (tool, arguments) in [
        ("write_file", json!({"path": "out/x", "content": "x"})),
        ("read_file", json!({"path": "closed/.env"})),
        ("directory_list", json!({"path": "closed"})),
        (
            "patch",
            json!({"mode": "patch", "patch": "*** Begin Patch\n*** Add File: out/x\n+x\n*** End Patch"}),
        ),
    ] {
        let denied = failure(test.call(tool, arguments.clone()).await);
        assert_eq!(denied.code, ErrorCode::PermissionDenied, "{tool} {arguments}: {denied}");
    }
    for path in ["dangling", "loop", "pipe"] {
        let refused = failure(test.call("read_file", json!({"path": path})).await);
        assert!(
            matches!(refused.code, ErrorCode::NotFound | ErrorCode::InvalidArgument),
            "{path}: {refused}"
        );
    }
    let found = value(test.call("search_files", json!({"pattern": "secret"})).await);
    assert_eq!(found["total"], json!(0), "links are not followed: {found}");
    let listed = value(test.call("directory_list", json!({"filter": "good"})).await);
    assert_eq!(listed["entries"][0]["target"], json!("real.txt"), "{listed}");
    shell(
        test,
        &format!(
            "cd {work} && rm good closed out dangling loop pipe real.txt abs.txt && rm -r {work}-outside"
        ),
    )
    .await;
}

async fn modes_stay(test: &TestRuntime) {
    let work = value(test.call("write_file", json!({"path": "run.sh", "content": "old\n"})).await);
    let path = work["path"].as_str().unwrap().to_owned();
    shell(test, &format!("chmod 750 {path}")).await;
    value(test.call("write_file", json!({"path": "run.sh", "content": "new\n"})).await);
    value(test.call("patch", json!({"path": "run.sh", "old_string": "new", "new_string": "newer"})).await);
    value(
        test.call(
            "patch",
            json!({"mode": "patch", "patch": "*** Begin Patch\n*** Move File: run.sh -> go.sh\n*** End Patch"}),
        )
        .await,
    );
    let moved = path.replace("run.sh", "go.sh");
    assert_eq!(
        shell(test, &format!("stat -c %a {moved}; cat {moved}; ls {path} 2>/dev/null || true")).await,
        "750\nnewer"
    );
}

async fn nobody_is_overwritten(test: &TestRuntime) {
    let written = value(test.call("write_file", json!({"path": "shared.txt", "content": "mine\n"})).await);
    let (path, hash) = (written["path"].as_str().unwrap(), written["sha256"].clone());
    shell(test, &format!("echo theirs > {path}")).await;
    let stale = json!({"path": "shared.txt", "content": "mine again\n", "expected_hash": hash});
    let refused = failure(test.call("write_file", stale).await);
    assert_eq!(refused.code, ErrorCode::Conflict, "{refused}");
    assert_eq!(refused.data["current"]["content"], json!("theirs\n"));
    assert_eq!(shell(test, &format!("cat {path}")).await, "theirs");

    shell(test, &format!("i=0; while [ $i -lt 20 ]; do echo line $i; i=$((i+1)); done > {path}")).await;
    let session = |number: usize| {
        let arguments = json!({"path": "shared.txt", "old_string": format!("line {number}\n"),
            "new_string": format!("edited {number}\n")});
        async move { test.call("patch", arguments).await }
    };
    let (a, b, c) = tokio::join!(session(3), session(11), session(17));
    for outcome in [a, b, c] {
        value(outcome);
    }
    assert_eq!(
        shell(test, &format!("grep -c edited {path}; wc -l < {path}")).await,
        "3\n20",
        "an edit was lost"
    );
}

async fn only_this_machine_can(test: &TestRuntime) {
    for (tool, arguments) in [
        ("file_watch", json!({"action": "start", "paths": ["."]})),
        ("file_compress", json!({"action": "compress", "source": ["."], "destination": "x.zip"})),
    ] {
        let refused = failure(test.call(tool, arguments).await);
        assert_eq!(refused.code, ErrorCode::Unavailable, "{refused}");
        assert!(refused.message.contains("this machine only"), "{refused}");
    }
}
