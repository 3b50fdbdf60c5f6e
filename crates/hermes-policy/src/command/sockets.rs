//! Bare connections and name lookups.

use super::args::{Arg, HOLE};
use super::fetching::carries_data;
use super::model::EffectKind;
use super::options::{Shape, parse};
use super::scene::Scene;
use super::trial::Trial;
use super::urls::is_loopback;

pub(crate) fn netcat(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &[
        "-p",
        "--source-port",
        "-s",
        "--source",
        "-w",
        "--wait",
        "-i",
        "--delay",
        "-e",
        "--exec",
        "-c",
        "--sh-exec",
        "--lua-exec",
        "-g",
        "-G",
        "-X",
        "-x",
        "--proxy",
        "-q",
        "-I",
        "-O",
        "-o",
        "-m",
        "-T",
        "--ssl-key",
        "--ssl-cert",
    ];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    for host in parsed.operands.iter().take(1) {
        trial.effect(EffectKind::Network, host.shown());
    }
    let long = args
        .iter()
        .any(|arg| ["--exec", "--sh-exec", "--lua-exec"].iter().any(|option| arg.text.starts_with(option)));
    if parsed.has(&["-e", "--exec", "--sh-exec", "--lua-exec"]) || long || parsed.value(&["-c"]).is_some() {
        return scene.ask(trial, "socket-exec", "reverse_shell", "it connects a program to another machine");
    }
    if parsed.has(&["-z"]) {
        return;
    }
    let near = parsed.operands.first().is_some_and(|host| is_loopback(&host.text));
    if parsed.has(&["-l", "--listen"]) {
        let joined = scene.command.reads_from.is_some() || scene.command.feeds.is_some();
        if joined {
            scene.ask(
                trial,
                "socket-listen",
                "reverse_shell",
                "it gives whoever connects a pipe into this machine",
            );
        }
        return;
    }
    let order = scene.input().unwrap_or("").trim().to_ascii_lowercase();
    if ["flush_all", "flushall", "flushdb", "shutdown"].iter().any(|word| order.starts_with(word)) {
        scene.ask(trial, "socket-order", "sql_destructive", "it tells a server to empty itself or to stop");
    }
    if scene.is_fed() && !near && scene.input().is_none() {
        scene.ask(trial, "socket-send", "exfiltration", "it sends local data to another machine");
    }
}

pub(crate) fn socat(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let addresses: Vec<&Arg> =
        args.iter().filter(|arg| !arg.text.starts_with('-') || arg.text == "-").collect();
    let upper = |arg: &Arg| arg.text.to_ascii_uppercase();
    let runs = addresses
        .iter()
        .any(|arg| ["EXEC", "SYSTEM", "SHELL"].iter().any(|kind| upper(arg).starts_with(kind)));
    if runs {
        let inner = addresses.iter().find_map(|arg| {
            let kind = upper(arg);
            ["EXEC:", "SYSTEM:", "SHELL:"]
                .iter()
                .find(|name| kind.starts_with(**name))
                .and_then(|name| arg.text.get(name.len()..).map(Arg::certain))
        });
        scene.ask(trial, "socket-exec", "reverse_shell", "it connects a program to a socket");
        if let Some(text) = inner {
            let mark = trial.mark();
            super::shells::run_text(trial, scene, &text, &[], scene.frame.clone());
            if trial.since(mark) < super::model::Class::Deny {
                trial.forget(mark);
                trial.raise(super::model::Class::Ask);
            }
        }
        return;
    }
    socat_files(trial, scene, &addresses, args.iter().any(|arg| arg.text == "-u"));
    let network = |arg: &Arg| {
        ["TCP", "UDP", "OPENSSL", "SSL", "SOCKS", "PROXY", "SCTP"]
            .iter()
            .any(|kind| upper(arg).starts_with(kind))
    };
    let near = |arg: &Arg| arg.text.split_once(':').is_some_and(|(_, host)| is_loopback(host));
    let far = addresses.iter().any(|arg| network(arg) && !near(arg));
    let listens = addresses.iter().any(|arg| upper(arg).contains("LISTEN"));
    let local = addresses.iter().any(|arg| {
        ["FILE", "OPEN", "GOPEN", "UNIX", "STDIN", "CREATE", "/"]
            .iter()
            .any(|kind| upper(arg).starts_with(kind))
    });
    if listens || (far && (local || scene.is_fed())) {
        scene.ask(trial, "socket-bridge", "exfiltration", "it opens a way between this machine and another");
    }
}

