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

/// People write their own words, and answer with them what a program asks.
#[test]
fn a_word_in_another_language_is_no_program_in_disguise() {
    let stage = Stage {
        home: "/home/ada".to_owned(),
        cwd: "/work".to_owned(),
        writable: vec!["/work".to_owned()],
        hermes_home: "/home/ada/.hermes".to_owned(),
    };
    let plain = judge("hello you", &stage).class;
    for words in ["grüße dich", "größe=3", "été", "niño 1", "Đà Nẵng", "привет мир", "日本語", "gru\u{308}n"]
    {
        assert_eq!(judge(words, &stage).class, plain, "{words}");
    }
    for disguise in [
        "ŕm -rf x",
        "r\u{301}m x",
        "рм x",
        "ｒｍ x",
        "sudö id",
        "b\u{430}sh x",
        "ᴄurl x",
        "𝐫𝐦 x",
        "r\u{fe0f}m x",
    ] {
        assert_eq!(judge(disguise, &stage).class, Class::Ask, "{disguise}");
    }
}
