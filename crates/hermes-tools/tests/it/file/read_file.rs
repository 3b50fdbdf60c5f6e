use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::support::{code, failure, value};

#[tokio::test]
async fn numbers_lines_and_tells_the_hash_of_what_was_read_whole() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "one\ntwo\n");
    let read = value(test.call("read_file", json!({"path": "a.txt"})).await);
    let hash: String = Sha256::digest(b"one\ntwo\n").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        read,
        json!({
            "content": "1|one\n2|two\n", "total_lines": 2, "file_size": 8, "truncated": false,
            "encoding": "utf-8", "is_binary": false, "sha256": hash
        })
    );
    let chapter = value(test.call("file_read", json!({"path": test.path("a.txt")})).await);
    assert_eq!(chapter, read, "the name of chapter 18 means the same tool");
}

#[tokio::test]
async fn pages_join_to_the_whole_file() {
    let test = TestRuntime::new().await;
    let text: String = (1..=4_321).map(|number| format!("line {number} äöü\n")).collect();
    test.write("big.txt", &text);
    let (mut offset, mut joined, mut pages) = (json!(1), String::new(), 0);
    while !offset.is_null() {
        let page = value(
            test.call("read_file", json!({"path": "big.txt", "offset": offset, "line_numbers": false})).await,
        );
        joined.push_str(page["content"].as_str().unwrap());
        assert_eq!(page["total_lines"], 4_321);
        assert_eq!(page["truncated"], !page["next_offset"].is_null());
        offset = page["next_offset"].clone();
        pages += 1;
    }
    assert_eq!((joined, pages), (text, 3));
}

#[tokio::test]
async fn a_page_that_is_shown_again_is_that_of_the_file_as_it_is() {
    let test = TestRuntime::new().await;
    let text = |letter: &str| format!("{}\n", letter.repeat(59)).repeat(100);
    let read =
        async |limit: usize| value(test.call("read_file", json!({"path": "a.txt", "limit": limit})).await);
    test.write("a.txt", text("a"));
    let first = read(1_000).await;
    for limit in 1_001..1_005 {
        assert_eq!(read(limit).await, first);
    }
    assert_eq!(read(7).await["next_offset"], 8);
    // As long as before, and with the time it had before.
    let path = test.path("a.txt");
    let dated = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::write(&path, text("b")).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(dated).unwrap();
    let changed = read(1_001).await;
    assert!(changed["content"].as_str().unwrap().starts_with("1|bbb"), "{changed}");
    assert_ne!(changed["sha256"], first["sha256"]);
}

#[tokio::test]
async fn the_last_line_counts_with_and_without_a_line_break() {
    let test = TestRuntime::new().await;
    for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\n", 2), ("\n", 1)] {
        test.write("x", text);
        let read = value(test.call("read_file", json!({"path": "x", "line_numbers": false})).await);
        assert_eq!((&read["total_lines"], &read["content"]), (&json!(lines), &json!(text)), "{text:?}");
        assert_eq!(read["truncated"], false);
    }
    // 501 lines, no final line break, a page of 500: line 501 must not get lost.
    test.write("x", vec!["l"; 501].join("\n"));
    let read = value(test.call("read_file", json!({"path": "x", "limit": 500})).await);
    assert_eq!((&read["truncated"], &read["next_offset"]), (&json!(true), &json!(501)));
}

#[tokio::test]
async fn an_offset_past_the_end_is_a_clear_answer() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "one\ntwo\n");
    let read = value(test.call("read_file", json!({"path": "a.txt", "offset": 9})).await);
    assert_eq!((&read["content"], &read["truncated"]), (&json!(""), &json!(false)));
    assert_eq!(read["hint"], "The file has 2 lines; offset 9 is past its end.");
    test.write("empty", "");
    let read = value(test.call("read_file", json!({"path": "empty"})).await);
    assert_eq!(read["hint"], "The file is empty.");
}

