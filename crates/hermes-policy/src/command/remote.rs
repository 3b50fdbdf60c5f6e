//! Other machines: commands there, and files from here to there.

use super::access::{read_tree, write};
use super::args::{Arg, join};
use super::deletion::{delete, is_regenerable};
use super::model::{Class, EffectKind};
use super::options::{Shape, parse};
use super::place::Kind;
use super::scene::{Frame, Scene};
use super::shells::run_text;
use super::trial::{Content, Trial};
use super::urls::is_loopback;

const SSH_VALUES: &[&str] = &[
    "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-p", "-Q", "-R",
    "-S", "-W", "-w", "-B",
];

pub(crate) fn ssh(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: SSH_VALUES, stops: true, ..Shape::default() });
    if parsed.value(&["-D"]).is_some() {
        scene.ask(trial, "ssh-proxy", "reverse_shell", "it sends any traffic through another machine");
    }
    if parsed.value(&["-R"]).is_some() || parsed.value(&["-w"]).is_some() {
        scene.ask(
            trial,
            "ssh-reverse",
            "reverse_shell",
            "it opens a way from the other machine into this one",
        );
    }
    if let Some(log) = parsed.value(&["-E"]) {
        write(trial, scene, log);
    }
    let settings = parsed.value(&["-F"]).filter(|file| !matches!(file.text.as_str(), "/dev/null" | "none"));
    if let Some(file) = settings {
        scene.ask(
            trial,
            "ssh-settings",
            "arg_injection",
            format!("{} can make ssh start other programs", file.shown()),
        );
    }
    let Some((host, words)) = parsed.operands.split_first() else { return };
    // Options may follow the host.
    let options = words.iter().take_while(|word| word.text.starts_with('-')).count();
    let words = words.get(options..).unwrap_or_default();
    trial.effect(EffectKind::Network, host.shown());
    if host.text.starts_with('-') {
        scene.ask(trial, "ssh-option", "arg_injection", "the host name is an option");
    }
    let frame = Frame { remote: true, cwd: Some("/home/remote".to_owned()), ..scene.frame.clone() };
    let inner = Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    let mark = trial.mark();
    if !words.is_empty() {
        run_text(trial, &inner, &join(words), &[], inner.frame.clone());
    } else if let Some(text) = scene.input().map(str::to_owned) {
        run_text(trial, &inner, &Arg::certain(text), &[], inner.frame.clone());
    }
    let class = trial.since(mark);
    if class == Class::Safe {
        scene.ask(
            trial,
            "far-change",
            "cloud_destructive",
            format!("it changes something on {}", host.shown()),
        );
    }
    if scene.is_fed() && scene.input().is_none() && class < Class::Ask {
        let empty = scene
            .command
            .redirects
            .iter()
            .any(|redirect| redirect.target.literal().as_deref() == Some("/dev/null"));
        if !empty {
            scene.ask(trial, "ssh-send", "exfiltration", format!("it sends local data to {}", host.shown()));
        }
    }
}

/// `host:path` or `user@host:path`, but not `C:\` and not `./a:b`.
pub(crate) fn is_remote(arg: &Arg) -> bool {
    let text = arg.text.as_str();
    if text.starts_with("rsync://") || text.starts_with("scp://") || text.starts_with("sftp://") {
        return true;
    }
    // `C:\\x` and `C:/x` are drives.
    text.split_once(':').is_some_and(|(host, path)| {
        !host.contains('/') && !host.starts_with('.') && (host.len() > 1 || !path.starts_with(['\\', '/']))
    })
}

fn is_near(arg: &Arg) -> bool {
    is_loopback(arg.text.rsplit('@').next().unwrap_or(&arg.text))
}

