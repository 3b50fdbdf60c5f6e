//! What a model fills in is data: it chooses no program, and no shell or interpreter reads it as code.

use super::support::problems;

fn said(keys: &str) -> String {
    let text = format!(
        "tools: [{{name: t, description: d, type: command, parameters: [{{name: x, required: true}}], {keys}}}]"
    );
    problems(&text).join("\n")
}

#[test]
fn no_place_for_an_argument_is_code() {
    for command in [
        // Shells, by any name and spelling, behind any launcher.
        "[sh, -c, '{x}']",
        "[/bin/bash, -ec, 'echo {x}']",
        "[bash, -ce, '{x}']",
        "[bash, --norc, -c, '{x}']",
        "[zsh, '-c{x}']",
        "[sh, [-c, '{x}']]",
        "[sh, -c, 'echo \"$1\"', _, '{x}']",
        "[cmd.exe, /C, '{x}']",
        "[pwsh, -Command, '{x}']",
        "[timeout, '5', sh, -c, '{x}']",
        "[timeout, -s, KILL, '5', sh, -c, '{x}']",
        "[env, sh, -c, '{x}']",
        "[env, A=1, -u, B, sh, -c, '{x}']",
        "[env, -S, 'sh -c {x}']",
        "[env, '--split-string={x}']",
        "[nice, -n, '5', nohup, setsid, stdbuf, -oL, sh, -c, '{x}']",
        "[sudo, -u, somebody, sh, -c, '{x}']",
        "[busybox, sh, -c, '{x}']",
        "[xargs, -n, '1', sh, -c, '{x}']",
        "[find, ., -exec, sh, -c, '{x}', ;]",
        "[docker, exec, box, bash, -lc, '{x}']",
        "[flock, file, -c, '{x}']",
        "[su, somebody, -c, '{x}']",
        "[ssh, host, 'ls {x}']",
        "[ssh, -p, '22', '{x}', ls, '{x}']",
        "[ssh, -o, 'ProxyCommand={x}', host]",
        "[watch, -n, '1', 'ls {x}']",
        // Interpreters.
        "[python3, -c, '{x}']",
        "[/usr/bin/python3.12, -Ic, 'print({x})']",
        "[timeout, '5', python3, -c, '{x}']",
        "[perl, -lane, '{x}']",
        "[perl, '-e{x}']",
        "[ruby, -e, 'puts {x}']",
        "[node, -e, '{x}']",
        "[node, '--eval={x}']",
        "[node, -pe, '{x}']",
        "[deno, eval, '{x}']",
        "[php, -r, '{x}']",
        "[lua5.4, -e, '{x}']",
        "[Rscript, -e, '{x}']",
        "[awk, '{x}', file]",
        "[awk, -F, ',', '{x}']",
        "[sed, 's/a/{x}/', file]",
        "[sed, -i, -e, 's/a/{x}/', file]",
        "[vim, '+{x}', file]",
        "[osascript, -e, '{x}']",
        // The program itself.
        "[env, '{x}']",
        "[timeout, '5', '{x}']",
        "[nohup, nice, '{x}', file]",
        "[busybox, '{x}']",
        "[uv, run, '{x}']",
        "[sh, '{x}']",
        "[python3, '{x}']",
        "[python3, -m, '{x}']",
        "[env, 'LD_PRELOAD={x}', ls]",
        "[env, 'GIT_SSH_COMMAND={x}', git, fetch]",
    ] {
        let found = said(&format!("command: {command}"));
        let refused = ["would run what a model fills in", "the program is fixed", "decides what is run"];
        assert!(refused.iter().any(|text| found.contains(text)), "{command}\n{found}");
        assert!(found.contains("tools.yaml:1:"), "{found}");
    }
    for (command, more) in [
        ("[sh]", ""),
        ("[bash, -s]", ""),
        ("[python3, '-']", ""),
        ("[timeout, '5', python3]", ""),
        ("[env, node]", ""),
        ("[xargs, sh, -c]", ""),
    ] {
        let found = said(&format!("command: {command}, stdin: '{{x}}'{more}"));
        assert!(found.contains("its code is what it reads"), "{command}\n{found}");
    }
    assert!(said("command: [git, log], env: {GIT_PAGER: '{x}'}").contains("decides what is run"));
}

#[test]
fn arguments_of_fixed_code_and_of_programs_are_fine() {
    for command in [
        "[python3, -c, 'import sys; print(sys.argv[1])', '{x}']",
        "[timeout, '5', python3, script.py, '{x}']",
        "[timeout, '{x}', sleep, '1']",
        "[env, 'A={x}', program]",
        "[bash, script.sh, '{x}']",
        "[bash, --norc, script.sh, '{x}']",
        "[node, app.js, --eval, '{x}']",
        "[python3, -m, json.tool, '{x}']",
        "[perl, -ne, 'print', '{x}']",
        "[awk, -v, 'n={x}', '{{print n}}', file]",
        "[sed, -n, 5p, '{x}']",
        "[grep, -c, '{x}', file]",
        "[which, python3, '{x}']",
        "[ssh, '{x}', uptime]",
        "[git, log, -n, '5', '{x}']",
        "[poetry, add, '{x}']",
        "[xargs, -I, F, cp, F, '{x}']",
        "[curl, -e, '{x}', 'https://a.example/']",
        "[vim, '{x}']",
    ] {
        assert_eq!(said(&format!("command: {command}")), "", "{command}");
    }
    assert_eq!(said("command: [python3, script.py], stdin: '{x}'"), "");
    assert_eq!(said("command: [python3, -c, 'import sys; sys.stdin.read()'], stdin: '{x}'"), "");
    assert_eq!(said("command: [wc, -w], stdin: '{x}', env: {PAGER: cat}"), "");
}
