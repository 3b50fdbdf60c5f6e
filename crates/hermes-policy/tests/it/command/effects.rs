//! What a command would do is said whether or not it is asked about, and nobody answers for the person who is.

use hermes_policy::command::{Class, EffectKind, Judgement, Stage, judge};

fn judged(command: &str) -> Judgement {
    let stage = Stage {
        home: "/home/agent".to_owned(),
        cwd: "/workspace".to_owned(),
        writable: vec!["/workspace".to_owned(), "/tmp".to_owned()],
        hermes_home: "/home/agent/.hermes".to_owned(),
    };
    judge(command, &stage)
}

fn has(command: &str, kind: EffectKind, target: &str) -> bool {
    judged(command).effects.iter().any(|effect| effect.kind == kind && effect.target == target)
}

#[test]
fn reading_a_secret_is_reading() {
    for (command, target) in [
        ("cat ~/.ssh/id_rsa", "/home/agent/.ssh/id_rsa"),
        ("base64 .env", "/workspace/.env"),
        ("cat /proc/1/environ", "/proc/1/environ"),
        ("tar cf x.tar ~", "/home/agent"),
        ("cat README.md", "/workspace/README.md"),
    ] {
        assert!(has(command, EffectKind::Reads, target), "{command}: {:?}", judged(command).effects);
    }
    assert_eq!(judged("cat ~/.ssh/id_rsa").class, Class::Ask);
}

#[test]
fn git_and_installers_reach_the_network() {
    for command in [
        "git push origin main",
        "git clone https://github.com/o/r.git",
        "git fetch --all",
        "git pull",
        "git submodule update --init",
        "npm install",
        "npm ci",
        "yarn",
        "pip install -r requirements.txt",
        "cargo install ripgrep --locked",
        "docker pull alpine",
    ] {
        let judgement = judged(command);
        assert!(
            judgement.effects.iter().any(|effect| effect.kind == EffectKind::Network),
            "{command}: {judgement:?}"
        );
    }
    for command in ["git status", "git commit -m push", "cargo test", "npm run build"] {
        let judgement = judged(command);
        assert!(
            judgement.effects.iter().all(|effect| effect.kind != EffectKind::Network),
            "{command}: {judgement:?}"
        );
    }
}

#[test]
fn what_git_writes_is_written() {
    for (command, target) in [
        ("git log --output=/etc/motd", "/etc/motd"),
        ("git diff --output /home/agent/.bashrc", "/home/agent/.bashrc"),
        ("git show --outpu=/etc/motd", "/etc/motd"),
        ("git archive -o /usr/local/x.tar HEAD", "/usr/local/x.tar"),
        ("git format-patch -o/etc/x HEAD~1", "/etc/x"),
        ("git bundle create /etc/x main", "/etc/x"),
    ] {
        assert!(has(command, EffectKind::Writes, target), "{command}: {:?}", judged(command).effects);
        assert_eq!(judged(command).class, Class::Ask, "{command}");
    }
    assert!(has("git log --output=log.txt", EffectKind::Writes, "/workspace/log.txt"));
    assert_eq!(judged("git log --output=log.txt").class, Class::Safe);
}

#[test]
fn nobody_answers_for_the_person_who_is_asked() {
    let affairs = [
        "approvals approve 1",
        "approvals deny 1",
        "grants add x",
        "grants revoke x",
        "policy trust .",
        "config trust .",
    ];
    let spellings = [
        "hermes %",
        "/usr/local/bin/hermes %",
        "./target/debug/hermes %",
        "her''mes %",
        "h\\ermes --quiet %",
        "H=hermes; $H %",
        "$(which hermes) %",
        "\"$(command -v hermes)\" %",
        "alias h=hermes; h %",
        "h() { hermes \"$@\"; }; h %",
        "env -u X hermes %",
        "timeout 5 nohup hermes % &",
        "sudo -u agent hermes %",
        "sh -c 'hermes %'",
        "echo 'hermes %' | sh",
        "echo '%' | xargs hermes",
        "yes | hermes %",
        "HERMES_HOME=/tmp/h hermes %",
        "cargo run -q -p hermes-cli -- %",
        "cargo run --bin hermes -- %",
        "npx hermes %",
        "python3 -m hermes %",
        "node dist/cli.js %",
        "cp \"$(which hermes)\" /tmp/h && /tmp/h %",
        "ln -s /usr/bin/hermes h; ./h %",
        "find / -name hermes -exec {} % \\;",
        "python3 -c \"import os; os.system('hermes %')\"",
        "x='%'; hermes $x",
        "hermes $(echo %)",
        "unknown-launcher hermes %",
    ];
    for spelling in spellings {
        for affair in affairs {
            let command = spelling.replace('%', affair);
            assert!(judged(&command).class >= Class::Ask, "unasked: {command}");
        }
    }
    for command in
        ["hermes approvals list", "hermes grants list", "hermes policy lint", "hermes explain command ls"]
    {
        assert!(judged(command).class < Class::Ask, "{command}: {:?}", judged(command).findings);
    }
}
