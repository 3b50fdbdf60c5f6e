use hermes_core::{Steers, steering_names, steers};
use hermes_policy::command::{Class, Rules, Stage, judge};

#[test]
fn every_shipped_rule_proves_itself() {
    let count = Rules::check_shipped().unwrap_or_else(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    });
    assert!(count > 500, "only {count} examples");
}

/// Tools set variables too. What they leave to be judged by its value must be known here, or nobody judges it.
#[test]
fn variables_that_run_code_are_known() {
    let stage = Stage {
        home: "/home/ada".to_owned(),
        cwd: "/work".to_owned(),
        writable: vec!["/work".to_owned()],
        hermes_home: "/home/ada/.hermes".to_owned(),
    };
    for name in steering_names().filter(|name| steers(name) == Some(Steers::Running)) {
        let command = format!("export {name}='/tmp/x --require ./a'");
        assert_eq!(judge(&command, &stage).class, Class::Ask, "{command}");
    }
}
