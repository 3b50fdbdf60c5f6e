//! What a command would do is said whether or not it is asked about, nobody answers for the person who is, and
//! nothing that stands around a command hides it.

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
fn whoever_looks_for_secrets_among_variables_is_asked() {
    for command in [
        "env | grep -i token",
        "printenv | sort | grep -iE 'key|secret'",
        "set | grep PASSWORD",
        "export -p | rg api_key",
        "env | grep -iesecret",
        "env | grep -ie secret --color=always",
        "printenv AWS_SECRET_ACCESS_KEY",
    ] {
        let judgement = judged(command);
        assert_eq!(judgement.class, Class::Ask, "{command}: {judgement:?}");
        assert_eq!(judgement.category.as_deref(), Some("credential_access"), "{command}");
    }
    for command in [
        "env | grep PATH",
        "env | grep -c TOKEN",
        "env | grep -qi token && echo set",
        "env -u X make | grep token",
        "declare -f | grep token",
        "grep -rn token src",
        "printenv PATH",
    ] {
        assert!(judged(command).class < Class::Ask, "{command}: {:?}", judged(command));
    }
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

#[test]
fn a_function_hides_a_program_only_where_it_is_certainly_called() {
    for command in [
        "rm -rf /; rm() { :; }",
        "rm -rf /\n: $(rm((",
        "rm() { :; }; unset -f rm; rm -rf /",
        "(rm() { :; }); rm -rf /",
        "rm() { :; } | cat; rm -rf /",
        "echo $(rm() { :; }); rm -rf /",
        "if false; then rm() { :; }; fi; rm -rf /",
        "f() { rm() { :; }; }; rm -rf /",
        "bash -c 'rm() { :; }'; rm -rf /",
        "rm() { :; }; sudo rm -rf /",
        "rm() { :; }; command rm -rf /",
        "rm() { command rm \"$@\"; }; rm -rf /",
    ] {
        assert_eq!(judged(command).class, Class::Deny, "{command}");
    }
    for command in ["rm() { echo no; }; rm -rf /", "cleanup() { echo delete; }; cleanup delete all"] {
        assert!(judged(command).class < Class::Ask, "{command}: {:?}", judged(command).findings);
    }
}

#[test]
fn whatever_deletes_says_what() {
    for (command, target) in [
        ("rm -f src/a.o", "/workspace/src/a.o"),
        ("find . -name '*.o' -delete", "/workspace/*.o"),
        ("find src -type f -delete", "/workspace/src/*"),
        ("find . -name '*.pyc' -exec rm -f {} +", "/workspace/*.pyc"),
        ("find . -name '*.pyc' -print0 | xargs -0 rm -f", "/workspace/*.pyc"),
        ("echo a.txt b.txt | xargs rm", "/workspace/b.txt"),
        ("git clean -fdx", "/workspace"),
        ("git clean -f src", "/workspace/src"),
        ("git rm src/a.rs", "/workspace/src/a.rs"),
        ("git mv a.rs b.rs", "/workspace/a.rs"),
        ("sudo nice env A=1 rm x", "/workspace/x"),
    ] {
        assert!(has(command, EffectKind::Deletes, target), "{command}: {:?}", judged(command).effects);
    }
    for (command, target) in [
        ("echo x > a.txt", "/workspace/a.txt"),
        ("make 2>> log", "/workspace/log"),
        ("git checkout -- src/a.rs", "/workspace/src/a.rs"),
        ("git restore .", "/workspace"),
        ("git reset --hard HEAD~1", "/workspace"),
        ("split -l 10 big.csv /etc/part", "/etc/part"),
    ] {
        assert!(has(command, EffectKind::Writes, target), "{command}: {:?}", judged(command).effects);
    }
    for command in ["git clean -n", "git rm --cached a", "git restore --staged a", "git checkout main"] {
        let gone = judged(command).effects;
        assert!(gone.iter().all(|effect| effect.kind != EffectKind::Deletes), "{command}: {gone:?}");
    }
}

#[test]
fn launchers_in_launchers_are_followed_or_refused() {
    for depth in [0, 3, 12, 15, 16, 17, 40, 400] {
        for launcher in ["nice ", "sudo ", "env A=1 ", "nohup timeout 5 ", "busybox ", "xargs "] {
            let command = format!("{}rm -rf /", launcher.repeat(depth));
            assert_eq!(judged(&command).class, Class::Deny, "{depth} times {launcher}");
        }
        let harmless = judged(&format!("{}ls", "nice ".repeat(depth))).class;
        assert!(harmless == if depth < 16 { Class::ReadOnly } else { Class::Deny }, "{depth}: {harmless:?}");
    }
    let mut nested = "rm -rf /".to_owned();
    for depth in 0..20 {
        assert_eq!(judged(&nested).class, Class::Deny, "{depth}");
        nested = format!("bash -c '{}'", nested.replace('\'', "'\\''"));
        if nested.len() > 100_000 {
            break;
        }
    }
}

#[test]
fn a_home_in_a_temporary_folder_is_no_scratch() {
    let stage = Stage {
        home: "/tmp/h".to_owned(),
        cwd: "/tmp/h/work".to_owned(),
        writable: vec!["/tmp/h/work".to_owned(), "/tmp".to_owned()],
        hermes_home: "/tmp/h/.hermes".to_owned(),
    };
    let class = |command: &str| judge(command, &stage).class;
    assert_eq!(class("rm -rf ~"), Class::Deny);
    assert_eq!(class("rm -rf /tmp/h/*"), Class::Deny);
    assert_eq!(class("rm -rf ~/notes"), Class::Ask);
    assert_eq!(class("echo x > ~/notes"), Class::Ask);
    assert!(class("echo x > notes") < Class::Ask);
    assert!(class("rm -rf /tmp/other") < Class::Ask);
}

#[test]
fn what_is_exported_and_handed_over_reaches_the_texts_inside() {
    for command in [
        "export T=/etc; sh -c 'rm -rf $T'",
        "T=/usr bash -c 'rm -rf \"$T\"'",
        "echo 'rm -rf \"$1\"' > /tmp/a; sh /tmp/a /",
        "echo 'rm -rf \"$1\"' > x.sh; chmod +x x.sh; ./x.sh /etc",
        "bash -s -- / <<< 'rm -rf \"$1\"'",
        "printf '%s\\0' /etc /usr | xargs -0 rm -rf",
    ] {
        assert_eq!(judged(command).class, Class::Deny, "{command}");
    }
    for command in
        ["eval \"$(base64 -d <<< aWQ=)\"", "bash -c \"$(echo aWQ= | base64 -d)\"", "$(echo aWQ= | base64 -d)"]
    {
        assert_eq!(judged(command).class, Class::Ask, "{command}");
    }
}
