//! `search_files` on real trees.

use std::os::unix::fs::symlink;
use std::sync::Arc;

use hermes_core::ErrorCode;
use hermes_policy::paths::Places;
use hermes_policy::{PathRoots, Pattern, Rules};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, failure, value};

#[tokio::test]
async fn lines_come_in_the_order_of_paths_with_exact_totals() {
    let test = TestRuntime::new().await;
    for name in ["b.txt", "a/z.txt", "a/b/c.txt"] {
        test.write(name, "hit 1\nmiss\nhit 2\n");
    }
    let first = value(test.call("search_files", json!({"pattern": "^hit", "limit": 3})).await);
    assert_eq!(first["matches"], "a/b/c.txt\n1:hit 1\n3:hit 2\n\na/z.txt\n1:hit 1\n");
    assert_eq!((&first["total"], &first["next_offset"]), (&json!(6), &json!(3)));
    let rest = value(test.call("search_files", json!({"pattern": "^hit", "offset": 3})).await);
    assert_eq!(rest["matches"], "a/z.txt\n3:hit 2\n\nb.txt\n1:hit 1\n3:hit 2\n");
    assert_eq!((&rest["total"], &rest["truncated"]), (&json!(6), &json!(false)));
}

#[tokio::test]
async fn many_matches_are_counted_and_few_are_kept() {
    let test = TestRuntime::new().await;
    for file in 0..60 {
        test.write(&format!("d{}/f{file:02}.txt", file % 7), "x\n".repeat(1_000));
    }
    let answer =
        value(test.call("search_files", json!({"pattern": "x", "limit": 2, "offset": 30_001})).await);
    assert_eq!((&answer["total"], &answer["files_with_matches"]), (&json!(60_000), &json!(60)));
    assert_eq!(answer["matches"].as_str().unwrap().lines().nth(1), Some("2:x"), "{answer}");
    let counts =
        value(test.call("search_files", json!({"pattern": "x", "output_mode": "count", "limit": 1})).await);
    assert_eq!(counts["counts"], json!({"d0/f00.txt": 1_000}));
}

#[tokio::test]
async fn patterns_that_look_like_options_and_odd_names_are_no_problem() {
    let test = TestRuntime::new().await;
    test.write("a:1:b.rs", "fn f() -> u8 {}\n");
    let answer = value(test.call("search_files", json!({"pattern": "-> u8"})).await);
    assert_eq!(answer["matches"], "a:1:b.rs\n1:fn f() -> u8 {}\n");
    let error = failure(test.call("search_files", json!({"pattern": "f("})).await);
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(error.hint.unwrap().contains("f\\("));
}

#[tokio::test]
async fn context_and_lines_across_lines() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "1\n2\nhit\n4\n5\n6\n7\nhit\n9\n");
    let answer = value(test.call("search_files", json!({"pattern": "hit", "context": 1})).await);
    assert_eq!(answer["matches"], "a.txt\n2-2\n3:hit\n4-4\n--\n7-7\n8:hit\n9-9\n");
    let page = value(test.call("search_files", json!({"pattern": "hit", "context": 1, "limit": 1})).await);
    assert_eq!(page["matches"], "a.txt\n2-2\n3:hit\n4-4\n");
    let answer = value(test.call("search_files", json!({"pattern": "hit\\n4", "multiline": true})).await);
    assert_eq!(answer["matches"], "a.txt\n3:hit\n4:4\n");
}

#[tokio::test]
async fn what_is_shown_of_a_file_is_found_in_it() {
    let test = TestRuntime::new().await;
    test.write("windows.txt", "foo\r\nbar\r\n");
    test.write("latin1.txt", b"caf\xe9 au lait\n");
    test.write("utf8.txt", "un café\nfoo\n");
    test.write("road.txt", "C:\\road\r\none\rline\r\n");
    let utf16 = "\u{feff}Grüße\r\n".encode_utf16().flat_map(u16::to_le_bytes);
    test.write("utf16.txt", utf16.collect::<Vec<_>>());
    for (pattern, multiline, expected) in [
        ("foo$", false, "utf8.txt\n2:foo\n\nwindows.txt\n1:foo\n"),
        ("^bar$", false, "windows.txt\n2:bar\n"),
        ("^foo$", true, "utf8.txt\n2:foo\n\nwindows.txt\n1:foo\n"),
        ("foo\r$", false, "windows.txt\n1:foo\n"),
        ("foo\\r$", false, "windows.txt\n1:foo\n"),
        ("café", false, "latin1.txt\n1:café au lait\n\nutf8.txt\n1:un café\n"),
        ("é$", false, "utf8.txt\n1:un café\n"),
        // However the letter is spelt.
        ("caf. au", false, "latin1.txt\n1:café au lait\n"),
        ("caf\\w au", false, "latin1.txt\n1:café au lait\n"),
        ("caf\\x{e9}", false, "latin1.txt\n1:café au lait\n\nutf8.txt\n1:un café\n"),
        ("caf\\b", false, ""),
        ("(?-u)caf\\xe9", false, "latin1.txt\n1:café au lait\n"),
        // What is not shown is not there, unless it is spoken of.
        ("^foo.$", false, ""),
        ("foo\\s", false, ""),
        ("foo\\nbar", true, "windows.txt\n1:foo\n2:bar\n"),
        ("foo$\\nbar$", true, "windows.txt\n1:foo\n2:bar\n"),
        ("foo\\r\\nbar", true, "windows.txt\n1:foo\n2:bar\n"),
        ("\\\\road$", false, "road.txt\n1:C:\\road\n"),
        ("one$", false, ""),
        ("line$", false, "road.txt\n2:one\rline\n"),
        ("Grüße$", false, "utf16.txt\n1:Grüße\n"),
    ] {
        let answer =
            value(test.call("search_files", json!({"pattern": pattern, "multiline": multiline})).await);
        assert_eq!(answer["matches"], expected, "{pattern}");
    }
}

