//! `file_search`: half-remembered names, best first.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::value;

fn paths(answer: &Value) -> Vec<&str> {
    answer["matches"].as_array().unwrap().iter().map(|found| found["path"].as_str().unwrap()).collect()
}

async fn tree() -> TestRuntime {
    let test = TestRuntime::new().await;
    for name in [
        "src/user_controller.py",
        "src/users.py",
        "src/admin/user_list.py",
        "docs/user-guide.md",
        "Makefile",
        "target/user.o",
        ".hidden/user.txt",
    ] {
        test.write(name, "def main():\n    pass\n");
    }
    test.write(".gitignore", "target/\n");
    test
}

#[tokio::test]
async fn the_best_fit_comes_first_and_ignored_files_stay_out() {
    let test = tree().await;
    let answer = value(test.call("file_search", json!({"query": "users"})).await);
    assert_eq!(paths(&answer)[0], "src/users.py");
    assert!(answer["matches"][0]["score"].as_u64() > answer["matches"][1]["score"].as_u64(), "{answer}");
    assert!(paths(&answer).iter().all(|path| !path.contains("target") && !path.contains("hidden")));
    let words = value(test.call("file_search", json!({"query": "guide user"})).await);
    assert_eq!(paths(&words), ["docs/user-guide.md"]);
}

#[tokio::test]
async fn other_modes_kinds_and_limits() {
    let test = tree().await;
    let regex = value(test.call("file_search", json!({"query": r"user_\w+\.py$", "mode": "regex"})).await);
    assert_eq!(paths(&regex), ["src/admin/user_list.py", "src/user_controller.py"]);
    let folders = value(test.call("file_search", json!({"query": "admin", "type": "dir"})).await);
    assert_eq!(paths(&folders), ["src/admin"]);
    let shallow =
        value(test.call("file_search", json!({"query": "*", "mode": "glob", "max_depth": 1})).await);
    assert_eq!(paths(&shallow), ["Makefile"]);
    let cut = value(test.call("file_search", json!({"query": "user", "limit": 2})).await);
    assert_eq!((paths(&cut).len(), &cut["truncated"], &cut["total"]), (2, &json!(true), &json!(4)));
    let content = value(
        test.call("file_search", json!({"query": "def \\w+", "mode": "content", "path": "docs"})).await,
    );
    assert_eq!(
        content["matches"][0],
        json!({"path": "docs/user-guide.md", "line": 1, "text": "def main():"})
    );
    let all =
        value(test.call("file_search", json!({"query": "user", "hidden": true, "no_ignore": true})).await);
    assert_eq!(all["total"], 6);
}

/// What is found is shown as `read_file` shows it.
#[tokio::test]
async fn lines_of_other_encodings_are_readable() {
    let test = TestRuntime::new().await;
    test.write("menu.txt", b"tea\ncaf\xe9 5 \x80\n");
    let read = value(test.call("read_file", json!({"path": "menu.txt"})).await);
    assert_eq!(read["content"], "1|tea\n2|café 5 €\n");
    let found = value(test.call("file_search", json!({"query": "caf", "mode": "content"})).await);
    assert_eq!(found["matches"][0]["text"], "café 5 €", "{found}");
    let found = value(test.call("search_files", json!({"pattern": "caf"})).await);
    assert_eq!(found["matches"], "menu.txt\n2:café 5 €\n", "{found}");
}

/// A file that is named itself is looked for by its name, like one that was found on the way.
#[tokio::test]
async fn the_one_file_that_is_searched_has_a_name() {
    let test = tree().await;
    let path = "src/user_controller.py";
    for (mode, query) in
        [("fuzzy", "usrctl"), ("glob", "*.py"), ("regex", "^user_.*y$"), ("content", "class|def|.*")]
    {
        test.write(path, "class A\n");
        let question = json!({"query": query, "mode": mode, "path": path});
        assert_eq!(paths(&value(test.call("file_search", question).await)), [path], "{mode}");
        let other = json!({"query": "zebra", "mode": mode, "path": path});
        assert_eq!(value(test.call("file_search", other).await)["total"], 0, "{mode}");
    }
    let names = json!({"pattern": "user_*.py", "target": "files", "path": path});
    assert_eq!(value(test.call("search_files", names).await)["files"], json!([path]));
    for (glob, total) in [("*.py", 1), ("!*.py", 0), ("*.rs", 0), ("!*.rs", 1)] {
        let lines = json!({"pattern": "class", "path": path, "file_glob": glob});
        assert_eq!(value(test.call("search_files", lines).await)["total"], total, "{glob}");
    }
}
