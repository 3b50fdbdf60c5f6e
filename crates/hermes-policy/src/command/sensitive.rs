//! Files that are more than data, as the table of paths knows them: keys, start-up files, hooks, schedules, the
//! runtime's own state. Where the table says "closed to tools" a command asks; only destruction is refused.

use std::path::Path;

use super::args::{Arg, HOLE};
use super::place::{Kind, Place};
use super::trial::Trial;
use crate::paths::{PathOp, classify};
use crate::shell::{LONGEST_PATH, glob_matches};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sensitive {
    /// Lets whoever reads it act as somebody.
    Credential,
    /// Read by a shell, a desktop or a tool when it starts: whoever writes it runs code later.
    StartUp,
    /// Run by git.
    Hook,
    /// Run by the clock or by the service manager.
    Schedule,
    /// Says who may do what: accounts, sudo rules, preloaded libraries.
    Authority,
    /// Hermes's own configuration, records and tools.
    Runtime,
    /// What somebody typed.
    History,
    /// The memory or environment of a process.
    ProcessSecrets,
    /// A service listens here that does what it is told.
    Socket,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    Read,
    Write,
}

/// How many answers of the table are kept for one command line.
const REMEMBERED: usize = 1024;

/// Start-up files that a shell would also find in the folder that a command happens to run in.
const STARTUP_NAMES: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".inputrc",
    ".xinitrc",
    ".xprofile",
    ".gitconfig",
    ".envrc",
    ".vimrc",
    ".exrc",
];

/// What a pattern is tried against: one of each kind, relative to a home unless it begins with a slash.
const SAMPLES: &[&str] = &[
    ".ssh/id_rsa",
    ".ssh/id_ed25519",
    ".ssh/authorized_keys",
    ".aws/credentials",
    ".gnupg/secring.gpg",
    ".kube/config",
    ".netrc",
    ".bashrc",
    ".profile",
    ".zshrc",
    ".bash_history",
    ".git-credentials",
    ".docker/config.json",
    ".npmrc",
    "/etc/shadow",
    "/etc/passwd",
    "/etc/sudoers",
    "/etc/crontab",
    "/proc/1/environ",
    "/etc/cron.d/x",
];

/// What an argument points at, with patterns and unknown parts tried out.
pub(crate) fn sensitive_arg(arg: &Arg, place: &Place, trial: &Trial<'_>, to: Use) -> Option<Sensitive> {
    // No system opens a path as long as this.
    if arg.text.len() > LONGEST_PATH {
        return None;
    }
    let home = trial.stage.home.trim_end_matches('/');
    let Some(path) = &place.path else {
        // `$x/.bashrc`: the name tells enough.
        let tail = arg.text.rsplit(HOLE).next().filter(|tail| tail.starts_with('/'))?;
        return sensitive(&format!("{home}{tail}"), place, trial, to);
    };
    let open = arg.pattern || arg.has_hole();
    if let Some(found) = sensitive(path, place, trial, to) {
        return Some(found);
    }
    if !open {
        return None;
    }
    let known = SAMPLES.iter().map(|sample| match sample.starts_with('/') {
        true => (*sample).to_owned(),
        false => format!("{home}/{sample}"),
    });
    let mut matched = known.filter(|sample| path_matches(path, sample));
    matched.next().and_then(|sample| sensitive(&sample, place, trial, to))
}

/// What an argument points at, whoever uses it.
pub(crate) fn sensitive_at_all(arg: &Arg, place: &Place, trial: &Trial<'_>) -> Option<Sensitive> {
    sensitive_arg(arg, place, trial, Use::Read).or_else(|| sensitive_arg(arg, place, trial, Use::Write))
}

/// A pattern against a path, name by name. `folder/*` is the business of whoever knows the folder.
fn path_matches(pattern: &str, path: &str) -> bool {
    if pattern.ends_with("/*") {
        return false;
    }
    let mut names = path.split('/');
    let same = |part: &str, name: &str| match part.contains(['*', '?', '[']) {
        true => glob_matches(part, name),
        false => part == name,
    };
    pattern.split('/').all(|part| names.next().is_some_and(|name| same(part, name))) && names.next().is_none()
}