/// `OPEN:path,creat`: files on either side. With `-u` the first is only read.
fn socat_files(trial: &mut Trial<'_>, scene: &Scene<'_>, addresses: &[&Arg], one_way: bool) {
    for (place, address) in addresses.iter().enumerate() {
        let Some((kind, rest)) = address.text.split_once(':') else { continue };
        if !matches!(kind.to_ascii_uppercase().as_str(), "FILE" | "OPEN" | "GOPEN" | "CREATE" | "CREAT") {
            continue;
        }
        let path = Arg::certain(rest.split(',').next().unwrap_or(rest));
        if one_way && place == 0 {
            super::access::read(trial, scene, &path);
        } else {
            super::access::write(trial, scene, &path);
        }
    }
}

/// `openssl`: a connection with `s_client`, files with the rest.
pub(crate) fn tls(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let after = |names: &[&str]| {
        let pairs = args.iter().zip(args.iter().skip(1));
        pairs
            .filter(|(name, _)| names.contains(&name.text.as_str()))
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
    };
    for file in after(&["-out", "-keyout", "-writerand", "-sigout"]) {
        super::access::write(trial, scene, file);
    }
    for file in after(&["-in", "-inkey", "-key"]) {
        super::access::read(trial, scene, file);
    }
    if args.first().is_some_and(|sub| sub.text == "s_client") && scene.is_fed() && scene.input().is_none() {
        let near = after(&["-connect", "-host"]).iter().any(|host| is_loopback(&host.text));
        let empty = scene
            .command
            .redirects
            .iter()
            .any(|redirect| redirect.target.literal().as_deref() == Some("/dev/null"));
        if !near && !empty {
            scene.ask(trial, "socket-send", "exfiltration", "it sends local data to another machine");
        }
    }
}

/// A name below a domain whose first part is local data, for programs that may look names up.
pub(crate) fn data_in_name(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let below_domain = |arg: &&Arg| {
        let rest = arg.text.rsplit(HOLE).next().unwrap_or("");
        arg.has_hole() && rest.starts_with('.') && rest.trim_matches('.').contains('.') && !rest.contains('/')
    };
    if args.iter().filter(below_domain).any(|arg| carries_data(trial, scene, arg)) {
        let reason = "local data becomes part of a name that others resolve";
        scene.ask(trial, "data-in-name", "exfiltration", reason);
    }
}

/// `dig`, `nslookup`, `ping`: a name can carry data out, a letter at a time.
pub(crate) fn lookup(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    for arg in args.iter().filter(|arg| !arg.text.starts_with('-')) {
        trial.effect(EffectKind::Network, arg.shown());
        let before_name =
            arg.text.split_once(HOLE).is_some_and(|(_, rest)| rest.contains('.') || rest.contains(HOLE));
        if arg.has_hole() && (before_name || carries_data(trial, scene, arg)) {
            return scene.ask(
                trial,
                "data-in-name",
                "exfiltration",
                "local data becomes part of a name that others resolve",
            );
        }
    }
    // `dig -f file` asks for every line of it.
    for (_, file) in args.iter().zip(args.iter().skip(1)).filter(|(flag, _)| flag.text == "-f") {
        super::access::read(trial, scene, file);
    }
    // `ping -p` puts bytes of one's choice into the packet.
    let pattern =
        args.iter().zip(args.iter().skip(1)).any(|(flag, value)| flag.text == "-p" && value.has_hole());
    if pattern {
        scene.ask(trial, "data-in-name", "exfiltration", "local data becomes part of a packet");
    }
}