#[tokio::test]
async fn encodings_are_recognised() {
    let test = TestRuntime::new().await;
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("utf-8", "naïve\n".into(), "naïve\n"),
        ("utf-8-bom", b"\xef\xbb\xbfna\xc3\xafve\n".to_vec(), "naïve\n"),
        ("latin-1", b"na\xefve\n".to_vec(), "naïve\n"),
        ("utf-16le", [vec![0xff, 0xfe], utf16("naïve\nzwei\n")].concat(), "naïve\nzwei\n"),
        ("utf-16le", utf16("plain words\n"), "plain words\n"),
    ];
    for (encoding, bytes, text) in cases {
        test.write("x", &bytes);
        let read = value(test.call("read_file", json!({"path": "x", "line_numbers": false})).await);
        assert_eq!((&read["encoding"], &read["content"]), (&json!(encoding), &json!(text)));
        assert_eq!(read["file_size"], bytes.len());
    }
}

#[tokio::test]
async fn bytes_that_are_not_utf8_after_the_sample_do_not_become_question_marks() {
    let test = TestRuntime::new().await;
    let mut bytes = "plain ascii\n".repeat(2_000).into_bytes();
    bytes.extend(b"caf\xe9\n");
    test.write("late.txt", &bytes);
    let auto = value(test.call("read_file", json!({"path": "late.txt", "offset": 2_001})).await);
    assert_eq!((&auto["content"], &auto["encoding"]), (&json!("2001|café\n"), &json!("latin-1")));
    let strict =
        test.call("read_file", json!({"path": "late.txt", "offset": 2_001, "encoding": "utf-8"})).await;
    assert!(failure(strict).message.contains("line 2001"));
}

#[tokio::test]
async fn windows_line_endings_are_told_and_kept() {
    let test = TestRuntime::new().await;
    test.write("dos.txt", "a\r\nb\r\n");
    let read = value(test.call("read_file", json!({"path": "dos.txt"})).await);
    assert_eq!((&read["content"], &read["line_endings"]), (&json!("1|a\n2|b\n"), &json!("crlf")));
    let raw = value(test.call("read_file", json!({"path": "dos.txt", "line_numbers": false})).await);
    assert_eq!(raw["content"], "a\r\nb\r\n");
    test.write("mixed.txt", "a\r\nb\n");
    let mixed = value(test.call("read_file", json!({"path": "mixed.txt"})).await);
    assert_eq!(mixed["line_endings"], "mixed");
}

