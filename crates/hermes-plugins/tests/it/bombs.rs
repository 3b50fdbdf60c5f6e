//! Texts made to exhaust whoever reads them are refused, and cheaply: the reader pays for every value before
//! it makes it, so what it may cost is bounded by its budget and not by the text.

use hermes_testkit::yaml_bombs;

use super::support::problems;

#[test]
fn every_bomb_is_refused_by_its_reason() {
    for (name, text, why) in yaml_bombs() {
        let said = problems(&text).join("\n");
        assert!(said.contains(why), "{name}: {}", said.chars().take(500).collect::<String>());
    }
}

/// Patterns that are cheap to read and dear to compile, many of them: what they cost is told before they are.
#[test]
fn costly_patterns_are_refused_by_what_they_would_cost() {
    let bombs = [
        "(((a{100}){100}){100}){100}",
        "[a-z]{1,900}[0-9]{1,900}",
        r"(\\p{L}|\\p{N}){1,15}",
        r"(x+x+)+y{1,1000}",
        "((((((((((a?){10}){10}){10}){10}){10}){10}){10}){10}){10}){10}",
    ];
    for bomb in bombs {
        let tool = |n: usize| {
            format!(
                "  - {{name: t{n}, description: d, type: command, command: [echo, '{{x}}'], parameters: [{{name: x, pattern: \"{bomb}\"}}]}}\n"
            )
        };
        let text = format!("tools:\n{}", (0..500).map(tool).collect::<String>());
        let said = problems(&text);
        let costly = |line: &String| line.contains("costly") || line.contains("cost all that they may");
        assert!(said.iter().any(costly), "{bomb}: {:?}", said.first());
    }
}
