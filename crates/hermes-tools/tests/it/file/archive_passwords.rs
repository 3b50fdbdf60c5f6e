//! `file_compress` with `password_env`: archives that other programs open with the password, and nobody without.

use hermes_core::ErrorCode;
use serde_json::json;

use super::file_compress::{ASCII_PASSWORD, PASSWORD, assert_same, names, program, tree};
use crate::support::{code, failure, value};

#[tokio::test]
async fn what_we_lock_others_open_with_the_password() {
    let test = tree().await;
    for name in ["locked.zip", "locked.7z"] {
        let pack = json!({"action": "compress", "source": "src", "destination": name, "exclude": ["*.log"],
            "password_env": "ARCHIVE_PASSWORD"});
        assert_eq!(value(test.call("file_compress", pack).await)["files"], 4);
        let bytes = std::fs::read(test.path(name)).unwrap();
        assert!(!bytes.windows(5).any(|part| part == b"hello"), "{name} is readable");
        program(&test, &["7zz", "x", "-bd", &format!("-p{PASSWORD}"), &format!("-oby-{name}"), name]);
        assert_same(&test, &format!("by-{name}/src"));
        let open = json!({"action": "extract", "source": name, "destination": format!("own-{name}"),
            "password_env": "ARCHIVE_PASSWORD"});
        value(test.call("file_compress", open).await);
        assert_same(&test, &format!("own-{name}/src"));
    }
    // Without the password not even the names in a 7z archive can be seen.
    let listed = test.call("file_compress", json!({"action": "list", "source": "locked.7z"})).await;
    assert_eq!(code(listed), ErrorCode::Auth);
}

#[tokio::test]
async fn what_others_lock_we_open_with_the_password() {
    let test = tree().await;
    for name in ["skip.log", "link"] {
        std::fs::remove_file(test.path(&format!("src/{name}"))).unwrap();
    }
    let password = format!("-p{PASSWORD}");
    // Their zip files take no other letters.
    let ascii = format!("-p{ASCII_PASSWORD}");
    for (name, right, command) in [
        ("names.7z", "ARCHIVE_PASSWORD", &["7zz", "a", "-bd", &password, "names.7z", "src"][..]),
        ("hidden.7z", "ARCHIVE_PASSWORD", &["7zz", "a", "-bd", "-mhe=on", &password, "hidden.7z", "src"]),
        ("aes.zip", "ASCII_PASSWORD", &["7zz", "a", "-bd", "-mem=AES256", &ascii, "aes.zip", "src"]),
        ("old.zip", "ASCII_PASSWORD", &["zip", "-qr", "-P", ASCII_PASSWORD, "old.zip", "src"]),
    ] {
        program(&test, command);
        let call = |action: &str, variable: Option<&str>| {
            let mut arguments = json!({"action": action, "source": name});
            if action == "extract" {
                arguments["destination"] = format!("out-{name}").into();
            }
            if let Some(variable) = variable {
                arguments["password_env"] = variable.into();
            }
            test.call("file_compress", arguments)
        };
        if name != "hidden.7z" {
            assert_eq!(value(call("list", None).await)["files"], 4, "{name}");
        }
        for variable in [None, Some("OTHER_PASSWORD"), Some("NOT_SET_ANYWHERE")] {
            let error = failure(call("extract", variable).await);
            assert_eq!(error.code, ErrorCode::Auth, "{name} {variable:?}: {error:?}");
            assert!(!test.path(&format!("out-{name}")).exists(), "{name} {variable:?} left something behind");
        }
        value(call("extract", Some(right)).await);
        assert_same(&test, &format!("out-{name}/src"));
    }
}

#[tokio::test]
async fn a_password_that_locks_nothing_is_refused() {
    let test = tree().await;
    let before = names(test.workspace());
    for name in ["o.tar", "o.tar.gz", "o.tar.zst", "o.tar.xz"] {
        let arguments = json!({"action": "compress", "source": "src", "destination": name,
            "password_env": "ARCHIVE_PASSWORD"});
        assert_eq!(code(test.call("file_compress", arguments).await), ErrorCode::InvalidArgument, "{name}");
    }
    assert_eq!(names(test.workspace()), before);
}

#[tokio::test]
async fn the_variable_is_something_policy_can_deny() {
    let test = hermes_testkit::TestRuntime::builder()
        .env("ARCHIVE_PASSWORD", PASSWORD)
        .deny("env:read")
        .build()
        .await;
    test.write("a.txt", "a");
    let mut arguments = json!({"action": "compress", "source": "a.txt", "destination": "a.zip",
        "password_env": "ARCHIVE_PASSWORD"});
    assert_eq!(code(test.call("file_compress", arguments.clone()).await), ErrorCode::PermissionDenied);
    arguments.as_object_mut().unwrap().remove("password_env");
    value(test.call("file_compress", arguments).await);
}
