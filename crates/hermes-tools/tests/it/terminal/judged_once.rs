//! The walls of a fresh session come from hundreds of judgements: none is made twice.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use hermes_core::{AccessRequest, Decision, Policy, Target, Verdict};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::value;

/// Notes what it is asked about files. Places with "asked" in their names are asked for, those with "denied" are denied,
/// for those with "secret" reading is asked for too.
#[derive(Default)]
struct Noting {
    files: Mutex<BTreeMap<(String, PathBuf), usize>>,
}

impl Policy for Noting {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        let mut verdict = Verdict::Allow;
        for access in request.access {
            let Target::Resolved(path) = &access.target else { continue };
            let permission = access.permission.as_str().to_owned();
            let is_write = permission == "file:write";
            *self.files.lock().unwrap().entry((permission, path.clone())).or_default() += 1;
            let name = path.to_string_lossy();
            verdict = verdict.max(match () {
                () if name.contains("denied") && is_write => Verdict::Deny,
                () if name.contains("secret") || (name.contains("asked") && is_write) => Verdict::Ask,
                () => Verdict::Allow,
            });
        }
        Decision::new(verdict, "noted", "noted")
    }

    fn singled_out(&self) -> Vec<String> {
        let words = ["asked", "denied", "secret", "free"];
        let of = |word: &&str| {
            [format!("**/.{word}"), format!("{word}/deep/**"), format!("**/*.{word}"), format!("~/.{word}")]
        };
        words.iter().flat_map(of).collect()
    }
}

#[tokio::test]
async fn no_place_is_judged_twice() {
    let policy = Arc::new(Noting::default());
    let test = TestRuntime::builder().policy(Arc::clone(&policy) as Arc<dyn Policy>).build().await;
    for there in ["asked/deep/x", "denied/deep/x", "x.secret", ".free"] {
        test.write(there, "x");
    }
    value(test.call("terminal", json!({"command": "echo hi"})).await);
    let asked = policy.files.lock().unwrap();
    let absent = test.path(".asked");
    assert!(
        asked.contains_key(&("file:write".to_owned(), absent)),
        "what is not there is judged too: {asked:?}"
    );
    let twice: Vec<_> = asked.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
