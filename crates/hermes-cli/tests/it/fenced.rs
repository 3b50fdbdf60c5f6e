//! Where no namespaces can be made, a command is fenced: what that promises holds, and the result says so.

use serde_json::{Value, json};

use crate::harness::Hermes;

#[test]
fn the_fence_alone_holds_what_it_promises() {
    let proven = Hermes::new().run_without_namespaces(&["sandbox", "test", "--json"]);
    let report = proven.json();
    assert_eq!(report["level"], json!("fenced"), "{report}");
    let attempts = report["attempts"].as_array().unwrap();
    let open: Vec<&Value> = attempts.iter().filter(|attempt| attempt["result"] == json!("open")).collect();
    assert!(open.is_empty(), "{open:?}");
    let held = attempts.iter().filter(|attempt| attempt["result"] == json!("held")).count();
    assert!(held >= 20, "{report}");
    assert_eq!(proven.code, 0, "{}", proven.stderr);
}

#[test]
fn commands_and_scripts_run_behind_the_fence_and_say_so() {
    let hermes = Hermes::new().with_env("CANARY_API_KEY", "canary-0123456789");
    std::fs::create_dir_all(hermes.home()).unwrap();
    std::fs::write(hermes.home().join(".env"), "OTHER_KEY=canary-9876543210\n").unwrap();
    let outside = hermes.home().parent().unwrap().join("outside.txt");
    // What a script does is not seen before it runs, so only the fence can stop it.
    let code = format!(
        "import os, socket\nprint(sorted(os.environ))\n\
         def tries(what, f):\n    try:\n        print(what, 'escaped', f())\n    except Exception as error:\n        \
         print(what, 'held', type(error).__name__)\n\
         tries('write', lambda: open({:?}, 'w'))\n\
         tries('secret', lambda: open({:?}).read())\n\
         tries('network', lambda: socket.create_connection(('127.0.0.1', 9), 2))\n\
         tries('parent', lambda: open('/proc/%d/environ' % os.getppid(), 'rb').read())\n\
         tries('signal', lambda: os.kill(os.getppid(), 0) if os.getppid() != 1 else 1 / 0)\n\
         open('mine.txt', 'w').write('kept')\n",
        outside.display().to_string(),
        hermes.home().join(".env").display().to_string(),
    );
    let arguments = json!({"code": code}).to_string();
    let ran = hermes.run_without_namespaces(&["tools", "call", "execute_code", &arguments, "--json"]).json();
    let output = ran["output"].as_str().unwrap_or_else(|| panic!("{ran}"));
    assert_eq!(ran["ran"]["sandbox"], json!("fenced"), "{ran}");
    assert!(
        !output.contains("escaped") && !output.contains("canary") && !output.contains("CANARY"),
        "{output}"
    );
    for wall in ["write held", "secret held", "network held", "parent held"] {
        assert!(output.contains(wall), "{wall}: {output}");
    }
    assert!(!outside.exists());
    assert_eq!(std::fs::read_to_string(hermes.work().join("mine.txt")).unwrap(), "kept");

    let command = json!({"command": "echo here > there.txt; cat there.txt"}).to_string();
    let ran = hermes.run_without_namespaces(&["tools", "call", "terminal", &command, "--json"]).json();
    assert_eq!((&ran["output"], &ran["ran"]["sandbox"]), (&json!("here"), &json!("fenced")), "{ran}");
    assert!(ran["ran"]["lacking"].as_str().unwrap_or_default().contains("user.max_user_namespaces"), "{ran}");
    // Who wants more than a fence gets nothing run.
    let strict = ["tools", "call", "terminal", &command, "--json", "--set", "terminal.sandbox.mode=strict"];
    let refused = hermes.run_without_namespaces(&strict);
    assert_eq!(refused.json()["code"], json!("unavailable"), "{}", refused.stdout);
}

