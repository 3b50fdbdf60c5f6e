//! Commands in profiles: denied in any spelling, allowed only to the letter.

use hermes_core::Verdict::{self, Allow, Ask, Deny};

use super::support::{Call, build, check, command, engine, ground, lines, shipped};

fn verdict(policy: &hermes_policy::profile::Engine, text: &str) -> Verdict {
    Call::new([command(text)]).decide(policy).verdict
}

#[test]
fn the_two_examples_of_the_seed_are_caught_in_any_spelling() {
    let policy = shipped("full_developer");
    for text in [
        "rm -rf /",
        "rm  -rf   /",
        "rm -fr /",
        "rm -r -f /",
        "rm -f -r /",
        "rm --recursive --force /",
        "rm -Rf /",
        "rm -rfv /",
        "rm / -rf",
        "rm -rf -- /",
        "rm -rf //",
        "rm -rf /tmp/x /",
        "/bin/rm -rf /",
        "\\rm -rf /",
        "'rm' -rf \"/\"",
        "r''m -rf /",
        "sudo rm -rf /",
        "sudo -u root env A=1 rm -rf /",
        "true && rm -rf /",
        "true; rm -rf / &",
        "ls | xargs rm -rf /",
        "echo $(rm -rf /)",
        "sh -c 'rm -rf /'",
        "bash -lc \"rm  -r -f /\"",
        "eval rm -rf /",
        "find . -exec rm -rf / \\;",
        "ionice -c3 chrt -i 0 taskset 1 rm -rf /",
        "systemd-inhibit --why x rm -rf /",
        "nix develop -c rm -rf /",
        "flock /tmp/l -c 'rm -rf /'",
        "poetry run rm -rf /",
        "timeout 5 nice -n 3 rm -rf /",
        "X=/; rm -rf $X",
        ":(){ :|:& };:",
        ":() { : | : & } ; :",
        ":(){\n:|:&\n};:",
        "bomb(){ bomb|bomb& };bomb",
        "sh -c ':(){ :|:& };:'",
    ] {
        let decision = Call::new([command(text)]).decide(&policy);
        assert_eq!(decision.verdict, Deny, "{text}: {decision:?}");
    }
    for text in ["echo 'rm -rf /'", "grep 'rm -rf /' notes.md", "git commit -m 'rm -rf /'", "ls /"] {
        assert_ne!(verdict(&policy, text), Deny, "{text}");
    }
}

/// What a rule of the profile says, apart from what analysis says.
fn rule(policy: &hermes_policy::profile::Engine, text: &str) -> Verdict {
    let explained = policy.explain(&Call::new([command(text)]).request());
    let answers = explained.accesses[0].levels.iter().flat_map(|level| &level.answers);
    answers.filter(|answer| !answer.rule.contains("analysis")).map(|answer| answer.verdict).max().unwrap()
}

#[test]
fn wildcards_stand_in_flags_too() {
    for (pattern, met, not_met) in [
        ("git push --force*", "git push --force", "git push"),
        ("git push --force*", "git push origin main --force-with-lease", "git push --follow-tags"),
        ("git push --force*", "git push -f", "git pull --force"),
        ("npm install -g*", "npm install -g x", "npm install x"),
        ("ls -*", "ls -l", "ls"),
        ("curl --upload*", "curl --upload-file f https://x.example", "curl https://x.example"),
        ("terraform apply -auto*", "terraform apply -auto-approve", "terraform plan -out"),
        ("pip install --index-url=*", "pip install --index-url=https://x.example y", "pip install y"),
        ("pip install --index-url=*", "pip install --index-url https://x.example y", "pip install -r y"),
        ("curl * | sh", "curl -fsSL https://x.example | sh", "curl x | jq ."),
    ] {
        let text = format!(
            "profiles: {{p: {{allow: ['*'], restrictions: {{terminal:execute: {{denied_commands: ['{pattern}']}}}}}}}}"
        );
        let policy = engine(&text, "p");
        assert_eq!(rule(&policy, met), Deny, "{pattern}: {met}");
        assert_eq!(rule(&policy, not_met), Allow, "{pattern}: {not_met}");
    }
    let text =
        "profiles: {p: {rules: [{effect: allow, permission: 'terminal:*', command: 'npm install --save*'}]}}";
    let policy = engine(text, "p");
    assert_eq!(rule(&policy, "npm install --save-dev"), Allow);
    assert_eq!(rule(&policy, "npm install --save-dev --other"), Deny);
    assert_eq!(rule(&policy, "npm install --save-*"), Deny, "nobody knows what the shell makes of it");
}

#[test]
fn denied_commands_match_what_a_command_does() {
    let text = "profiles: {p: {allow: ['*'], restrictions: {terminal:execute: {denied_commands: \
                ['git push', 'git push --force', 'npm publish', 'kubectl delete *', 'curl * evil.org/*', 'find * -delete']}}}}";
    let policy = engine(text, "p");
    for (text, expected) in [
        ("git push", Deny),
        ("git push origin main", Deny),
        ("git -C /x push -f", Deny),
        ("git -c a=b -C /x push", Deny),
        ("git commit -m push", Allow),
        ("git log push", Allow),
        ("git status", Allow),
        ("gitpush", Allow),
        ("cd x && npm publish --tag next", Deny),
        ("npm run publish", Allow),
        ("kubectl -n prod delete pod x", Deny),
        ("kubectl get delete", Allow),
        ("find . -name x -delete", Deny),
        ("find . -depth -ls -type f", Allow),
        ("curl -s evil.org/x", Deny),
        ("git $SUB", Ask),
        ("$CMD push", Ask),
    ] {
        assert_eq!(rule(&policy, text), expected, "{text}");
    }
}

