//! Hosts that hand out the machine's credentials, wherever a program is told to reach one: as an address, as a
//! bare name, inside `TCP:host:port` or `name:80:host:80`.

use super::args::Arg;
use super::ruleset::Family;
use super::scene::Scene;
use super::trial::Trial;
use super::urls::names_metadata;

/// More words than this are no list of hosts.
const MANY: usize = 64;
/// Options that say which hosts are not reached.
const SPARED: &[&str] =
    &["--noproxy", "--no-proxy", "--exclude", "--ignore", "--bypass", "--deny", "--block"];

/// Asks if a program that reaches hosts is given such a one.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let reaches = match trial.rules.family(name) {
        Some(
            Family::Curl
            | Family::Wget
            | Family::Fetch
            | Family::Netcat
            | Family::Socat
            | Family::Tls
            | Family::Ssh
            | Family::RemoteCopy
            | Family::Rsync,
        ) => true,
        // Of others only a whole address says that it is reached.
        Some(Family::Builder) => args.iter().take(MANY).any(|arg| arg.text.contains("://")),
        Some(Family::Git) => args.iter().take(4).any(|arg| {
            matches!(arg.text.as_str(), "clone" | "fetch" | "pull" | "ls-remote" | "remote" | "submodule")
        }),
        Some(_) => false,
        None => trial.rules.program(name).is_none() && trial.rules.language(name).is_none(),
    };
    if !reaches {
        return;
    }
    let mut spared = false;
    for arg in args.iter().take(MANY) {
        let (option, value) = match arg.text.split_once('=').filter(|_| arg.text.starts_with('-')) {
            Some((option, value)) => (option, value),
            None if arg.text.starts_with('-') => (arg.text.as_str(), glued(&arg.text)),
            None => ("", arg.text.as_str()),
        };
        let spares = SPARED.contains(&option);
        if !spared && !spares && names_metadata(value) {
            return scene.ask(
                trial,
                "metadata",
                "credential_access",
                "this address hands out the machine's credentials",
            );
        }
        spared = spares;
    }
}

/// `-xhttp://host`: what is glued to a short option.
fn glued(option: &str) -> &str {
    option.get(2..).filter(|_| !option.starts_with("--")).unwrap_or("")
}
