//! Settings of git: those whose value it runs are more than settings.

use crate::command::access;
use crate::command::args::Arg;
use crate::command::launching::is_helper;
use crate::command::model::Class;
use crate::command::options::{Shape, parse};
use crate::command::scene::Scene;
use crate::command::shells::run_text;
use crate::command::trial::Trial;

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
    ("core.attributesfile", ""),
    ("http.", "proxy"),
    ("https.", "proxy"),
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

pub(super) fn config(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
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
        let unchecked = key.text.to_ascii_lowercase().ends_with("sslverify")
            && matches!(value.text.as_str(), "false" | "0" | "no" | "off");
        if unchecked {
            scene.ask(
                trial,
                "git-config-trust",
                "system_config",
                "git would no longer check whom it talks to",
            );
        }
        set(trial, scene, &key.text, value);
    } else if parsed.has(&["--unset", "--unset-all", "--edit", "-e"]) {
        trial.changes();
    }
}

/// A setting, for one call or for good.
pub(super) fn set(trial: &mut Trial<'_>, scene: &Scene<'_>, key: &str, value: &Arg) {
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
