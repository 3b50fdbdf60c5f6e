use std::os::unix::fs::{PermissionsExt, symlink};

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{code, failure, value};

fn paths(listing: &Value) -> Vec<&str> {
    listing["entries"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect()
}

async fn project() -> TestRuntime {
    let test = TestRuntime::new().await;
    test.write("src/main.rs", "fn main() {}\n");
    test.write("src/deep/er/x.rs", "x");
    test.write("README.md", "hello");
    test.write(".hidden", "");
    test.write("big.bin", vec![0; 5_000]);
    test
}

#[tokio::test]
async fn lists_one_level_with_facts() {
    let test = project().await;
    std::fs::set_permissions(test.path("README.md"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("README.md", test.path("link")).unwrap();
    let listing = value(test.call("directory_list", json!({})).await);
    assert_eq!(paths(&listing), ["README.md", "big.bin", "link", "src"]);
    assert_eq!((&listing["total"], &listing["truncated"]), (&json!(4), &json!(false)));
    let readme = &listing["entries"][0];
    assert_eq!(
        (&readme["type"], &readme["size"], &readme["mode"]),
        (&json!("file"), &json!(5), &json!("0640"))
    );
    assert!(readme["mtime"].as_str().unwrap().ends_with('Z'));
    let link = &listing["entries"][2];
    assert_eq!((&link["type"], &link["target"]), (&json!("symlink"), &json!("README.md")));
    assert_eq!(listing["entries"][3]["type"], "directory");
}

#[tokio::test]
async fn depth_hidden_filter_and_sort() {
    let test = project().await;
    let list = async |arguments: Value| value(test.call("directory_list", arguments).await);
    assert_eq!(
        paths(&list(json!({"path": "src", "depth": 2})).await),
        ["src/deep", "src/deep/er", "src/main.rs"]
    );
    assert_eq!(paths(&list(json!({"hidden": true, "filter": ".*"})).await), [".hidden"]);
    assert_eq!(
        paths(&list(json!({"depth": 9, "filter": "*.rs"})).await),
        ["src/deep/er/x.rs", "src/main.rs"]
    );
    assert_eq!(paths(&list(json!({"depth": 9, "filter": "src/*.rs"})).await), ["src/main.rs"]);
    assert_eq!(paths(&list(json!({"sort": "size", "filter": "*.*"})).await), ["big.bin", "README.md"]);
    assert_eq!(paths(&list(json!({"sort": "type"})).await), ["src", "README.md", "big.bin"]);
    let absolute = test.path("src");
    assert_eq!(paths(&list(json!({"path": absolute})).await)[1], absolute.join("main.rs").to_str().unwrap());
    assert_eq!(code(test.call("directory_list", json!({"filter": "[x"})).await), ErrorCode::InvalidArgument);
}

#[tokio::test]
async fn ignored_files_can_be_left_out() {
    let test = project().await;
    test.write(".gitignore", "target/\n*.bin\n!keep.bin\n");
    test.write("target/debug/x", "");
    test.write("src/.gitignore", "deep\n");
    test.write("keep.bin", "");
    let listing = value(test.call("directory_list", json!({"no_ignore": false, "depth": 4})).await);
    assert_eq!(paths(&listing), ["README.md", "keep.bin", "src", "src/main.rs"]);
    let all = value(test.call("directory_list", json!({"depth": 4})).await);
    assert_eq!(all["total"], 11);
}

#[tokio::test]
async fn huge_folders_are_cut_with_a_count() {
    let test = TestRuntime::new().await;
    std::fs::create_dir(test.path("many")).unwrap();
    for number in 0..5_000 {
        std::fs::write(test.path(&format!("many/{number:05}")), "").unwrap();
    }
    let listing = value(test.call("directory_list", json!({"path": "many", "limit": 3})).await);
    assert_eq!(paths(&listing), ["many/00000", "many/00001", "many/00002"]);
    assert_eq!((&listing["total"], &listing["truncated"]), (&json!(5_000), &json!(true)));
    let tree = value(test.call("directory_list", json!({"path": "many", "limit": 1, "tree": true})).await);
    assert_eq!(tree["tree"], "many\n└── 00000\n… and 4999 more\n");
}

#[tokio::test]
async fn links_are_not_followed_and_loops_end() {
    let test = TestRuntime::new().await;
    std::fs::create_dir(test.path("a")).unwrap();
    symlink("..", test.path("a/up")).unwrap();
    symlink("self", test.path("self")).unwrap();
    let listing = value(test.call("directory_list", json!({"depth": 10})).await);
    assert_eq!(paths(&listing), ["a", "a/up", "self"]);
}

#[tokio::test]
async fn one_unreadable_folder_does_not_spoil_the_rest() {
    if rustix::process::geteuid().is_root() {
        return; // Root may read everything.
    }
    let test = project().await;
    std::fs::set_permissions(test.path("src/deep"), PermissionsExt::from_mode(0o000)).unwrap();
    let listing = value(test.call("directory_list", json!({"depth": 5})).await);
    std::fs::set_permissions(test.path("src/deep"), PermissionsExt::from_mode(0o755)).unwrap();
    assert!(paths(&listing).contains(&"src/main.rs"));
    assert_eq!(listing["unreadable"][0]["path"], "src/deep");
}

#[tokio::test]
async fn what_is_no_folder_is_refused() {
    let test = project().await;
    assert_eq!(
        failure(test.call("directory_list", json!({"path": "README.md"})).await).code,
        ErrorCode::InvalidArgument
    );
    assert_eq!(code(test.call("directory_list", json!({"path": "nowhere"})).await), ErrorCode::NotFound);
    for arguments in [json!({"depth": 0}), json!({"depth": 11}), json!({"limit": 5_001})] {
        assert_eq!(code(test.call("directory_list", arguments).await), ErrorCode::InvalidArgument);
    }
}