/// One bad byte does not turn all other letters into something else.
#[tokio::test]
async fn bytes_that_are_no_letters_hide_none() {
    let test = TestRuntime::new().await;
    test.write(
        "damaged.txt",
        [&"naïve\n".repeat(20_000).into_bytes(), b"\xff naive\n\xff na\xc3\xafve\n".as_slice()].concat(),
    );
    test.write("mixed.txt", b"na\xefve\nna\xc3\xafve\n\xd1 \xc3\x94\n");
    for (pattern, context, counts) in [
        ("naïve", 0, json!({"damaged.txt": 20_001, "mixed.txt": 2})),
        ("na.ve", 1, json!({"damaged.txt": 20_002, "mixed.txt": 2})),
        ("ÿ na[iï]ve", 0, json!({"damaged.txt": 2})),
        // What could be one letter of UTF-8 and is two of Latin-1, as the rest of its line.
        ("Ñ Ã”", 0, json!({"mixed.txt": 1})),
    ] {
        let question = json!({"pattern": pattern, "output_mode": "count", "context": context});
        assert_eq!(value(test.call("search_files", question).await)["counts"], counts, "{pattern}");
        let question = json!({"query": pattern, "mode": "content"});
        let total: u64 = counts.as_object().unwrap().values().filter_map(serde_json::Value::as_u64).sum();
        assert_eq!(value(test.call("file_search", question).await)["total"], total, "{pattern}");
    }
    let shown = value(
        test.call("search_files", json!({"pattern": "naïve$", "path": "mixed.txt", "context": 1})).await,
    );
    assert_eq!(shown["matches"], "mixed.txt\n1:naïve\n2:naïve\n3-Ñ Ô\n");
}

#[tokio::test]
async fn what_was_not_searched_to_its_end_is_told() {
    let test = TestRuntime::new().await;
    let long = std::fs::File::create(test.path("long.txt")).unwrap();
    // One line without an end, that takes no room on the disk until it is read.
    std::io::Write::write_all(&mut &long, b"x needle\nneedle ").unwrap();
    let spaces = vec![b' '; 1 << 20];
    (0..130).for_each(|_| std::io::Write::write_all(&mut &long, &spaces).unwrap());
    for (multiline, reason) in
        [(false, "searched only up to a line of more than 128 MiB"), (true, "files of up to 128 MiB")]
    {
        let question = json!({"pattern": "needle\\s", "multiline": multiline, "output_mode": "count"});
        let answer = value(test.call("search_files", question).await);
        let told = answer["unreadable"][0].as_str().unwrap_or_default();
        assert!(told.starts_with("long.txt: ") && told.contains(reason), "{answer}");
    }
    test.write("log.txt", ["needle\n", &"x".repeat(300_000), "\n\0\n"].concat());
    test.write("plain.txt", "needle\n");
    std::fs::remove_file(test.path("long.txt")).unwrap();
    let answer = value(test.call("search_files", json!({"pattern": "needle"})).await);
    assert_eq!(answer["matches"], "plain.txt\n1:needle\n");
    assert_eq!(answer["hint"], "One file is no text; nothing of it is shown.");
}