#[tokio::test]
async fn what_is_not_text_is_refused_with_a_way_out() {
    let test = TestRuntime::new().await;
    let blob: Vec<u8> = (0..=255).collect();
    let cases: [(&str, &[u8], &str); 4] = [
        ("blob", &blob, "binary"),
        ("a.png", b"\x89PNG\r\n\x1a\n....", "image"),
        ("a.pdf", b"%PDF-1.4\nonly words here\n", "PDF"),
        ("a.zip", b"PK\x03\x04rest", "compressed"),
    ];
    for (name, bytes, word) in cases {
        test.write(name, bytes);
        let error = failure(test.call("read_file", json!({"path": name})).await);
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(error.message.contains(word), "{}", error.message);
        assert!(error.hint.as_deref().unwrap().contains("base64"));
        assert_eq!(error.data["is_binary"], true);
    }
    let raw = value(test.call("read_file", json!({"path": "a.zip", "encoding": "base64"})).await);
    assert_eq!(raw["content"], "UEsDBHJlc3Q=");
    assert_eq!((&raw["is_binary"], &raw["truncated"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn raw_bytes_come_in_pages_that_join() {
    use base64::Engine as _;
    let test = TestRuntime::new().await;
    let bytes: Vec<u8> = (0..200_000_u32).map(|index| (index % 251) as u8).collect();
    test.write("blob", &bytes);
    let (mut offset, mut joined) = (json!(1), String::new());
    while !offset.is_null() {
        let page = value(
            test.call("read_file", json!({"path": "blob", "encoding": "base64", "offset": offset})).await,
        );
        joined.push_str(page["content"].as_str().unwrap());
        offset = page["next_offset"].clone();
    }
    assert_eq!(base64::engine::general_purpose::STANDARD.decode(joined).unwrap(), bytes);
}

#[tokio::test]
async fn long_lines_are_cut_and_the_page_ends_at_a_line() {
    let test = TestRuntime::new().await;
    test.write("long.txt", format!("{}\nshort\n", "é".repeat(9_000)));
    let read = value(test.call("read_file", json!({"path": "long.txt"})).await);
    let content = read["content"].as_str().unwrap();
    assert!(content.contains("[cut here: the line has 18001 bytes]"), "{content}");
    assert!(content.ends_with("2|short\n"));
    assert!(content.chars().count() < 2_100);

    test.write("wide.txt", format!("{}\n", "\"quoted\"".repeat(200)).repeat(500));
    let page = value(test.call("read_file", json!({"path": "wide.txt"})).await);
    let content = page["content"].as_str().unwrap();
    assert!(serde_json::to_string(content).unwrap().chars().count() <= 100_002);
    assert!(content.ends_with('\n'));
    assert_eq!(page["next_offset"].as_u64().unwrap(), content.lines().count() as u64 + 1);
}

#[tokio::test]
async fn a_missing_file_brings_up_names_like_it() {
    let test = TestRuntime::new().await;
    for name in ["src/config.yaml", "src/confg.toml", "src/main.rs", "src/.config.yml"] {
        test.write(name, "x");
    }
    let error = failure(test.call("read_file", json!({"path": "src/config.yml"})).await);
    assert_eq!(error.code, ErrorCode::NotFound);
    assert_eq!(error.data["similar_files"][0], "src/config.yaml");
    assert!(!error.data["similar_files"].to_string().contains("/.config"), "hidden names stay hidden");
    let lost = failure(test.call("read_file", json!({"path": "no/such/folder/x.rs"})).await);
    assert_eq!(lost.code, ErrorCode::NotFound);
    assert!(lost.data.is_empty());
}

#[tokio::test]
async fn a_folder_points_to_the_right_tool() {
    let test = TestRuntime::new().await;
    let error = failure(test.call("read_file", json!({"path": "."})).await);
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(error.hint.unwrap().contains("directory_list"));
}

#[tokio::test]
async fn bad_arguments_are_refused() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "x");
    for arguments in [
        json!({}),
        json!({"path": ""}),
        json!({"path": "a\u{0}b"}),
        json!({"path": "~nobody/x"}),
        json!({"path": "a.txt", "offset": 0}),
        json!({"path": "a.txt", "limit": 10_001}),
        json!({"path": "a.txt", "encoding": "ebcdic"}),
        json!({"path": "a.txt", "lines": 3}),
    ] {
        assert_eq!(
            code(test.call("read_file", arguments.clone()).await),
            ErrorCode::InvalidArgument,
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn the_same_page_is_not_sent_twice_in_a_row() {
    let test = TestRuntime::new().await;
    let text = "a line of some length\n".repeat(200);
    let path = test.write("a.txt", &text);
    let page = json!({"path": "a.txt", "line_numbers": false});
    let read =
        async |session: &hermes_testkit::TestSession| value(session.call("read_file", page.clone()).await);
    let first = read(test.main()).await;
    assert_eq!(first["content"], text);
    let second = read(test.main()).await;
    assert_eq!((&second["unchanged"], &second["content"]), (&json!(true), &json!("")));
    assert_eq!(read(test.main()).await["content"], text, "whoever asks again gets it");
    // A change shows even if its size and times are put back.
    let times = path.metadata().unwrap().modified().unwrap();
    std::fs::write(&path, text.replace("some", "much")).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
    assert!(read(test.main()).await["content"].as_str().unwrap().contains("much"));
    assert_eq!(
        read(&test.session("other")).await["unchanged"],
        serde_json::Value::Null,
        "sessions do not share what they saw"
    );
}