/// `scp`, `sftp`.
pub(crate) fn copy(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &["-c", "-F", "-i", "-J", "-l", "-o", "-P", "-S", "-D", "-b", "-B", "-R", "-s", "-X"];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    let script = parsed.value(&["-b"]).map(|file| file.text.as_str());
    let host = parsed.operands.first().filter(|host| parsed.operands.len() == 1 && !is_near(host));
    let orders = scene.input().unwrap_or("");
    let sends = orders.lines().any(|line| {
        matches!(
            line.trim_start_matches('-').split_whitespace().next(),
            Some("put" | "mput" | "reput" | "rm" | "rmdir" | "rename")
        )
    });
    if let Some(host) = host.filter(|_| sends || script.is_some() || (scene.is_fed() && orders.is_empty())) {
        let reason = format!("it sends local files to {}, or changes files there", host.shown());
        scene.ask(trial, "send-files", "exfiltration", reason);
    }
    // `sftp host:file` gets the file.
    if let [source] = parsed.operands.as_slice()
        && is_remote(source)
    {
        fetched(trial, scene, source, &Arg::certain("."));
    }
    transfer(trial, scene, &parsed.operands);
}

fn transfer(trial: &mut Trial<'_>, scene: &Scene<'_>, operands: &[Arg]) {
    let Some((target, sources)) = operands.split_last() else { return };
    for source in sources.iter().filter(|source| !is_remote(source)) {
        read_tree(trial, scene, source);
    }
    if is_remote(target) && !sources.is_empty() {
        trial.effect(EffectKind::Network, target.shown());
        if !is_near(target) {
            scene.ask(
                trial,
                "send-files",
                "exfiltration",
                format!("it sends local files to {}", target.shown()),
            );
        }
    } else if !sources.is_empty() {
        write(trial, scene, target);
        sources
            .iter()
            .filter(|source| is_remote(source))
            .for_each(|source| fetched(trial, scene, source, target));
    }
}

/// A file that came from another machine is remembered like a download.
pub(crate) fn fetched(trial: &mut Trial<'_>, scene: &Scene<'_>, source: &Arg, target: &Arg) {
    let name = source.text.rsplit(['/', ':']).next().unwrap_or("");
    let within = Arg::certain(format!("{}/{name}", target.text.trim_end_matches('/')));
    for file in [target, &within] {
        if let Some(path) = scene.locate(trial, file).path {
            trial.files.insert(path, Content::Download);
        }
    }
}

pub(crate) fn rsync(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &[
        "-e",
        "--rsh",
        "--rsync-path",
        "--exclude",
        "--include",
        "--exclude-from",
        "--include-from",
        "-f",
        "--filter",
        "--files-from",
        "-T",
        "--temp-dir",
        "--backup-dir",
        "--suffix",
        "-B",
        "--block-size",
        "--bwlimit",
        "--port",
        "--log-file",
        "--password-file",
        "--timeout",
        "--chmod",
        "--chown",
        "--max-size",
        "--min-size",
        "--compare-dest",
        "--link-dest",
        "--copy-dest",
        "--partial-dir",
        "--out-format",
        "-M",
    ];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    for file in parsed.values(&["--password-file"]) {
        super::access::read(trial, scene, file);
    }
    if parsed.has_exactly(&["-n", "--dry-run", "--list-only"]) {
        return;
    }
    let deletes =
        parsed.flags.iter().any(|flag| flag.name.starts_with("--del") && flag.name != "--delay-updates");
    if parsed.has(&["--remove-source-files"]) {
        scene.ask(trial, "rsync-removes", "destructive_delete", "it deletes what it copied");
    }
    let target = parsed.operands.last().filter(|_| parsed.operands.len() > 1);
    if let Some(target) = target.filter(|_| deletes) {
        let place = scene.locate(trial, target);
        if is_remote(target) {
            scene.ask(
                trial,
                "rsync-delete",
                "destructive_delete",
                format!("it deletes files on {}", target.shown()),
            );
        } else if place.is_vital() {
            delete(trial, scene, target, true);
        } else if !(place.kind == Kind::Temp
            || (place.kind == Kind::Workspace && is_regenerable(trial, target, &place)))
        {
            let reason = format!("it deletes what is in {} and not in the source", target.shown());
            scene.ask(trial, "rsync-delete", "destructive_delete", reason);
        }
    }
    transfer(trial, scene, &parsed.operands);
}
