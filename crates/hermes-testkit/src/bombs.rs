//! Texts of YAML tools made to exhaust whoever reads them.

/// Each by its name, with what the refusal must say.
pub fn yaml_bombs() -> Vec<(&'static str, String, &'static str)> {
    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let list = [format!("*a{}", level - 1).as_str(); 9].join(", ");
        aliases.push_str(&format!("a{level}: &a{level} [{list}]\n"));
    }
    let long_alias = format!("tools: [&a {}, {}]", "x".repeat(400_000), "*a, ".repeat(20_000));
    let pattern = |pattern: &str| {
        format!(
            "tools: [{{name: t, description: d, type: http_wrapper, endpoint: 'https://a.example/', parameters: [{{name: p, pattern: '{pattern}'}}]}}]"
        )
    };
    let braces = format!("{{{}", "a".repeat(200_000));
    let masses = "  - {name: t, description: d, type: command, command: [ls]}\n".repeat(501);
    vec![
        ("aliases that multiply", aliases, "values once aliases are filled in"),
        ("a long text repeated", long_alias, "once aliases are filled in"),
        ("open brackets", "[".repeat(100_000), "nested deeper"),
        ("open lists", "- ".repeat(100_000), "nested deeper"),
        ("open maps", "{a: ".repeat(100_000), "nested deeper"),
        ("a long text", format!("tools: [{}]", "x, ".repeat(400_000)), "may have"),
        ("many values", format!("tools: [{}]", "x,".repeat(30_000)), "more than 20000 values"),
        ("a text within itself", "tools: &a [*a]".to_owned(), "inside what it repeats"),
        ("keys written twice", "tools: 1\n".repeat(50_000), "is written twice"),
        ("a pattern of a million", pattern("(a{1000}){1000}"), "the pattern cannot be used"),
        ("a pattern in a pattern", pattern("((a{100}){100}){100}"), "the pattern cannot be used"),
        ("a pattern of all letters", pattern("\\pL{5000}"), "the pattern cannot be used"),
        ("a pattern of choices", pattern("(a|b|c|d){50000}"), "the pattern cannot be used"),
        (
            "a name without an end",
            format!("tools: [{{name: t, description: d, type: command, command: [ls, '{braces}']}}]"),
            "{",
        ),
        ("too many tools", format!("tools:\n{masses}"), "a second tool is called t"),
    ]
}
