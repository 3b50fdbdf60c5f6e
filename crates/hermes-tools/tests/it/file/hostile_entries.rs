//! Entries that no archive may bring, whatever else is asked of it.

use std::os::unix::fs::PermissionsExt;

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::hostile_archives::{Evil, seven_zip_of, tar_of};
use crate::support::{failure, value};

#[tokio::test]
async fn programs_with_the_rights_of_their_owner_are_refused() {
    let test = TestRuntime::new().await;
    for mode in [0o4755, 0o2755, 0o6777, 0o777] {
        let tool = [Evil::file("tool", b"x").with_mode(mode)];
        for (ending, bytes) in [("tar", tar_of(&tool)), ("7z", seven_zip_of(&tool))] {
            let name = format!("{mode:o}.{ending}");
            test.write(&name, bytes);
            let arguments = json!({"action": "extract", "source": name, "destination": "out"});
            let outcome = test.call("file_compress", arguments).await;
            if mode == 0o777 {
                value(outcome);
                let mode = test.path("out/tool").metadata().unwrap().permissions().mode();
                assert_eq!(mode & 0o7777, 0o755, "{name}");
                std::fs::remove_dir_all(test.path("out")).unwrap();
                continue;
            }
            assert_eq!(failure(outcome).code, ErrorCode::InvalidArgument, "{name}");
            assert!(!test.path("out").exists(), "{name} left something behind");
        }
    }
}

/// What is stripped off a name is looked at first.
#[tokio::test]
async fn stripping_makes_no_name_harmless() {
    let test = TestRuntime::new().await;
    for (number, evil) in ["../evil", "/evil", "a/../../evil"].into_iter().enumerate() {
        let name = format!("{number}.tar");
        test.write(&name, tar_of(&[Evil::file(evil, b"x")]));
        let arguments =
            json!({"action": "extract", "source": name, "destination": "out", "strip_components": 1});
        assert_eq!(
            failure(test.call("file_compress", arguments).await).code,
            ErrorCode::InvalidArgument,
            "{evil}"
        );
        assert!(!test.path("out").exists());
    }
}
