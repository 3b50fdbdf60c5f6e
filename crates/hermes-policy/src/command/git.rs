//! Git beyond its table: settings that run programs, addresses that do, work that it hands on.

use super::args::{Arg, base_name, join};
use super::call::judge_words;
use super::launching::is_helper;
use super::model::Class;
use super::options::{Parsed, Shape, parse};
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;
use super::{access, urls};

/// Options in front of the subcommand that take a value.
const GLOBAL: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"];

/// Settings whose value git runs, by the beginning and the end of their name.
const RUN_KEYS: &[(&str, &str)] = &[
    ("core.pager", ""),
    ("core.editor", ""),
    ("core.sshcommand", ""),
    ("core.fsmonitor", ""),
    ("core.gitproxy", ""),
    ("core.askpass", ""),
    ("core.alternaterefscommand", ""),
    ("core.hookspath", ""),
    ("pager.", ""),
    ("diff.", ".command"),
    ("diff.", ".textconv"),
    ("diff.external", ""),
    ("difftool.", ".cmd"),
    ("difftool.", ".path"),
    ("mergetool.", ".cmd"),
    ("mergetool.", ".path"),
    ("merge.", ".driver"),
    ("filter.", ".clean"),
    ("filter.", ".smudge"),
    ("filter.", ".process"),
    ("credential.", "helper"),
    ("gpg.", "program"),
    ("sequence.editor", ""),
    ("init.templatedir", ""),
    ("browser.", ".cmd"),
    ("man.", ".cmd"),
    ("sendemail.", "cmd"),
    ("sendemail.smtpserver", ""),
    ("uploadpack.packobjectshook", ""),
    ("remote.", ".uploadpack"),
    ("remote.", ".receivepack"),
    ("remote.", ".vcs"),
    ("trailer.", ".cmd"),
    ("trailer.", ".command"),
    ("interactive.difffilter", ""),
    ("submodule.", ".update"),
    ("include.path", ""),
    ("includeif.", ".path"),
    ("protocol.ext.allow", ""),
    ("ssh.variant", ""),
    ("url.", ".insteadof"),
    ("url.", ".pushinsteadof"),
    ("web.browser", ""),
    ("help.browser", ""),
    ("guitool.", ".cmd"),
    ("tar.", ".command"),
    ("imap.tunnel", ""),
    ("instaweb.httpd", ""),
    ("instaweb.browser", ""),
    ("hook.", ".command"),
];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let global = parse(args, Shape { values: GLOBAL, stops: true, ..Shape::default() });
    for setting in global.values(&["-c", "--config-env"]) {
        let (key, value) = setting.text.split_once('=').unwrap_or((&setting.text, ""));
        let value = setting.after('=').unwrap_or_else(|| Arg::certain(value));
        set(trial, scene, key, &value);
    }
    if global.value(&["--exec-path"]).is_some() {
        scene.ask(
            trial,
            "git-exec-path",
            "arg_injection",
            "git would take its own programs from another folder",
        );
    }
    let rest = args.get(global.first..).unwrap_or_default();
    let Some((sub, rest)) = rest.split_first() else { return };
    let parsed = parse(
        rest,
        Shape { values: &["-c", "--config", "-m", "-x", "--exec", "-C", "-O", "-o"], ..Shape::default() },
    );
    match sub.text.as_str() {
        "config" => config(trial, scene, rest),
        "clone" | "fetch" | "pull" | "ls-remote" | "push" | "remote" | "submodule" | "archive"
        | "fetch-pack" => {
            addresses(trial, scene, &sub.text, &parsed);
        }
        "rebase" => {
            for text in parsed.values(&["-x", "--exec"]) {
                chore(trial, scene, text);
            }
        }
        "difftool" | "mergetool" => {
            if let Some(text) = parsed.value(&["-x", "--extcmd"]).filter(|text| !is_helper(trial, text)) {
                scene.ask(
                    trial,
                    "git-extcmd",
                    "arg_injection",
                    format!("it makes git start `{}`", text.shown()),
                );
            }
        }
        "grep" => {
            let pager = rest
                .iter()
                .any(|arg| arg.text.starts_with("-O") || arg.text.starts_with("--open-files-in-pager"));
            if pager {
                scene.ask(
                    trial,
                    "git-pager",
                    "arg_injection",
                    "it makes git start a program with the files it found",
                );
            }
        }
        _ => {}
    }
    hand_on(trial, scene, &sub.text, rest);
}

/// `bisect run`, `submodule foreach`: the rest is a command.
fn hand_on(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, rest: &[Arg]) {
    let words: Vec<&Arg> = rest.iter().filter(|arg| !arg.text.starts_with("--")).collect();
    let verb = words.first().map(|arg| arg.text.as_str()).unwrap_or_default();
    let start = rest.iter().position(|arg| arg.text == verb).map_or(rest.len(), |place| place + 1);
    let inner = rest.get(start..).unwrap_or_default();
    let inner = match inner.first() {
        Some(first) if first.text == "--recursive" || first.text == "--quiet" => {
            inner.get(1..).unwrap_or_default()
        }
        _ => inner,
    };
    match (sub, verb) {
        ("submodule", "foreach") if inner.len() == 1 => {
            inner.iter().for_each(|text| chore(trial, scene, text))
        }
        ("submodule", "foreach") | ("bisect", "run") => {
            if inner.first().is_some_and(|program| {
                trial.rules.lists("chores", base_name(&program.text)) || program.text.starts_with("./")
            }) {
                return judge_words(trial, scene, inner);
            }
            chore(trial, scene, &join(inner));
        }
        ("filter-branch", _) => {}
        _ => {}
    }
}

