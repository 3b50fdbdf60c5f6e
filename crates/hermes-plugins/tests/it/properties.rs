//! What holds for every text and every value.

use hermes_plugins::yaml::load;
use proptest::prelude::*;

use super::support::{problems, read};

/// Pieces that files of tools are made of, in any order.
const PIECES: &[&str] = &[
    "tools:",
    "\n",
    "  ",
    "- ",
    "name: ",
    "t",
    "description: d",
    "type: ",
    "http_wrapper",
    "command",
    "endpoint: ",
    "https://a.example/",
    "{",
    "}",
    "{x}",
    "{{",
    "[",
    "]",
    ", ",
    ": ",
    "parameters: ",
    "name: x",
    "required: true",
    "auth: ",
    "basic",
    "\"",
    "'",
    "&a ",
    "*a",
    "!t ",
    "|",
    ">",
    "#",
    "\t",
    "é",
    "null",
    "-1",
    "1e9",
    "body: ",
    "env: ",
];

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_places(parts in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let text: String = parts.concat();
        for problem in problems(&text) {
            prop_assert!(problem.starts_with("tools.yaml:"), "{}", problem);
            prop_assert!(!problem.chars().any(char::is_control), "{:?}", problem);
        }
    }

    #[test]
    fn reading_is_the_same_every_time(parts in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let text: String = parts.concat();
        prop_assert_eq!(problems(&text), problems(&text));
    }

    #[test]
    fn no_endpoint_moves_the_host(path in "[a-z{}x/?=&#@:.]{0,20}") {
        // Whoever judges is shown exactly what stands before the path, and the path cannot add to it.
        let text = format!("tools: [{{name: t, description: d, type: http_wrapper, endpoint: 'https://a.example/{path}', parameters: [{{name: x, required: true}}]}}]");
        let judge = |base: &str, _| {
            assert_eq!(base, "https://a.example");
            Err("judged".to_owned())
        };
        prop_assert!(load("f", &text, &judge).is_err());
    }

    #[test]
    fn names_of_tools_are_what_every_provider_takes(name in "\\PC{0,70}") {
        let quoted = serde_json::to_string(&name).unwrap();
        let text = format!("tools: [{{name: {quoted}, description: d, type: command, command: [ls]}}]");
        if let Ok(tools) = read(&text) {
            prop_assert!(hermes_core::names::is_valid(&tools[0].name));
        }
    }
}
