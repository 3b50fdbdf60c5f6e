//! Containers: harmless as long as nothing of the machine is shared with them.

use super::args::Arg;
use super::call::judge_words;
use super::model::EffectKind;
use super::options::{Parsed, Shape, parse};
use super::place::Kind;
use super::scene::{Frame, Scene};
use super::sensitive::sensitive_at_all;
use super::trial::Trial;

const GLOBAL: &[&str] = &[
    "--context",
    "-c",
    "-H",
    "--host",
    "-l",
    "--log-level",
    "--config",
    "--tlscacert",
    "--root",
    "--runroot",
    "--url",
    "--connection",
];

const RUN_VALUES: &[&str] = &[
    "-v",
    "--volume",
    "--mount",
    "-e",
    "--env",
    "--env-file",
    "-w",
    "--workdir",
    "-p",
    "--publish",
    "--name",
    "-u",
    "--user",
    "--network",
    "--net",
    "--pid",
    "--ipc",
    "--uts",
    "--userns",
    "--cgroupns",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--device",
    "--entrypoint",
    "-h",
    "--hostname",
    "-m",
    "--memory",
    "--cpus",
    "--gpus",
    "-l",
    "--label",
    "--label-file",
    "--platform",
    "--pull",
    "--restart",
    "--shm-size",
    "--tmpfs",
    "--ulimit",
    "--volumes-from",
    "--add-host",
    "--dns",
    "--link",
    "--log-driver",
    "--log-opt",
    "--runtime",
    "--stop-signal",
    "--stop-timeout",
    "-a",
    "--attach",
    "--cidfile",
    "--cpu-shares",
    "-c",
    "--cpuset-cpus",
    "--expose",
    "--group-add",
    "--health-cmd",
    "--init-path",
    "--ip",
    "--isolation",
    "--memory-swap",
    "--network-alias",
    "--oom-score-adj",
    "--pids-limit",
    "--storage-opt",
    "--sysctl",
    "--device-cgroup-rule",
    "--annotation",
    "--secret",
    "--hooks-dir",
    "--volume-driver",
    "--detach-keys",
];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let global = parse(args, Shape { values: GLOBAL, stops: true, ..Shape::default() });
    let rest = args.get(global.first..).unwrap_or_default();
    let Some((sub, mut rest)) = rest.split_first() else { return };
    let mut sub = sub.text.as_str();
    if sub == "container"
        && let Some((inner, behind)) = rest.split_first()
    {
        sub = &inner.text;
        rest = behind;
    }
    match sub {
        "run" | "create" => run(trial, scene, rest),
        "pull" | "push" | "login" | "search" => {
            let target = rest.last().map_or_else(|| "services of docker".to_owned(), Arg::shown);
            trial.effect(EffectKind::Network, target);
        }
        "cp" => copy(trial, scene, rest),
        "build" | "buildx" | "import" => build(trial, scene, rest),
        _ => {}
    }
}

/// `docker compose run -v /:/h`: what of the machine is shared with a service, whatever it runs.
pub(crate) fn composed(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if !matches!(name, "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose") {
        return;
    }
    let compose = name.ends_with("-compose") || args.iter().take(8).any(|arg| arg.text == "compose");
    let place = args.iter().take(16).position(|arg| matches!(arg.text.as_str(), "run" | "create"));
    if let Some(place) = place.filter(|_| compose) {
        let rest = args.get(place + 1..).unwrap_or_default();
        shares(trial, scene, &parse(rest, Shape { values: RUN_VALUES, stops: true, ..Shape::default() }));
    }
}

fn run(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    trial.changes();
    let parsed = parse(args, Shape { values: RUN_VALUES, stops: true, ..Shape::default() });
    let shares = shares(trial, scene, &parsed);
    let words = args.get(parsed.first + 1..).unwrap_or_default();
    let mut inner: Vec<Arg> =
        parsed.values(&["--entrypoint"]).filter(|entry| !entry.text.is_empty()).cloned().collect();
    inner.extend(words.iter().cloned());
    let folder =
        parsed.value(&["-w", "--workdir"]).map_or_else(|| "/".to_owned(), |folder| folder.text.clone());
    let frame = Frame { remote: true, cwd: Some(folder), privileged: false, ..scene.frame.clone() };
    let within = Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    let mark = trial.mark();
    judge_words(trial, &within, &inner);
    // In a container that shares nothing with the machine even `rm -rf /` loses only the container.
    if !shares {
        trial.soften(mark);
    }
    trial.since(mark);
}