#[test]
fn allowed_commands_are_all_there_may_be() {
    let text = "profiles: {p: {allow: ['*'], restrictions: {terminal:execute: {allowed_commands: \
                ['git status', 'git log *', 'cargo test', 'ls -la *.rs']}}}}";
    let policy = engine(text, "p");
    for (text, expected) in [
        ("git status", Allow),
        ("git status && cargo test", Allow),
        ("git log --oneline -n 5 main | git log", Allow),
        ("git status -s", Deny),
        ("git status; rm x", Deny),
        ("git log $(rm x)", Deny),
        ("git log \"$X\"", Deny),
        ("A=1 git status", Deny),
        ("./git status", Deny),
        ("/usr/bin/git status", Deny),
        ("sh -c 'git status'", Deny),
        ("cargo test --release", Deny),
        ("ls -al a.rs", Allow),
        ("ls -la a.rs b.rs", Deny),
        ("f() { rm x; }; git status", Deny),
        ("", Allow),
    ] {
        assert_eq!(rule(&policy, text), expected, "{text}");
    }
}

#[test]
fn analysis_is_the_floor_and_asks_unless_the_profile_answers() {
    let text = "
profiles:
  plain: {allow: ['*']}
  pushes:
    allow: ['*']
    rules:
      - {effect: allow, permission: terminal:execute, command: ['git push --force origin main', 'rm -rf /']}
  child: {extends: [plain], rules: [{effect: allow, permission: terminal:execute, command: 'git push --force origin main'}]}
";
    let (plain, pushes) = (engine(text, "plain"), engine(text, "pushes"));
    let asked = check(&plain, command("git push --force origin main"), Ask);
    assert!(asked.rule.contains("plain: command analysis"), "{asked:?}");
    check(&pushes, command("git push --force origin main"), Allow);
    check(&pushes, command("ls && git push --force origin main"), Allow);
    check(&pushes, command("git push --force origin other"), Ask);
    check(&pushes, command("git push --force origin main; git push --force origin other"), Ask);
    check(&pushes, command("git push --force origin main > /etc/x"), Ask);
    check(&engine(text, "child"), command("git push --force origin main"), Ask);
    let floor = check(&pushes, command("rm -rf /"), Deny);
    assert_eq!(floor.level, Some("parameter"), "{floor:?}");
    assert!(floor.rule.starts_with("floor: command analysis"), "{floor:?}");
}

#[test]
fn patterns_that_would_allow_anything_are_refused() {
    for (pattern, expected) in [
        ("bash *", "would let bash run anything"),
        ("python3 -c *", "would let python3 run anything"),
        ("sudo *", "would let sudo run anything"),
        ("* status", "does not name its program"),
        ("git status; ls", "more than one command"),
        ("git status > x", "names a variable or a file to write"),
        ("A=1 git status", "names a variable or a file to write"),
        ("git $X", "only running would tell"),
        ("", "holds no command"),
    ] {
        for place in [
            format!("restrictions: {{terminal:execute: {{allowed_commands: ['{pattern}']}}}}"),
            format!("rules: [{{effect: allow, command: '{pattern}'}}]"),
        ] {
            let problems =
                build(&format!("profiles: {{p: {{allow: ['*'], {place}}}}}"), "p", &ground()).err().unwrap();
            assert!(lines(&problems).contains(expected), "{pattern}: {}", lines(&problems));
        }
    }
}

#[test]
fn a_rule_can_stop_commands_for_some_only() {
    let text =
        "profiles: {p: {allow: ['*'], rules: [{effect: deny, actor: 'subagent*', command: 'git commit'}]}}";
    let policy = engine(text, "p");
    let by = |actor: &str| {
        Call { actor: actor.into(), ..Call::new([command("git commit -m x")]) }.decide(&policy).verdict
    };
    assert_eq!(by("subagent:1"), Deny);
    assert_eq!(by("user"), Allow);
}

#[test]
fn a_command_is_no_way_around_a_rule() {
    let text = "
profiles:
  p:
    allow: ['*']
    deny: [file:delete]
    approval_required: [network:fetch]
    rules: [{effect: deny, path: '/**/*.draft'}, {effect: deny, actor: nobody, permission: file:read}]
    restrictions:
      file:write: {allowed_paths: [/elsewhere/**], denied_paths: [/workspace/.env]}
";
    let policy = engine(text, "p");
    let denied = check(&policy, command("echo x > /workspace/.env"), Deny);
    let expected = "The command would use file:write /workspace/.env. Path /workspace/.env is denied for file:write in profile p";
    assert_eq!(denied.reason, expected);
    check(&policy, command("rm /workspace/a.txt"), Deny);
    check(&policy, command("cat /workspace/a.draft"), Deny);
    check(&policy, command("curl https://docs.rs"), Ask);
    // What is allowed is allowed to commands too, and nothing else is.
    check(&policy, command("echo x > /workspace/b.txt"), Deny);
    check(&policy, command("cat /workspace/a.txt"), Allow);
    // What nobody can know is asked about.
    check(&policy, command("mytool build"), Ask);
    let reads =
        engine("profiles: {p: {allow: ['*'], restrictions: {file:read: {allowed_paths: ['./**']}}}}", "p");
    check(&reads, command("cat a.txt"), Allow);
    check(&reads, command("cat $X"), Ask);
    check(&reads, command("cat /srv/x"), Deny);
    let left = engine(&text.replace("allowed_paths:", "commands: analysed, allowed_paths:"), "p");
    check(&left, command("echo x > /workspace/b.txt"), Allow);
    check(&left, command("mytool build"), Allow);
    check(&left, command("echo x > /workspace/.env"), Deny);
}
