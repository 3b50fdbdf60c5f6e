//! Trees that try to stay, many times; and arguments made of any bytes.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use hermes_host::process::{Child, Confinement, Launch, Stream};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tokio::io::AsyncReadExt;

/// Leaves processes in other sessions and groups, deaf to signals, without parents. Nobody else on the machine
/// sleeps exactly that long.
fn hostile() -> (String, String) {
    let seconds = (50_000_000 + std::process::id()).to_string();
    let sleep = format!("sleep {seconds}");
    let script =
        format!("trap '' TERM HUP INT; (setsid {sleep} &); ({sleep} & exec setsid {sleep}) & exit 0");
    (script, seconds)
}

fn sleepers(seconds: &str) -> usize {
    let wanted = format!("sleep\0{seconds}\0").into_bytes();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| *line == wanted).count()
}

#[tokio::test]
async fn a_thousand_hostile_trees_leave_nobody() {
    let (script, seconds) = hostile();
    let script = script.as_str();
    for round in 0..50 {
        let trees = (0..20).map(|number| async move {
            let confinement =
                (number % 2 == 0).then(|| Confinement { network: true, ..Confinement::default() });
            let launch = Launch {
                stdin: Stream::Null,
                stdout: Stream::Null,
                stderr: Stream::Null,
                confinement,
                ..Launch::new(["sh", "-c", script], "/").with_env([("PATH", "/usr/bin:/bin")])
            };
            let mut child = Child::start(&launch).await.unwrap();
            child.wait().await.unwrap()
        });
        for exit in futures_util::future::join_all(trees).await {
            assert_eq!(exit.code, Some(0));
        }
        assert_eq!(sleepers(&seconds), 0, "round {round}");
    }
}

#[tokio::test]
async fn ten_thousand_byte_strings_arrive_as_they_were() {
    let strategy = proptest::collection::vec(1_u8..=255, 0..40);
    let mut runner = TestRunner::deterministic();
    for round in 0..20 {
        let words: Vec<Vec<u8>> =
            (0..500).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect();
        let dump = "import os, sys\nfor word in sys.argv[1:]: print(os.fsencode(word).hex())\n\
            for n in range(len(sys.argv) - 1): print(os.environb[b'V%d' % n].hex())";
        let argv = ["/usr/bin/python3", "-c", dump].map(OsString::from).into_iter();
        let argv = argv.chain(words.iter().map(|word| OsString::from_vec(word.clone())));
        let variables = words.iter().enumerate();
        let env =
            variables.map(|(n, word)| (OsString::from(format!("V{n}")), OsString::from_vec(word.clone())));
        let launch = Launch {
            stdin: Stream::Null,
            stderr: Stream::Merged,
            confinement: (round % 2 == 0).then(Confinement::default),
            ..Launch::new(argv, "/").with_env(env)
        };
        let mut child = Child::start(&launch).await.unwrap();
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).await.unwrap();
        let hex = |word: &Vec<u8>| word.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let expected: Vec<String> = words.iter().chain(&words).map(hex).collect();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
