//! Whatever the text, there is an answer: a policy or a list of problems, never a panic.

use hermes_policy::profile::{Known, lint, read_policy};
use proptest::prelude::*;
use serde_json::json;

use super::random::policy;
use super::support::{Call, engine, on_host, on_path};
use super::support::{FILE, command, ground};

fn read(text: &str) -> Result<(), TestCaseError> {
    match read_policy(FILE, text, &ground(), &Known::default()) {
        Ok(file) => drop(lint(&file, std::slice::from_ref(&file), &ground(), &Known::default())),
        Err(problems) => {
            prop_assert!(!problems.is_empty(), "refused without a reason");
            prop_assert!(problems.iter().all(|problem| problem.place.line > 0), "{:?}", problems);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        read(&text)?;
    }

    #[test]
    fn texts_like_policies(words in prop::collection::vec(prop::sample::select(vec![
        "profiles:", "\n", "  ", "    ", "p:", "allow:", "deny:", "[", "]", "{", "}", "'*'", "file:read", ",", "- ", "*a",
        "&a ", "restrictions:", "rules:", "effect: deny", "argument:", "/x:", "~", "#", "\"", "'", "|", ">", "!t ", "? ",
        "global:", "extends:", "\t", "\u{0}", "\u{feff}", "é", "allowed_paths:", "[a, b]", "---", "...", "<<:",
    ]), 0..40)) {
        read(&words.concat())?;
    }

    #[test]
    fn policies_with_a_slip(policy in policy(), at in any::<prop::sample::Index>(), slip in any::<char>(), cut in any::<bool>()) {
        let mut text: Vec<char> = policy.to_string().chars().collect();
        let at = at.index(text.len());
        if cut {
            text.remove(at);
        } else {
            text.insert(at, slip);
        }
        read(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn any_item(item in "\\PC{0,60}", path in "/\\PC{0,40}", host in "\\PC{0,30}", line in "\\PC{0,60}") {
        let limits = json!({"allowed_paths": [item], "denied_hosts": [item], "denied_commands": [item], "allowed_commands": [item]});
        for key in ["allowed_paths", "denied_hosts", "denied_commands", "allowed_commands"] {
            let text = json!({"profiles": {"p": {"allow": ["*"], "restrictions": {"*": {key: limits[key]}}}}}).to_string();
            read(&text)?;
            if read_policy(FILE, &text, &ground(), &Known::default()).is_ok() {
                let policy = engine(&text, "p");
                Call::new([on_path("git:read", &path), on_host(&host), command(&line)]).decide(&policy);
            }
        }
    }
}