/// A build or a test at every step is everyday; anything else is a launcher.
fn chore(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &Arg) {
    let mark = trial.mark();
    run_text(trial, scene, text, &[], scene.frame.clone());
    let class = trial.since(mark);
    let program = text.text.split_whitespace().next().unwrap_or("");
    let everyday = trial.rules.lists("chores", base_name(program)) || program.starts_with("./");
    if class < Class::Ask && !everyday {
        scene.ask(trial, "git-exec", "arg_injection", format!("it makes git start `{}`", text.shown()));
    }
}

fn config(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(
        args,
        Shape {
            values: &["-f", "--file", "--blob", "--type", "--default", "--value", "--comment", "--url"],
            ..Shape::default()
        },
    );
    let mut operands = parsed.operands.as_slice();
    // The new style: `git config set key value`.
    let verb = operands.first().map(|arg| arg.text.as_str()).unwrap_or_default();
    let looks = parsed.has_exactly(&[
        "--get",
        "--get-all",
        "--get-regexp",
        "--list",
        "-l",
        "--get-urlmatch",
        "--get-color",
        "--get-colorbool",
    ]) || matches!(verb, "get" | "list");
    if looks {
        return;
    }
    if matches!(verb, "set" | "unset" | "edit" | "rename-section" | "remove-section") {
        operands = operands.get(1..).unwrap_or_default();
    }
    if let Some(file) = parsed.value(&["-f", "--file"]).filter(|_| operands.len() > 1) {
        access::write(trial, scene, file);
    }
    if let [key, value, ..] = operands {
        trial.changes();
        if parsed.has(&["--system"]) {
            scene.ask(
                trial,
                "git-config-system",
                "system_config",
                "it changes git for everybody on this machine",
            );
        }
        set(trial, scene, &key.text, value);
    } else if parsed.has(&["--unset", "--unset-all", "--edit", "-e"]) {
        trial.changes();
    }
}

/// A setting, for one call or for good.
fn set(trial: &mut Trial<'_>, scene: &Scene<'_>, key: &str, value: &Arg) {
    let lower = key.to_ascii_lowercase();
    if lower.starts_with("alias.") {
        let text = value.text.trim_start();
        if let Some(text) = text.strip_prefix('!') {
            scene.ask(
                trial,
                "git-alias",
                "arg_injection",
                format!("`git {}` would run `{text}`", lower.trim_start_matches("alias.")),
            );
            let mark = trial.mark();
            run_text(trial, scene, &Arg::certain(text), &[], scene.frame.clone());
            if trial.since(mark) < Class::Deny {
                trial.forget(mark);
                trial.raise(Class::Ask);
            }
        }
        return;
    }
    let runs = RUN_KEYS.iter().any(|(front, back)| {
        let exact = back.is_empty() && !front.ends_with('.');
        if exact { lower == *front } else { lower.starts_with(front) && lower.ends_with(back) }
    });
    let off = matches!(
        value.text.as_str(),
        "true" | "false" | "/dev/null" | "never" | "always" | "0" | "1" | "user"
    );
    let strict = ["core.hookspath", "include", "url.", "init.templatedir", "core.fsmonitor", "protocol."]
        .iter()
        .any(|front| lower.starts_with(front));
    let own_hooks = lower == "core.hookspath"
        && matches!(value.text.as_str(), ".husky" | ".githooks" | ".husky/_" | "/dev/null");
    if !runs || (off && lower != "protocol.ext.allow") || own_hooks || (!strict && is_helper(trial, value)) {
        return;
    }
    let reason = format!("the setting {key} makes git use `{}`", value.shown());
    scene.ask(trial, "git-config-exec", "arg_injection", reason);
    if value.is_certain() {
        let mark = trial.mark();
        run_text(trial, scene, value, &[], scene.frame.clone());
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
            trial.raise(Class::Ask);
        }
    }
}

fn addresses(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, parsed: &Parsed) {
    for setting in parsed.values(&["-c", "--config"]).filter(|_| sub == "clone") {
        let key = setting.text.split('=').next().unwrap_or("").to_owned();
        set(trial, scene, &key, &setting.after('=').unwrap_or_default());
    }
    for address in &parsed.operands {
        let text = address.text.as_str();
        if text.starts_with("ext::") || text.starts_with("fd::") || text.contains("::ext::") {
            scene.ask(trial, "git-ext", "arg_injection", "this address makes git run a program");
        }
        if text.starts_with('-') {
            scene.ask(trial, "git-ext", "arg_injection", "this address is an option");
        }
    }
    if sub != "push" && (parsed.value(&["--exec"]).is_some() || parsed.value(&["-x"]).is_some()) {
        scene.ask(trial, "git-exec", "arg_injection", "it makes git start another program");
    }
    let first = parsed.operands.first();
    let foreign = first.is_some_and(|remote| {
        urls::is_url(&remote.text) || (remote.text.contains('@') && remote.text.contains(':'))
    });
    if sub == "push" && foreign {
        scene.ask(
            trial,
            "git-push-address",
            "exfiltration",
            "it sends the repository to an address instead of a known remote",
        );
    }
    if sub == "clone"
        && let Some(folder) = parsed.operands.get(1)
    {
        access::write(trial, scene, folder);
    }
}
