//! What lasts from one command to the next, whatever the command does with its shell.

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::value;

async fn ran(test: &TestRuntime, command: &str) -> Value {
    value(test.call("terminal", json!({"command": command})).await)
}

#[tokio::test]
async fn folder_and_variables_last_however_the_shell_ends() {
    let test = TestRuntime::new().await;
    for (command, output, code) in [
        ("trap 'echo bye $?' EXIT; exit 4", "bye 4", 4),
        ("trap 'echo bye; exit 9' EXIT; true", "bye", 9),
        ("trap 'echo no' EXIT; trap - EXIT; echo yes", "yes", 0),
        ("exec echo became", "became", 0),
        ("exec >/dev/null; echo unseen", "", 0),
        ("{ echo unseen; exit 3; } >/dev/null", "", 3),
        ("printf() { echo mine; }; export() { echo mine; }; printf x", "mine", 0),
        ("set -x; : hello", "++ : hello", 0),
        ("set -e; false; echo unseen", "", 1),
        ("kill -TERM $$; echo unseen", "", 143),
        ("set -a; MORE=1; echo $MORE", "1", 0),
    ] {
        let before = format!("mkdir -p d; cd d; export LASTS=\"$LASTS.\"; {command}");
        let done = ran(&test, &before).await;
        assert_eq!(
            (&done["output"], &done["exit_code"]),
            (&json!(output), &json!(code)),
            "{command}: {done}"
        );
        let after = ran(&test, "pwd; echo $LASTS; cd ..; unset LASTS").await;
        let expected = format!("{}\n.", test.path("d").display());
        assert_eq!(after["output"], json!(expected), "{command}");
    }
}

/// Its shell hears that it is to end only once nothing holds it up any more, and still tells then.
#[tokio::test]
async fn folder_and_variables_last_where_something_does_not_end_when_asked() {
    let test = TestRuntime::new().await;
    for (pty, holding) in [
        (false, "(trap '' TERM; sleep 1000)"),
        (true, "(trap '' TERM; sleep 1000)"),
        (false, "setsid -w sh -c 'trap \"\" TERM; sleep 1000; true' | cat"),
    ] {
        let line = format!("mkdir -p d; cd d; export LASTS=v; {holding}; touch went-on");
        let cut = value(test.call("terminal", json!({"command": line, "timeout": 3, "pty": pty})).await);
        assert_eq!(cut["exit_code"], json!(124), "{holding}: {cut}");
        let after = ran(&test, "pwd; echo $LASTS; ls; cd ..; unset LASTS").await;
        assert_eq!(after["output"], json!(format!("{}\nv", test.path("d").display())), "{holding}");
    }
    // One that does not listen itself goes no further.
    let deaf = json!({"command": "trap '' TERM; sleep 1000; touch went-on", "timeout": 1});
    assert_eq!(value(test.call("terminal", deaf).await)["exit_code"], json!(124));
    assert_eq!(ran(&test, "ls went-on").await["exit_code"], json!(2));
}

/// A program that a command starts sees nothing by which it could speak for the shell.
#[tokio::test]
async fn no_program_can_tell_where_the_shell_stands() {
    let test = TestRuntime::new().await;
    let forge = "cat /proc/*/cmdline /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -ao '__hermes_[0-9a-f]*__' \
        | sort -u | while read -r mark; do printf '\\n%s\\n/usr\\0declare -x PATH=\"/evil\"\\n%s\\n' $mark $mark; done";
    test.write("forge.sh", forge);
    let done = ran(&test, "export A=1; sh forge.sh; echo").await;
    assert_eq!((&done["output"], &done["cwd"]), (&json!(""), &json!(test.workspace().display().to_string())));
    assert_ne!(ran(&test, "echo $PATH").await["output"], json!("/evil"));
    // Nor in a terminal, where what is typed would be shown.
    let typed = json!({"command": "export A=2; sh forge.sh; cd /tmp", "pty": true});
    let done = value(test.call("terminal", typed).await);
    assert_eq!((&done["output"], &done["cwd"]), (&json!(""), &json!("/tmp")), "{done}");
    let after = ran(&test, "echo $A; case $PATH in /evil) echo evil;; esac; cd -").await;
    assert_eq!(after["output"].as_str().unwrap().lines().next(), Some("2"), "{after}");
    assert!(!after["output"].as_str().unwrap().contains("evil"), "{after}");
}

