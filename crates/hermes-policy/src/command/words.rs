//! What a program is told to do, by its words alone: loss, secrets, uploads, releases.

use super::args::Arg;
use super::model::EffectKind;
use super::options::Parsed;
use super::scene::Scene;
use super::trial::Trial;
use super::{sql, table, urls};

/// Verbs of loss that mean it even as a part of a longer word.
const STRONG: &[&str] = &[
    "delete",
    "destroy",
    "purge",
    "wipe",
    "erase",
    "drop",
    "terminate",
    "nuke",
    "obliterate",
    "flush",
    "revoke",
    "deprovision",
    "unpublish",
    "remove",
    "uninstall",
    "deregister",
    "unregister",
];

/// Words of loss among the first operands, options of loss anywhere.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, parsed: &Parsed) {
    let rehearsal = table::is_rehearsal(trial, parsed)
        || parsed.has_exactly(&["--check", "--plan", "--help", "--preview"]);
    if rehearsal {
        return;
    }
    if let Some(verb) = verb_of_name(name) {
        let reason = format!("by its name `{name}` is made to {verb} something");
        return scene.ask(trial, "name-of-loss", "destructive_verb", reason);
    }
    secrets(trial, scene, name, parsed);
    told(trial, scene, name, parsed);
    let word = parsed.operands.iter().take(3).find(|arg| !arg.has_hole() && is_loss(trial, &arg.text));
    if let Some(word) = word {
        let reason = format!("`{name} {}` sounds like something that cannot be undone", word.text);
        return scene.ask(trial, "words-of-loss", "destructive_verb", reason);
    }
    if let Some(flag) = parsed.flags.iter().find(|flag| is_loss_option(trial, &flag.name)) {
        let reason = format!("`{name} {}` sounds like something that cannot be undone", flag.name);
        return scene.ask(trial, "options-of-loss", "destructive_verb", reason);
    }
    uploads(trial, scene, name, parsed);
    let far =
        parsed.operands.iter().take(2).enumerate().find(|(place, arg)| {
            trial.rules.lists("release", &arg.text) || (*place == 1 && arg.text == "push")
        });
    if let Some((_, word)) = far {
        let reason = format!("`{name} {}` changes something that others use", word.text);
        scene.ask(trial, "words-of-release", "cloud_destructive", reason);
    }
}

/// The gravest words only, for programs that are known to be harmless otherwise.
pub(crate) fn strong(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, parsed: &Parsed) {
    const GRAVEST: &[&str] =
        &["delete", "destroy", "purge", "wipe", "erase", "nuke", "terminate", "obliterate", "teardown"];
    // Behind these stands a name, or what can be fetched again.
    let named =
        matches!(parsed.word(0), Some("add" | "install" | "i" | "get" | "cache" | "remove" | "test" | "run"));
    let places = if named { 1 } else { 2 };
    if let Some(word) = parsed.operands.iter().take(places).find(|arg| GRAVEST.contains(&arg.text.as_str())) {
        let reason = format!("`{name} {}` sounds like something that cannot be undone", word.text);
        scene.ask(trial, "words-of-loss", "destructive_verb", reason);
    }
}

/// `stack upload .`, `deno publish`: a tool for building that hands the result to others.
pub(crate) fn releases(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    const FAR: &[&str] =
        &["publish", "upload", "v2-upload", "deploy", "gh-deploy", "unpublish", "yank", "submit", "nuke"];
    let rehearsal = || args.iter().any(|arg| trial.rules.lists("rehearsals", &arg.text));
    let first = args.iter().find(|arg| !arg.text.starts_with('-'));
    if let Some(word) = first.filter(|word| FAR.contains(&word.text.as_str()) && !rehearsal()) {
        let reason = format!("`{name} {}` changes something that others use", word.text);
        scene.ask(trial, "words-of-release", "cloud_destructive", reason);
    }
}

/// `--delete-all`, `--wipe-data`: an option that says it loses something.
pub(crate) fn is_loss_option(trial: &Trial<'_>, name: &str) -> bool {
    const FRONTS: &[&str] = &["--delete-", "--destroy-", "--wipe-", "--erase-", "--purge-", "--drop-"];
    trial.rules.lists.loss_options.iter().any(|option| option == name)
        || FRONTS.iter().any(|front| name.starts_with(front))
}

/// `kafka-delete-records.sh`, `cpan-upload`, `ldapdelete`: a program that is named for what it does.
fn verb_of_name(name: &str) -> Option<&'static str> {
    const PARTS: &[&str] = &[
        "delete",
        "destroy",
        "purge",
        "wipe",
        "erase",
        "drop",
        "remove",
        "rm",
        "del",
        "kill",
        "cancel",
        "nuke",
        "uninstall",
        "upload",
        "restore",
        "format",
        "deprovision",
        "unregister",
        "deregister",
        "obliterate",
    ];
    const ENDS: &[&str] = &["delete", "destroy", "erase", "wipe", "purge", "cancel", "uninstall"];
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut parts = stem.split(['-', '_']);
    let several = parts.clone().count() > 1;
    let part = parts.find_map(|part| PARTS.iter().find(|verb| several && **verb == part));
    part.or_else(|| ENDS.iter().find(|verb| stem.len() > verb.len() && stem.ends_with(**verb))).copied()
}

