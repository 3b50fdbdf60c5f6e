//! Texts made to exhaust whoever reads them are refused, and cheaply: the reader pays for every value before
//! it makes it, so what it may cost is bounded by its budget and not by the text.

use super::support::problems;

fn refused(text: &str) -> String {
    problems(text).into_iter().next().unwrap_or_else(|| panic!("a bomb of {} bytes was read", text.len()))
}

#[test]
fn aliases_that_multiply() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let below = format!("*a{}", level - 1);
        let list = [below.as_str(); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{list}]\n"));
    }
    assert!(refused(&text).contains("values once aliases are filled in"), "{}", refused(&text));
}

#[test]
fn depth_length_and_self_reference() {
    assert!(refused(&"[".repeat(100_000)).contains("nested deeper"));
    assert!(refused(&"- ".repeat(100_000)).contains("nested deeper"));
    assert!(refused(&format!("tools: [{}]", "x, ".repeat(400_000))).contains("may have"));
    assert!(refused("tools: &a [*a]").contains("inside what it repeats"));
    assert!(refused(&format!("tools: [{}]", "x,".repeat(30_000))).contains("more than 20000 values"));
}

#[test]
fn patterns_that_grow() {
    let tool = |pattern: &str| {
        format!(
            "tools: [{{name: t, description: d, type: http_wrapper, endpoint: 'https://a.example/', parameters: [{{name: p, pattern: '{pattern}'}}]}}]"
        )
    };
    for pattern in ["(a{1000}){1000}", "((a{100}){100}){100}", "\\pL{5000}", "(a|b|c|d){50000}"] {
        assert!(refused(&tool(pattern)).contains("the pattern cannot be used"), "{pattern}");
    }
}

#[test]
fn templates_and_tools_in_masses() {
    let many = "  - {name: t, description: d, type: command, command: [ls]}\n".repeat(501);
    assert!(problems(&format!("tools:\n{many}")).len() > 1);
    let braces = format!("{{{}", "a".repeat(200_000));
    assert!(
        !refused(&format!("tools: [{{name: t, description: d, type: command, command: [ls, '{braces}']}}]"))
            .is_empty()
    );
}