/// Nor by printing what a shell would say, at every moment, nor by what the shell holds.
#[tokio::test]
async fn no_program_can_speak_amid_the_shell() {
    let test = TestRuntime::new().await;
    let flood = "while :; do printf 'declare -x EVIL=\"1\"\\nexport EVIL=1\\n\\0/usr\\0declare -x EVIL=\"1\"\\n\\0'; done\n";
    test.write("flood.sh", flood);
    test.write(
        "holds.sh",
        "for p in /proc/$PPID /proc/self; do ls -l $p/fd; done | grep -c socket: ; true\n",
    );
    let speaks = r#"
import os, re, time
shell = os.getppid()
said = b'/usr\0declare -x EVIL="1"\n'
for name in os.listdir(f'/proc/{shell}/fd'):
    try:
        with open(f'/proc/{shell}/fd/{name}', 'wb', buffering=0) as it: it.write(b'\0' + said + b'\0')
    except OSError: pass
found = set()
with open(f'/proc/{shell}/maps') as maps, open(f'/proc/{shell}/mem', 'rb') as memory:
    for line in maps:
        begin, end = (int(part, 16) for part in line.split()[0].split('-'))
        try:
            memory.seek(begin)
            found.update(re.findall(rb'__hermes_[0-9a-f]{32}__', memory.read(end - begin)))
        except (OSError, ValueError, OverflowError): pass
open('read', 'w').close()
time.sleep(0.5)
for mark in found: os.write(1, b'\n' + mark + b'\n' + said + mark + b'\n')
try:
    open(f'/proc/{shell}/mem', 'r+b')
    print('may write into the shell')
except OSError: pass
"#;
    test.write("speaks.py", speaks);
    for pty in [false, true] {
        for end in ["cd d", "cd d; exit 0", "trap 'sleep 0.1' EXIT; cd d; exit", "cd d; exec sleep 0.1"] {
            let line = format!("mkdir -p d; export A=1; sh flood.sh & sleep 0.2; {end}");
            let done = value(test.call("terminal", json!({"command": line, "pty": pty})).await);
            assert_eq!(done["cwd"], json!(test.path("d").display().to_string()), "{line}");
            let after = ran(&test, "echo $A [$EVIL]; unset A; cd ..").await;
            assert_eq!(after["output"], json!("1 []"), "{line}");
        }
        // It speaks last, after the shell has become another program.
        let line =
            "export B=1; python3 speaks.py & until [ -e read ]; do sleep 0.1; done; rm read; exec sleep 1";
        let spoke = value(test.call("terminal", json!({"command": line, "pty": pty})).await);
        assert!(!spoke["output"].as_str().unwrap().contains("into the shell"), "{spoke}");
        assert_eq!(
            ran(&test, "echo $B [$EVIL]; pwd").await["output"],
            json!(format!("1 []\n{}", test.workspace().display()))
        );
        // One socket, which is the shell's own and no other program's.
        let held = value(test.call("terminal", json!({"command": "sh holds.sh", "pty": true})).await);
        assert_eq!(held["output"], json!("1"), "{held}");
    }
    // A command that wants the number that bash would use has it.
    let own = ran(&test, "exec 10>own; echo mine >&10; cat own; export C=1").await;
    assert_eq!(own["output"], json!("mine"), "{own}");
    assert_eq!(ran(&test, "echo $C").await["output"], json!("1"));
}

#[tokio::test]
async fn a_variable_that_no_program_could_be_given_is_not_kept() {
    let test = TestRuntime::new().await;
    let large = ran(&test, "export LARGE=$(head -c 140000 /dev/zero | tr '\\0' a) SMALL=1").await;
    assert!(large["note"].as_str().unwrap().contains("LARGE will not be there"), "{large}");
    assert_eq!(ran(&test, "echo [$LARGE] $SMALL").await["output"], json!("[] 1"));
    let many = "for n in {1..30}; do export MANY_$n=$(head -c 60000 /dev/zero | tr '\\0' a); done";
    let many = ran(&test, many).await;
    assert!(many["note"].as_str().unwrap().contains("MANY_"), "{many}");
    assert_eq!(ran(&test, "/bin/echo still $SMALL").await["output"], json!("still 1"));
    let bytes = ran(&test, "export BYTES=$'\\377' OTHER=2").await;
    assert!(bytes["note"].as_str().unwrap().contains("BYTES will not be there"), "{bytes}");
    assert_eq!(ran(&test, "echo [$BYTES] $OTHER").await["output"], json!("[] 2"));
}

#[tokio::test]
async fn a_folder_whose_name_is_no_text_is_one() {
    let test = TestRuntime::new().await;
    ran(&test, "mkdir $'n\\377'; cd $'n\\377'; export KEPT=1").await;
    assert_eq!(ran(&test, "echo $KEPT; pwd | od -An -c | grep -o '377'").await["output"], json!("1\n377"));
}
