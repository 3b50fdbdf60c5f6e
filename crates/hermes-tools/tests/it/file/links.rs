//! What takes a name away, where the name is a link.

use std::os::unix::fs::symlink;

use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{failure, value};

#[tokio::test]
async fn a_link_is_neither_removed_nor_moved_in_the_name_of_its_target() {
    let test = TestRuntime::new().await;
    test.write("real.txt", "old\n");
    test.write("folder/inner.txt", "inner\n");
    symlink("real.txt", test.path("link.txt")).unwrap();
    symlink("folder", test.path("way")).unwrap();
    for operation in ["*** Delete File: link.txt", "*** Move File: link.txt -> moved.txt"] {
        let patch = format!("*** Begin Patch\n{operation}\n*** End Patch");
        let refused = failure(test.call("patch", json!({"mode": "patch", "patch": patch})).await);
        assert!(refused.message.contains("symbolic link"), "{operation}: {refused}");
        assert_eq!(test.read("real.txt"), "old\n");
        assert!(test.path("link.txt").is_symlink() && !test.path("moved.txt").exists());
    }
    let patch = "*** Begin Patch\n*** Delete File: way/inner.txt\n*** End Patch";
    value(test.call("patch", json!({"mode": "patch", "patch": patch})).await);
    assert!(!test.path("folder/inner.txt").exists(), "a folder that is a link is a way like any other");
}