#[tokio::test]
async fn hidden_ignored_and_binary_files_stay_out() {
    let test = TestRuntime::new().await;
    test.write(".gitignore", "out/\n*.log\n!keep.log\n");
    for name in [".hidden", "out/a.txt", "b.log", "keep.log", "src/c.txt", ".git/config"] {
        test.write(name, "needle\n");
    }
    test.write("bin", b"needle\n\0\0");
    test.write("utf16.txt", "needle\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let mut marked = vec![0xff, 0xfe];
    marked.extend("needle\n".encode_utf16().flat_map(u16::to_le_bytes));
    test.write("marked.txt", marked);
    let files = async |arguments| {
        let answer = value(test.call("search_files", arguments).await);
        answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let plain = files(json!({"pattern": "needle", "output_mode": "files_only"})).await;
    assert_eq!(plain, ["keep.log", "marked.txt", "src/c.txt"]);
    // From inside the repository the rules above still hold.
    test.write("src/deep/d.log", "needle\n");
    std::fs::create_dir_all(test.path(".git/objects")).unwrap();
    let inner = files(json!({"pattern": "needle", "output_mode": "files_only", "path": "src"})).await;
    assert_eq!(inner, ["src/c.txt"]);
    let all = files(json!({"pattern": "needle", "output_mode": "files_only", "all_files": true})).await;
    assert!(all.contains(&".hidden".to_owned()) && all.contains(&"out/a.txt".to_owned()), "{all:?}");
    let names = files(json!({"pattern": "*.txt", "target": "files"})).await;
    assert_eq!(names, ["marked.txt", "src/c.txt", "utf16.txt"]);
}

#[tokio::test]
async fn links_are_not_followed_and_one_file_can_be_searched() {
    let test = TestRuntime::new().await;
    let outside = test.workspace().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret.txt"), "needle\n").unwrap();
    symlink(&outside, test.path("dir")).unwrap();
    symlink(outside.join("secret.txt"), test.path("file.txt")).unwrap();
    symlink(".", test.path("loop")).unwrap();
    test.write("own.txt", "needle\n");
    let answer = value(test.call("search_files", json!({"pattern": "needle"})).await);
    assert_eq!(answer["matches"], "own.txt\n1:needle\n");
    let one = value(test.call("search_files", json!({"pattern": "needle", "path": "own.txt"})).await);
    assert_eq!(one["matches"], "own.txt\n1:needle\n");
    assert_eq!(
        code(test.call("search_files", json!({"pattern": "x", "path": "none"})).await),
        ErrorCode::NotFound
    );
}

#[tokio::test]
async fn what_policy_closes_is_never_shown() {
    let test = TestRuntime::new().await;
    test.write(".env", "TOKEN=needle\n");
    test.write("app/.env.production", "TOKEN=needle\n");
    test.write("app/main.py", "needle\n");
    let everything = vec![std::path::PathBuf::from("/")];
    let rules = Rules {
        name: "guarded".into(),
        allow: vec![Pattern::parse("*").unwrap()],
        roots: PathRoots { read: everything.clone(), write: everything, ..PathRoots::default() },
        places: Some(Places::new("/nowhere", test.host().home.clone(), [test.workspace().to_owned()])),
        ..Rules::default()
    };
    let session = test.session_with(|options| options.policy = Arc::new(rules));
    assert_eq!(code(session.call("read_file", json!({"path": ".env"})).await), ErrorCode::ApprovalRequired);
    let answer = value(session.call("search_files", json!({"pattern": "needle", "all_files": true})).await);
    assert_eq!((&answer["matches"], &answer["total"]), (&json!("app/main.py\n1:needle\n"), &json!(1)));
}

#[tokio::test]
async fn hermes_own_home_is_not_searched() {
    let test = TestRuntime::new().await;
    std::fs::write(test.host().home.join("secret.txt"), "needle\n").unwrap();
    let above = test.workspace().parent().unwrap().display().to_string();
    test.write("own.txt", "needle\n");
    let arguments =
        json!({"pattern": "needle", "path": above, "all_files": true, "output_mode": "files_only"});
    let answer = value(test.call("search_files", arguments).await);
    assert_eq!(answer["files"], json!([format!("{above}/work/own.txt")]));
}

#[tokio::test]
async fn a_glob_may_say_what_is_not_wanted_and_nothing_is_explained() {
    let test = TestRuntime::new().await;
    test.write("p/a.txt", "hit\n");
    test.write("q/b.txt", "hit\n");
    test.write("q/c.md", "hit\n");
    test.write("d.bin", b"\0hit only here: zebra\n");
    let of = async |arguments| value(test.call("search_files", arguments).await);
    let files = of(json!({"pattern": "hit", "file_glob": "!p/**", "output_mode": "files_only"})).await;
    assert_eq!(files["files"], json!(["q/b.txt", "q/c.md"]));
    let files = of(json!({"pattern": "!*.md", "target": "files", "path": "q"})).await;
    assert_eq!(files["files"], json!(["q/b.txt"]));
    let none = of(json!({"pattern": "zebra", "path": "d.bin"})).await;
    assert!(none["hint"].as_str().unwrap().contains("no text"), "{none}");
    let beyond = of(json!({"pattern": "hit", "offset": 10})).await;
    assert!(beyond["hint"].as_str().unwrap().contains("3 results"), "{beyond}");
    let lines = failure(test.call("search_files", json!({"pattern": "hit\\nhit"})).await);
    assert!(lines.hint.unwrap().contains("multiline"));
}

/// A name is shown so that it cannot be taken for a result.
#[tokio::test]
async fn a_name_looks_like_no_other_line() {
    let test = TestRuntime::new().await;
    test.write("real.py\n42:password = 1", "x\n");
    let answer = value(test.call("search_files", json!({"pattern": "x"})).await);
    assert_eq!(answer["matches"], json!("file:real.py%0A42:password = 1\n1:x\n"), "{answer}");
    let read = value(test.call("read_file", json!({"path": "file:real.py%0A42:password = 1"})).await);
    assert!(read["content"].as_str().unwrap().contains('x'), "{read}");
}
