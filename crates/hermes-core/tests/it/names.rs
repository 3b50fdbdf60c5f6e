//! Name repair and suggestions.

use hermes_core::names::{is_valid, nearest, normalise, repair};
use serde_json::Value;

use crate::fixtures::{report, rows};

fn valid_names() -> Vec<String> {
    let rows = rows(include_str!("../fixtures/tool_name_repair.jsonl"));
    rows[0]["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn repaired<'a>(name: &str, valid: &[&'a str]) -> Option<&'a str> {
    repair(name, valid.iter().copied())
}

#[test]
fn every_row_comes_out_as_expected() {
    let names = valid_names();
    let rows = rows(include_str!("../fixtures/tool_name_repair.jsonl"));
    let mut failures = Vec::new();
    for row in rows.iter().skip(1) {
        let found = repair(row["name"].as_str().unwrap(), names.iter().map(String::as_str));
        if Value::from(found) != row["repaired"] {
            failures.push(format!("{}: {found:?}, expected {}", row["name"], row["repaired"]));
        }
    }
    report(&failures, rows.len());
}

#[test]
fn every_valid_name_is_itself() {
    let names = valid_names();
    for name in &names {
        assert_eq!(repair(name, names.iter().map(String::as_str)), Some(name.as_str()));
        assert_eq!(normalise(name), *name);
        assert_eq!(nearest(name, names.iter().map(String::as_str), 3).first(), Some(&name.as_str()));
    }
}

#[test]
fn styles_are_normalised() {
    for (name, normal) in [
        ("HTTPRequest", "http_request"),
        ("getHTTPResponseCode", "get_http_response_code"),
        ("read__file", "read_file"),
        ("_read.file-", "read_file"),
        ("readFile2", "read_file2"),
        ("Read File", "read_file"),
        ("", ""),
        ("__", ""),
        ("mcp__github__create_issue", "mcp_github_create_issue"),
        ("ÀÉ", "àé"),
    ] {
        assert_eq!(normalise(name), normal, "{name}");
    }
}

#[test]
fn only_spelling_is_repaired() {
    for (name, valid, expected) in [
        ("readfile", &["read_file"][..], Some("read_file")),
        ("functions.read_file", &["read_file"], Some("read_file")),
        ("`read_file`", &["read_file"], None),
        ("read_file<arg", &["read_file"], Some("read_file")),
        ("read_files", &["read_file"], Some("read_file")),
        ("read_flie", &["read_file", "write_file"], Some("read_file")),
        ("broswer_click", &["browser_click"], Some("browser_click")),
        ("set_state", &["get_state"], None),
        ("close_repo", &["clone_repo"], None),
        ("clode_repo", &["clone_repo", "close_repo"], None),
        ("stop_job", &["step_job"], None),
        ("git_stat", &["git_state"], None),
        ("umount_disk", &["mount_disk"], None),
        ("gpt4_call", &["gpt5_call"], None),
        ("a.b", &["a_b", "a-b"], None),
        ("A_B", &["a_b", "a-b"], None),
        ("a_b", &["a_b", "a-b"], Some("a_b")),
        ("delete", &["delete_all"], None),
        ("file_read", &["file_read_all"], None),
        ("computer", &["computer_use"], Some("computer_use")),
        ("write", &["write_file"], None),
        ("tool", &["toolbox"], Some("toolbox")),
        ("tooltool", &["tool"], Some("tool")),
        ("read_web", &["read_wen", "read_wex"], None),
        ("\"", &["read_file"], None),
        ("   ", &["read_file"], None),
    ] {
        assert_eq!(repaired(name, valid), expected, "{name} among {valid:?}");
    }
    assert_eq!(repaired(&"a".repeat(100_000), &["a"]), None);
}

#[test]
fn typing_slips_are_repaired_wherever_they_are() {
    let names = valid_names();
    for (written, meant) in [
        ("reed_file", "read_file"),
        ("wrire_file", "write_file"),
        ("web_seerch", "web_search"),
        ("web_serch_tool", "web_search"),
        ("TerminlTool", "terminal"),
        ("termnl", "terminal"),
        ("rbowser_click", "browser_click"),
        ("websearh", "web_search"),
        ("exec_code", "execute_code"),
        ("ha_list_entity", "ha_list_entities"),
        ("memories", "memory"),
        ("processes", "process"),
        ("kanban_completed", "kanban_complete"),
        ("functions.read_file:0", "read_file"),
        ("functions::web_search", "web_search"),
        ("tools.web_search", "web_search"),
        ("default_api:web_search", "web_search"),
        ("web_search:12", "web_search"),
    ] {
        assert_eq!(repair(written, names.iter().map(String::as_str)), Some(meant), "{written}");
    }
}

#[test]
fn another_word_is_another_tool() {
    let names = valid_names();
    for written in [
        "kanban_unlock",
        "kanban_lock",
        "kanban_black",
        "kanban_clock",
        "kanban_sink",
        "kanban_compete",
        "kanban_shop",
        "read_film",
        "write_files_all",
        "web_reach",
        "web_research",
        "browser_brick",
        "browser_lick",
        "browser_stroll",
        "project_watch",
        "project_lint",
        "spotify_debug",
        "ha_call_device",
        "terminate",
        "close_terminate",
        "process_kill",
        "unpatch",
        "dispatch",
        "latch",
        "tools_search_web",
        "tool_web_search",
        "api_web_search",
    ] {
        assert_eq!(repair(written, names.iter().map(String::as_str)), None, "{written}");
    }
    for (written, valid) in [
        ("unmount_disk", "remount_disk"),
        ("lock_file", "block_file"),
        ("unlink_account", "link_account"),
        ("list_contacts", "list_contracts"),
        ("transfer_text", "transform_text"),
        ("export_data", "import_data"),
        ("restart_job", "start_job"),
        ("enable_alert", "disable_alert"),
        ("encrypt_file", "decrypt_file"),
    ] {
        assert_eq!(repaired(written, &[valid]), None, "{written} is not {valid}");
    }
}

#[test]
fn no_word_is_added_or_left_out_and_none_is_turned_round() {
    for (written, valid) in [
        ("write_file_no", "write_file"),
        ("email_un_send", "email_send"),
        ("kanban_un_block", "kanban_block"),
        ("email_send_no", "email_send"),
        ("run_query_ro", "run_query"),
        ("run_query", "run_query_ro"),
        ("users_list_rm", "users_list"),
        ("user_re_enable", "user_enable"),
        ("send_email_to", "send_email"),
        ("copy_file", "copy_file_to"),
        ("send_message", "send_message_as"),
        ("deploy_prod_no", "deploy_prod"),
        ("account_unlock", "accountlock"),
        ("accountunlock", "account_lock"),
        ("read_file_to", "read_file"),
        ("terminate_x", "terminate"),
        ("terminate_no", "terminate"),
        ("dis_connect_user", "connect_user"),
        ("light_on", "lightoff"),
        ("lighton", "light_of"),
        ("lights", "lights_off"),
        ("deploy", "deploy_no"),
        ("getstate", "set_state"),
        ("adduser", "del_user"),
        ("del_user", "deal_user"),
        ("not_user", "note_user"),
        ("runtest", "run_text"),
        ("deactivate_user", "reactivate_user"),
        ("deactivateuser", "reactivate_user"),
        ("devaluate_stock", "evaluate_stock"),
        ("window_maximize", "window_minimize"),
        ("get_employer", "get_employee"),
        ("validate_token", "invalidate_token"),
        ("in_validate_token", "validate_token"),
        ("log_in_user", "log_out_user"),
        ("loginuser", "logout_user"),
    ] {
        assert_eq!(repaired(written, &[valid]), None, "{written} is not {valid}");
        assert_eq!(repaired(valid, &[written]), None, "{valid} is not {written}");
    }
    let names = valid_names();
    assert_eq!(repair("yb_send", names.iter().map(String::as_str)), None);
    for (written, valid) in [
        ("WebSerch", "web_search"),
        ("browsernavigat", "browser_navigate"),
        ("x_serch", "x_search"),
        ("e_mail_send", "email_send"),
    ] {
        assert_eq!(repaired(written, &[valid]), Some(valid));
    }
}

#[test]
fn suggestions_are_sensible_and_stable() {
    let names = valid_names();
    let near = |name: &str| nearest(name, names.iter().map(String::as_str), 5);
    assert!(near("list_files").contains(&"search_files"), "{:?}", near("list_files"));
    assert_eq!(near("file_read")[0], "read_file");
    assert!(near("delete_file").iter().any(|name| name.ends_with("_file")));
    assert!(near("bash").contains(&"terminal"), "{:?}", near("bash"));
    assert!(near("search").len() == 5, "{:?}", near("search"));
    assert!(near("kanban_delete").iter().all(|name| name.starts_with("kanban")));
    assert!(near("zzzzqqqq").is_empty());
    assert!(near("").is_empty());
    assert_eq!(nearest("lst", ["directory_list", "list", "last"].into_iter(), 2), ["last", "list"]);
    let mut reversed = names.clone();
    reversed.reverse();
    for name in ["list_files", "search", "web_post", "spotify"] {
        assert_eq!(near(name), nearest(name, reversed.iter().map(String::as_str), 5));
    }
}

#[test]
fn names_that_providers_take() {
    for name in ["a", "read_file", "a.b-c_D9", &"x".repeat(64)] {
        assert!(is_valid(name), "{name}");
    }
    for name in ["", "a b", "é", "a/b", "a:b", &"x".repeat(65)] {
        assert!(!is_valid(name), "{name}");
    }
}

/// Which tool a path or a byte that no keyboard has would mean is anybody's guess; the name beside them is not run.
#[test]
fn what_cannot_be_a_name_is_none() {
    let valid = ["read_file", "terminal"];
    for name in [
        "../read_file",
        "/read_file",
        "read_file/",
        "read/file",
        "a/read_file",
        "..\\terminal",
        "read_file\0",
        "read\u{1b}_file",
    ] {
        assert_eq!(repaired(name, &valid), None, "{name:?}");
    }
    for name in
        ["functions/read_file", "tools/ReadFile", "read_file()", "read_file({\"path\": 1})", " read_file\n"]
    {
        assert_eq!(repaired(name, &valid), Some("read_file"), "{name:?}");
    }
}