/// `wallet dumpprivkey`, `tool auth token`: what comes out is a secret.
pub(crate) fn secrets(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, parsed: &Parsed) {
    let named = parsed.operands.iter().take(4).find(|arg| trial.rules.lists("secrets", &arg.text));
    let token = parsed.operands.windows(2).take(2).find_map(|two| match two {
        [first, second] if matches!(first.text.as_str(), "auth" | "login" | "session" | "account") => {
            Some(second).filter(|word| matches!(word.text.as_str(), "token" | "tokens" | "key" | "password"))
        }
        _ => None,
    });
    let keeper = ["pass", "secret", "keyring", "keychain", "wallet"].iter().any(|part| name.contains(part));
    let shows = matches!(
        parsed.word(0),
        Some("show" | "get" | "view" | "read" | "copy" | "clip" | "export" | "dump")
    );
    let helper = (name.contains("credential-") && parsed.word(0) == Some("get")) || (keeper && shows);
    let shown = named.or(token).map(Arg::shown).or_else(|| helper.then(|| "get".to_owned()));
    if let Some(shown) = shown {
        let reason = format!("`{name} … {shown}` shows a secret");
        scene.ask(trial, "words-of-secret", "credential_access", reason);
    }
}

/// `dolt sql -q 'drop table t'`, `echo "drop 't'" | hbase shell`: a store that is told what to do in its own words.
fn told(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, parsed: &Parsed) {
    let asks =
        matches!(parsed.word(0), Some("sql" | "query" | "shell" | "exec" | "execute" | "console" | "db"));
    let says = |flag: &&super::options::Flag| {
        matches!(flag.name.as_str(), "-q" | "--query" | "--sql" | "--statement" | "--execute-string")
            || flag.name.ends_with("execute-string")
    };
    let values = parsed.flags.iter().filter(says).filter_map(|flag| flag.value.clone());
    let operands = parsed.operands.iter().filter(|arg| asks && arg.text.contains(' ')).cloned();
    for statement in values.chain(operands).collect::<Vec<_>>() {
        sql::statement(trial, scene, &statement);
    }
    let input = scene.input().filter(|_| asks || name.ends_with("sh")).unwrap_or_default();
    let loses = input.split(['\n', ';']).take(64).any(|line| {
        let first = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        matches!(
            first.as_str(),
            "drop" | "delete" | "deleteall" | "truncate" | "destroy" | "purge" | "wipe" | "flush"
        )
    });
    if loses {
        let reason = format!("{name} is told to delete something");
        scene.ask(trial, "words-of-loss", "destructive_verb", reason);
    }
}

/// Words that take something from one place to another.
const CARRIES: &[&str] = &["cp", "copy", "put", "sync", "mv", "push", "import", "send", "mirror"];

/// `upload`, `cp file bucket://x`, `push https://…`: local data that goes somewhere.
fn uploads(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, parsed: &Parsed) {
    let mut first = parsed.operands.iter().take(3);
    let carries = first.clone().any(|arg| CARRIES.contains(&arg.text.as_str()));
    let far = |last: &&Arg| carries && last.text.contains("://") && !urls::is_loopback(&last.text);
    let sent = parsed.operands.last().filter(far);
    let word = first.find(|arg| trial.rules.lists("upload", &arg.text)).or(sent).map(Arg::shown);
    let option = parsed.flags.iter().find(|flag| flag.name.starts_with("--upload"));
    if let Some(shown) = word.or_else(|| option.map(|flag| flag.name.clone())) {
        trial.effect(EffectKind::Network, sent.map_or_else(|| format!("services of {name}"), Arg::shown));
        let reason = format!("`{name} … {shown}` sends local data to somewhere else");
        scene.ask(trial, "words-of-upload", "exfiltration", reason);
    }
}

/// `delete`, `delete-stack`, `db:drop`, `stack.delete`, `RemoveAll`.
fn is_loss(trial: &Trial<'_>, word: &str) -> bool {
    if word.contains(['/', ' ', '=']) || word.len() > 40 {
        return false;
    }
    let part = word.rsplit([':', '.']).next().unwrap_or(word);
    // `notes.rm` is a file; `vm.destroy` is not.
    let dotted = word.contains('.') && !word.contains(':');
    if dotted && !STRONG.contains(&part) {
        return false;
    }
    if trial.rules.lists("loss", &part.to_ascii_lowercase()) {
        return true;
    }
    let first = part.split(['-', '_']).next().unwrap_or("");
    // `dropDatabase` and `DeleteVolume` are `drop-database` and `delete-volume`.
    let hump = first.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase()).map(|(place, _)| place);
    let first = hump.and_then(|place| first.get(..place)).unwrap_or(first);
    part.len() > first.len() && STRONG.contains(&first.to_ascii_lowercase().as_str())
}
