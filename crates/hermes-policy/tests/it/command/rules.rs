use hermes_policy::command::Rules;

#[test]
fn every_shipped_rule_proves_itself() {
    let count = Rules::check_shipped().unwrap_or_else(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    });
    assert!(count > 500, "only {count} examples");
}