/// Asks about what of the machine is shared; true if any folder of it is.
fn shares(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) -> bool {
    let mut shared = false;
    if parsed.has(&["--privileged"]) {
        shared = true;
        scene.ask(
            trial,
            "container-privileged",
            "container_escape",
            "a privileged container owns the machine",
        );
    }
    for space in ["--pid", "--ipc", "--uts", "--userns", "--cgroupns"] {
        if parsed.values(&[space]).any(|value| value.text == "host" || value.text.starts_with("container:")) {
            shared = true;
            scene.ask(
                trial,
                "container-namespace",
                "container_escape",
                format!("{space} shares the processes or users of the machine"),
            );
        }
    }
    let strong = parsed.values(&["--cap-add"]).any(|value| {
        let name = value.text.to_ascii_uppercase();
        !matches!(name.trim_start_matches("CAP_"), "NET_BIND_SERVICE" | "CHOWN" | "IPC_LOCK" | "SYS_NICE")
    });
    let loose = parsed
        .values(&["--security-opt"])
        .any(|value| value.text.contains("unconfined") || value.text.contains("disable"));
    let device = parsed.values(&["--device"]).any(|value| {
        let node = Arg::certain(value.text.split(':').next().unwrap_or(""));
        matches!(scene.locate(trial, &node).kind, Kind::BlockDevice | Kind::RawDevice)
    });
    if strong || loose || device || parsed.has(&["--hooks-dir", "--device-cgroup-rule"]) {
        shared = true;
        scene.ask(
            trial,
            "container-privileged",
            "container_escape",
            "the container gets rights over the machine",
        );
    }
    let mounts: Vec<Arg> = parsed
        .values(&["-v", "--volume"])
        .map(|value| cut(&value.without_prefix("=").unwrap_or_else(|| value.clone()), ':'))
        .chain(parsed.values(&["--mount"]).filter_map(mount_source))
        .collect();
    for source in mounts {
        let text = source.text.as_str();
        // A plain name is a volume of the container engine.
        if !text.starts_with(['/', '.', '~', '\0']) {
            continue;
        }
        shared = true;
        let place = scene.locate(trial, &source);
        let socket = text.ends_with(".sock") || text.ends_with("/docker") || text.contains("/run/");
        let sensitive = sensitive_at_all(&source, &place, trial).is_some();
        let unknown = place.kind == Kind::Unknown
            && !source.shown().starts_with("$(pwd)")
            && !source.shown().starts_with("$PWD");
        if socket || sensitive || !(place.is_writable() || unknown) {
            scene.ask(
                trial,
                "container-mount",
                "container_escape",
                format!("the container gets {}", source.shown()),
            );
        }
    }
    shared
}

fn cut(value: &Arg, mark: char) -> Arg {
    let front = value.text.split(mark).next().unwrap_or("").to_owned();
    let holes = front.chars().filter(|c| *c == '\0').count();
    Arg { text: front, pattern: false, hints: value.hints.iter().take(holes).cloned().collect() }
}

fn mount_source(value: &Arg) -> Option<Arg> {
    let part = value
        .text
        .split(',')
        .find_map(|part| part.strip_prefix("source=").or_else(|| part.strip_prefix("src=")))?;
    Some(Arg { text: part.to_owned(), pattern: false, hints: value.hints.clone() })
}

/// `cp` out of a container writes here, into one reads here.
fn copy(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape::default());
    let inside = |arg: &Arg| arg.text.split_once(':').is_some_and(|(name, _)| !name.contains('/'));
    if let [source, target, ..] = parsed.operands.as_slice() {
        if !inside(source) {
            super::access::read_tree(trial, scene, source);
        }
        if !inside(target) {
            super::access::write(trial, scene, target);
        }
        if inside(source) && !inside(target) {
            super::remote::fetched(trial, scene, source, target);
        }
    }
}

fn build(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    trial.changes();
    let parsed = parse(
        args,
        Shape { values: &["-o", "--output", "--iidfile", "--metadata-file"], ..Shape::default() },
    );
    for output in parsed.values(&["-o", "--output", "--iidfile", "--metadata-file"]) {
        // A path, or `type=local,dest=path`.
        let path = output.text.split(',').find_map(|part| part.strip_prefix("dest="));
        match path {
            Some(path) => super::access::write(trial, scene, &Arg::certain(path)),
            None if output.text.contains('=') => {}
            None => super::access::write(trial, scene, output),
        }
    }
    let allowed = args.iter().zip(args.iter().skip(1)).any(|(option, value)| {
        option.text == "--allow" && (value.text.contains("insecure") || value.text == "network.host")
    });
    if allowed
        || args.iter().any(|arg| arg.text == "--privileged" || arg.text.starts_with("--allow=security"))
    {
        scene.ask(
            trial,
            "container-privileged",
            "container_escape",
            "the build gets rights over the machine",
        );
    }
    if args.iter().any(|arg| arg.text == "--push") {
        scene.ask(trial, "image-push", "exfiltration", "it sends the image to a registry");
    }
}