/// The same path is asked about again and again.
fn sensitive(path: &str, place: &Place, trial: &Trial<'_>, to: Use) -> Option<Sensitive> {
    if let Some(found) = trial.known_places.borrow().get(&to).and_then(|known| known.get(path)) {
        return *found;
    }
    let found = by_table(path, place, trial, to);
    let mut known = trial.known_places.borrow_mut();
    let known = known.entry(to).or_default();
    if known.len() < REMEMBERED {
        known.insert(path.to_owned(), found);
    }
    found
}

fn by_table(path: &str, place: &Place, trial: &Trial<'_>, to: Use) -> Option<Sensitive> {
    let op = if to == Use::Read { PathOp::Read } else { PathOp::Write };
    let inside = matches!(place.kind, Kind::Workspace | Kind::Temp);
    let verdict = classify(Path::new(path), op, &trial.places);
    if place.kind == Kind::Workspace && is_sample(path) && verdict.category() != Some("git_internals") {
        return None;
    }
    let found = match verdict.category() {
        Some("hermes_state" | "skill_cache") if to == Use::Read && !is_secret_state(path) => None,
        Some("hermes_state" | "skill_cache" | "project_settings") => Some(Sensitive::Runtime),
        // A key or a secret that is made in the workspace is new; one that is read there is not.
        Some("private_key" | "secrets_folder") if to == Use::Write && inside => None,
        Some("ssh") if to == Use::Write => Some(Sensitive::StartUp),
        Some(
            "ssh" | "private_key" | "cloud" | "cluster" | "tokens" | "password_store" | "browser"
            | "env_file" | "secrets_folder",
        ) => Some(Sensitive::Credential),
        Some("accounts") if to == Use::Read => Some(Sensitive::Credential),
        Some("accounts" | "authority") => Some(Sensitive::Authority),
        Some("history") => Some(Sensitive::History),
        Some("shell_startup" | "home_settings" | "editor_tasks" | "commit_checks")
            if place.kind == Kind::Temp =>
        {
            None
        }
        Some("shell_startup" | "home_settings" | "editor_tasks" | "commit_checks") => {
            Some(Sensitive::StartUp)
        }
        Some("git_internals") if place.kind == Kind::Temp => None,
        Some("git_internals") => Some(Sensitive::Hook),
        Some("scheduled" | "boot") => Some(Sensitive::Schedule),
        Some("process_secrets" | "process_links" | "kernel" | "all_processes") => {
            Some(Sensitive::ProcessSecrets)
        }
        Some("control_socket") => Some(Sensitive::Socket),
        _ => None,
    };
    found.or_else(|| match to {
        Use::Write => beyond_table(path, place, trial),
        Use::Read => is_named_for_secrets(path).then_some(Sensitive::Credential),
    })
}

/// What matters to commands and not to file tools: files that a shell reads where it happens to stand.
fn beyond_table(path: &str, place: &Place, trial: &Trial<'_>) -> Option<Sensitive> {
    let (folder, name) = path.rsplit_once('/')?;
    let top = trial.stage.writable.iter().any(|root| root.trim_end_matches('/') == folder);
    let starts = STARTUP_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
    (starts && (top || place.kind != Kind::Workspace) && place.kind != Kind::Temp)
        .then_some(Sensitive::StartUp)
}

/// `config/secrets.yml`: shown to somebody, its secrets are no longer any.
fn is_named_for_secrets(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    matches!(
        stem,
        "secret" | "secrets" | "credentials" | "service-account" | "service_account" | "client_secret"
    ) && matches!(ending, "yml" | "yaml" | "json" | "toml" | "ini" | "env" | "properties" | "txt" | "csv")
}

/// Folders of a project whose keys and settings are made up for its tests.
const SAMPLE_FOLDERS: &[&str] = &[
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-data",
    "test_data",
    "fixture",
    "examples",
    "example",
    "samples",
];

/// `tests/fixtures/home/.ssh/id_rsa`, `.env.example`: looks like a secret, and is there to look like one.
fn is_sample(path: &str) -> bool {
    let Some((folders, _)) = path.rsplit_once('/') else { return false };
    folders.split('/').any(|folder| SAMPLE_FOLDERS.contains(&folder))
}

/// The part of Hermes's state that holds keys; the rest may be looked at.
fn is_secret_state(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["/.env", "token", "auth", "credential", "secret", ".key", "password"]
        .iter()
        .any(|word| lower.contains(word))
}
