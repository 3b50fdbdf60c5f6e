//! Other repositories: addresses that run programs, and what is sent to them.

use crate::command::access;
use crate::command::args::Arg;
use crate::command::model::EffectKind;
use crate::command::options::Parsed;
use crate::command::scene::Scene;
use crate::command::trial::Trial;
use crate::command::urls;

use super::settings::set;

pub(super) fn addresses(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, parsed: &Parsed) {
    for setting in parsed.values(&["-c", "--config"]).filter(|_| sub == "clone") {
        let key = setting.text.split('=').next().unwrap_or("").to_owned();
        set(trial, scene, &key, &setting.after('=').unwrap_or_default());
    }
    for address in parsed.operands.iter().chain(parsed.values(&["--remote", "--repo"])) {
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
    if let Some(program) = parsed.value(&["-u"]).filter(|_| sub == "clone") {
        scene.ask(trial, "git-program", "arg_injection", format!("it makes git start `{}`", program.shown()));
    }
    match sub {
        "clone" => cloned(trial, scene, parsed),
        "remote" => renamed(trial, parsed),
        "push" => to_new_remote(trial, scene, parsed),
        _ => {}
    }
    if matches!(sub, "clone" | "fetch" | "pull" | "push" | "ls-remote" | "fetch-pack")
        || (sub == "submodule" && parsed.word(0) != Some("status"))
        || (sub == "remote" && matches!(parsed.word(0), Some("update" | "show" | "prune")))
        || (sub == "archive" && parsed.value(&["--remote"]).is_some())
    {
        let named = if matches!(sub, "submodule" | "remote" | "archive") { None } else { first };
        let target = named.map_or_else(
            || "origin".to_owned(),
            |remote| urls::host(&remote.shown()).unwrap_or_else(|| remote.shown()),
        );
        trial.effect(EffectKind::Network, target);
    }
}

/// Where a clone lands; what came from elsewhere is remembered.
fn cloned(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) {
    let Some(address) = parsed.operands.first() else { return };
    let text = address.text.trim_end_matches('/');
    let name = text.rsplit(['/', ':']).next().unwrap_or("").trim_end_matches(".git");
    let folder = parsed.operands.get(1).cloned().unwrap_or_else(|| Arg::certain(name));
    access::write(trial, scene, &folder);
    let far = urls::is_url(text) || text.contains('@') || address.has_hole();
    if let Some(path) = scene.locate(trial, &folder).path.filter(|_| far && trial.cloned.len() < 64) {
        trial.cloned.push(path);
    }
}

/// `git remote add x url`, `git remote set-url x url`.
fn renamed(trial: &mut Trial<'_>, parsed: &Parsed) {
    if let ([verb, name, url, ..], true) = (parsed.operands.as_slice(), trial.remotes.len() < 64)
        && matches!(verb.text.as_str(), "add" | "set-url")
        && (urls::is_url(&url.text) || url.text.contains(':'))
    {
        trial.remotes.insert(name.text.clone());
    }
}

/// What a script sends to an address that it set itself goes to that address, whatever its name.
fn to_new_remote(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) {
    let remote = parsed.word(0).unwrap_or("origin");
    if trial.remotes.contains(remote) {
        let reason = format!("it sends the repository to `{remote}`, whose address was set just before");
        scene.ask(trial, "git-push-address", "exfiltration", reason);
    }
}
