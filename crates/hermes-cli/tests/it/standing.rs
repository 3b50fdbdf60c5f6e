//! A command is judged where the session's shell really stands, and what is typed into a shell as one text.

use std::io::{BufRead, BufReader, Write as _};
use std::process::Child;

use serde_json::{Value, json};

use crate::harness::Hermes;

/// A process that answers calls one after another.
struct Lines {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Lines {
    fn of(hermes: &Hermes) -> Self {
        let mut child = hermes.spawn(&["run", "--jsonl", "--session", "s"]);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Lines { child, lines }
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let line = json!({"id": 1, "tool_calls": [{"id": "c", "name": name, "arguments": arguments}]});
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        let answer: Value = serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap();
        answer["tool_results"][0]["content"].clone()
    }

    fn run(&mut self, command: &str) -> Value {
        self.call("terminal", json!({"command": command}))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

#[test]
fn a_command_is_judged_where_the_shell_stands() {
    let hermes = Hermes::new();
    hermes.write("a/src/x", "");
    let mut lines = Lines::of(&hermes);
    lines.run("cd a");
    let asked = lines.run("rm -rf src");
    let reason = asked["error"].as_str().unwrap_or_default();
    let meant = hermes.work().join("a/src").display().to_string();
    assert!(reason.contains(&meant), "{asked}");
    lines.run("cd /");
    let denied = lines.run("rm -rf *");
    assert_eq!(denied["code"], "permission_denied", "nothing overrides the floor: {denied}");
}

#[test]
fn a_grant_for_one_folder_is_no_grant_for_another() {
    let hermes = Hermes::new();
    hermes.write("src/x", "");
    hermes.write("other/src/x", "");
    let granted = hermes.run(&["grants", "add", "--tool", "terminal", "--command", "rm -rf src"]);
    assert_eq!(granted.code, 0, "{}", granted.stderr);
    let mut lines = Lines::of(&hermes);
    lines.run("cd other");
    let asked = lines.run("rm -rf src");
    assert_eq!(asked["code"], "approval_required", "{asked}");
    assert!(hermes.work().join("other/src/x").exists());
    lines.run("cd ..");
    lines.run("rm -rf src");
    assert!(!hermes.work().join("src").exists(), "in its own folder it holds");
}

#[test]
fn what_is_typed_is_judged_with_what_was_typed_before() {
    let hermes = Hermes::new();
    hermes.write("victim/x", "");
    let mut lines = Lines::of(&hermes);
    let begun = |lines: &mut Lines, program: &str| {
        let started = lines.call("terminal", json!({"command": program, "background": true}));
        started["session_id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
    };
    let typed = |lines: &mut Lines, id: &str, action: &str, data: &str| {
        lines.call("process", json!({"action": action, "session_id": id, "data": data}))
    };
    let shell = begun(&mut lines, "bash");
    assert_eq!(typed(&mut lines, &shell, "write", "rm -r")["status"], "success");
    let asked = typed(&mut lines, &shell, "write", "f victim\n");
    assert_eq!(asked["code"], "approval_required", "{asked}");
    let other = begun(&mut lines, "bash");
    typed(&mut lines, &other, "submit", "alias ll='rm -rf'; shopt -s expand_aliases");
    let asked = typed(&mut lines, &other, "submit", "ll victim");
    assert_eq!(asked["code"], "approval_required", "{asked}");
    assert!(hermes.work().join("victim/x").exists());
    let python = begun(&mut lines, "python3 -i");
    let fine = typed(&mut lines, &python, "submit", "import math\nprint(math.floor(2.5))");
    assert_eq!(fine["status"], "success", "python is no shell: {fine}");
    let asked = typed(&mut lines, &python, "submit", "import shutil; shutil.rmtree('victim')");
    assert_eq!(asked["code"], "approval_required", "{asked}");
    for id in [&shell, &other, &python] {
        lines.call("process", json!({"action": "kill", "session_id": id}));
    }
}

/// What is a text to the first reader is a command to the next, and keys make another line of the one that was typed.
#[test]
fn what_is_typed_is_judged_as_every_reader_would_get_it() {
    let hermes = Hermes::new();
    let mut lines = Lines::of(&hermes);
    let hidden = "cat <<'E'\nrm -rfv /usr/nonexistent-zz; echo RAN\nE";
    for (command, pty, data) in [
        ("read x; sh", false, hidden.to_owned()),
        ("read x; sh", true, hidden.replace('\n', "\r")),
        ("sh", false, format!("read x\n{hidden}")),
        ("read x; sh", false, "rm -rfv \\\n/usr/nonexistent-zz".to_owned()),
        ("sleep 0.1; sh", true, "m -rfv /usr/nonexistent-zz\u{1}r".to_owned()),
    ] {
        let started = lines.call("terminal", json!({"command": command, "background": true, "pty": pty}));
        let id = started["session_id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
        let asked = lines.call("process", json!({"action": "submit", "session_id": id, "data": data}));
        let refused = ["approval_required", "permission_denied"].iter().any(|code| asked["code"] == *code);
        assert!(refused, "{command} {data:?}: {asked}");
        for keys in ["\u{1b}[A", "\u{3}"].iter().filter(|_| pty) {
            let fine = lines.call("process", json!({"action": "write", "session_id": id, "data": keys}));
            assert_eq!(fine["status"], "success", "{keys:?}: {fine}");
        }
        let killed = lines.call("process", json!({"action": "kill", "session_id": id}));
        assert!(!killed["output"].as_str().unwrap().contains("RAN"), "{command}: {killed}");
    }
    let started = lines.call("terminal", json!({"command": "bash", "background": true}));
    let typed = "for n in 1 2; do\necho $n\ndone\ncat <<E\nsome text\nE";
    let fine = lines
        .call("process", json!({"action": "submit", "session_id": started["session_id"], "data": typed}));
    assert_eq!(fine["status"], "success", "a shell reads its own lines: {fine}");
    lines.call("process", json!({"action": "kill", "session_id": started["session_id"]}));
}

/// A shell that is typed into makes other commands of some lines than those that stand there.
#[test]
fn what_a_line_would_bring_back_is_asked_about() {
    let hermes = Hermes::new();
    let mut lines = Lines::of(&hermes);
    let started = lines.call("terminal", json!({"command": "bash --norc", "background": true, "pty": true}));
    let id = started["session_id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let mut typed =
        |data: &str| lines.call("process", json!({"action": "submit", "session_id": id, "data": data}));
    for fine in ["echo /etc/hermes-recalled", "[ a != b ] && ! false", "bind -P | head -n 1", "set -e"] {
        let answer = typed(fine);
        assert_eq!(answer["status"], "success", "{fine}: {answer}");
    }
    for unknown in [
        "^echo^touch",
        "!!:s/echo/touch/",
        "!echo",
        "history -s 'touch /etc/hermes-recalled'",
        "bind 'x: \"touch /etc/hermes-recalled\\n\"'",
        "bind -f keys",
        "set -H",
        "set -o histexpand",
        "histchars=%^#",
        "complete -C 'touch /etc/hermes-recalled' foo",
    ] {
        let answer = typed(unknown);
        assert_eq!(answer["code"], "approval_required", "{unknown}: {answer}");
    }
    lines.call("process", json!({"action": "kill", "session_id": id}));
}