/// A home in a folder for temporary files is no such folder.
#[test]
fn behind_the_fence_too_the_home_stays_as_it_is() {
    let hermes = Hermes::new();
    let settings = hermes.work().with_file_name(".bashrc");
    std::fs::create_dir_all(hermes.home()).unwrap();
    std::fs::write(&settings, "mine\n").unwrap();
    hermes.write("script.sh", "echo evil >> ../.bashrc; echo evil > ../.profile; echo fine > kept");
    let command = json!({"command": "sh script.sh; true"}).to_string();
    let ran = hermes.run_without_namespaces(&["tools", "call", "terminal", &command, "--json"]).json();
    assert_eq!(ran["ran"]["sandbox"], json!("fenced"), "{ran}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "mine\n", "{ran}");
    assert!(!settings.with_file_name(".profile").exists(), "{ran}");
    assert_eq!(std::fs::read_to_string(hermes.work().join("kept")).unwrap(), "fine\n", "{ran}");
}

#[test]
fn without_landlock_whole_walls_are_not_claimed() {
    let hermes = Hermes::new();
    let command = json!({"command": "echo here"}).to_string();
    let call = ["tools", "call", "terminal", &command, "--json"];
    let ran = hermes.run_without_landlock(&call).json();
    assert_eq!((&ran["output"], &ran["ran"]["sandbox"]), (&json!("here"), &json!("sealed")), "{ran}");
    assert!(ran["ran"]["lacking"].as_str().unwrap_or_default().contains("Landlock"), "{ran}");
    let strict = [&call[..], &["--set", "terminal.sandbox.mode=strict"]].concat();
    let refused = hermes.run_without_landlock(&strict).json();
    assert_eq!(
        (&refused["code"], &refused["retryable"]),
        (&json!("unavailable"), &json!(false)),
        "{refused}"
    );
    let tested = hermes.run_without_landlock(&["sandbox", "test"]);
    assert!(tested.stdout.contains("lacking here: Landlock"), "{}", tested.stdout);
    assert_eq!(hermes.run(&strict).json()["output"], json!("here"));
}

/// What talks to itself has a network for that, and no other.
#[test]
fn scripts_without_network_have_a_loopback_of_their_own() {
    let hermes = Hermes::new();
    let outside = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let code = format!(
        "import socket\nown = socket.create_server(('127.0.0.1', 0))\n\
         socket.create_connection(own.getsockname(), 5)\nprint('talked')\n\
         try:\n    socket.create_connection(('127.0.0.1', {}), 5)\n    print('escaped')\n\
         except OSError as error:\n    print('held')\n",
        outside.local_addr().unwrap().port(),
    );
    let call = ["tools", "call", "execute_code", &json!({"code": code}).to_string(), "--json"];
    let ran = hermes.run(&call).json();
    assert_eq!((&ran["output"], &ran["ran"]["sandbox"]), (&json!("talked\nheld"), &json!("sealed")), "{ran}");
}

#[test]
fn where_nothing_can_be_held_the_answer_is_no() {
    let hermes = Hermes::new();
    let tested = hermes.run_without_walls(&["sandbox", "test"]);
    assert_eq!(tested.code, 5, "{}{}", tested.stdout, tested.stderr);
    assert!(tested.stderr.contains("commands cannot be held here"), "{}", tested.stderr);
    let command = json!({"command": "echo ran > ran"}).to_string();
    let ran = hermes.run_without_walls(&["tools", "call", "terminal", &command, "--json"]).json();
    assert_eq!(ran["code"], json!("unavailable"), "{ran}");
    assert!(!hermes.work().join("ran").exists(), "{ran}");
}

/// What is promised by more than this machine has is no escape.
#[test]
fn what_is_not_promised_is_told_from_what_got_out() {
    let tested = Hermes::new().run_without_namespaces(&["sandbox", "test"]);
    assert_eq!(tested.code, 0, "{}", tested.stdout);
    assert!(tested.stdout.contains("that got through are not promised here"), "{}", tested.stdout);
}
