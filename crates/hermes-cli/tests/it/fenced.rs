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
