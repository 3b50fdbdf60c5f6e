//! Package managers of languages: where packages come from, and what else they run.

use super::args::Arg;
use super::model::EffectKind;
use super::options::{Parsed, Shape, parse};
use super::scene::Scene;
use super::trial::Trial;
use super::urls;

/// Options that say where packages come from.
const SOURCES: &[&str] = &[
    "-i",
    "--index-url",
    "--extra-index-url",
    "--index",
    "--default-index",
    "--registry",
    "--find-links",
    "-f",
    "--source",
    "-s",
    "--trusted-host",
    "--channel",
    "-c",
];

const VALUES: &[&str] = &[
    "-i",
    "--index-url",
    "--extra-index-url",
    "--index",
    "--default-index",
    "--registry",
    "--find-links",
    "-r",
    "--requirement",
    "-c",
    "--constraint",
    "-t",
    "--target",
    "--prefix",
    "--root",
    "-e",
    "--editable",
    "--python",
    "-p",
    "--package",
    "-w",
    "--workspace",
    "-C",
    "--dir",
    "--cwd",
    "--git",
    "--path",
    "--version",
    "--features",
    "-F",
    "--source",
    "-s",
    "--only-binary",
    "--no-binary",
    "--platform",
    "--python-version",
    "-d",
    "--dest",
    "--trusted-host",
    "--branch",
    "--rev",
    "--tag",
    "--manifest-path",
    "--group",
    "-G",
    "--extra",
    "--with",
    "--from",
    "--filter",
];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let parsed = parse(args, Shape { values: VALUES, ..Shape::default() });
    let Some(verb) = parsed.word(0) else {
        if matches!(name, "yarn" | "bundle") {
            trial.effect(EffectKind::Network, format!("packages of {name}"));
        }
        return;
    };
    super::generic::own_affairs(trial, scene, &parsed);
    if matches!((name, verb), ("go", "build" | "test")) {
        super::generic::outputs(trial, scene, args);
    }
    let verb = if matches!(verb, "pip" | "tool" | "global" | "workspace") {
        parsed.word(1).unwrap_or(verb)
    } else {
        verb
    };
    let installs = matches!(
        verb,
        "install"
            | "i"
            | "add"
            | "ci"
            | "download"
            | "get"
            | "sync"
            | "run"
            | "exec"
            | "dlx"
            | "x"
            | "create"
            | "init"
            | "update"
            | "upgrade"
            | "require"
            | "wheel"
            | "inject"
            | "link"
    );
    if is_shared_removal(name, &parsed) {
        let reason = "it deletes software that other projects use too";
        scene.ask(trial, "package-remove", "destructive_delete", reason);
    }
    if !installs {
        return;
    }
    let local = matches!(verb, "run" | "exec" | "x" | "link" | "init") || (name == "go" && verb == "run");
    if !local {
        trial.effect(EffectKind::Network, format!("packages of {name}"));
    }
    let python = name.starts_with("pip")
        || matches!(name, "uv" | "poetry" | "pdm" | "pipx" | "uvx" | "conda" | "mamba");
    for flag in &parsed.flags {
        let source = SOURCES.contains(&flag.name.as_str()) && (python || flag.name.len() > 2);
        if let Some(value) = flag.value.as_ref().filter(|_| source)
            && (urls::is_url(&value.text) || flag.name == "--trusted-host")
            && !urls::is_trusted_registry(&value.text)
        {
            scene.ask(
                trial,
                "foreign-registry",
                "remote_exec",
                format!("it installs, and so runs, code from {}", value.shown()),
            );
        }
    }
    for package in parsed.operands.iter().skip(1).chain(parsed.values(&[
        "--git",
        "-e",
        "--editable",
        "--from",
        "--package",
        "-p",
    ])) {
        let text = package.text.as_str();
        let address = text.contains("git+")
            || urls::is_url(text)
            || text.starts_with("git@")
            || text.starts_with("github:")
            || text.starts_with("gist:")
            || text.starts_with("bitbucket:");
        let trusted = urls::is_trusted_registry(text.split_once(" @ ").map_or(text, |(_, url)| url))
            && !text.contains("git+");
        let own = matches!(name, "go" | "brew" | "swift" | "conan" | "vcpkg");
        if address && !trusted && (!own || urls::is_url(text)) {
            scene.ask(
                trial,
                "foreign-package",
                "remote_exec",
                format!("it installs, and so runs, code from {}", package.shown()),
            );
        }
    }
    if name == "go" && matches!(verb, "run" | "install") {
        let module = parsed.operands.iter().skip(1).take(if verb == "run" { 1 } else { usize::MAX });
        for module in module.filter(|module| is_foreign_module(&module.text, verb == "run")) {
            let reason = format!("it installs, and so runs, code from {}", module.shown());
            scene.ask(trial, "foreign-package", "remote_exec", reason);
        }
    }
    if parsed.has(&[
        "--script-shell",
        "--use-pep517-hook",
        "--install-option",
        "--global-option",
        "--node-options",
    ]) {
        scene.ask(
            trial,
            "installer-shell",
            "arg_injection",
            "it says which program runs the scripts of packages",
        );
    }
    for target in parsed.values(&["-t", "--target", "--prefix", "--root", "-d", "--dest"]) {
        if target.text.starts_with(['/', '~']) {
            super::access::write(trial, scene, target);
        }
    }
}

/// Tools and environments that stand outside every project.
fn is_shared_removal(name: &str, parsed: &Parsed) -> bool {
    let words: Vec<&str> = parsed.operands.iter().take(2).map(|arg| arg.text.as_str()).collect();
    match (name, words.as_slice()) {
        ("cargo" | "pipx" | "spack" | "brew", ["uninstall" | "uninstall-all", ..])
        | ("opam" | "conan" | "luarocks", ["remove" | "uninstall" | "purge", ..])
        | ("opam", ["switch", "remove"])
        | ("conda" | "mamba" | "micromamba", ["env", "remove"])
        | ("uv", ["tool", "uninstall"])
        | ("uv", ["python", "uninstall"]) => true,
        ("npm" | "pnpm" | "yarn", ["uninstall" | "remove" | "rm", ..]) => {
            parsed.has_exactly(&["-g", "--global"])
        }
        _ => false,
    }
}

/// Where modules of Go usually live.
const MODULE_HOSTS: &[&str] = &[
    "github.com",
    "gitlab.com",
    "golang.org",
    "go.uber.org",
    "google.golang.org",
    "gopkg.in",
    "honnef.co",
    "mvdan.cc",
    "k8s.io",
    "sigs.k8s.io",
    "gotest.tools",
    "go.dev",
    "cuelang.org",
    "gorm.io",
    "goa.design",
    "entgo.io",
    "bitbucket.org",
    "cloud.google.com",
    "rsc.io",
    "modernc.org",
    "go.opentelemetry.io",
    "dagger.io",
    "connectrpc.com",
    "charm.land",
    "helm.sh",
    "istio.io",
    "knative.dev",
    "tailscale.com",
    "filippo.io",
];

/// Those of them where anybody can put a module. Installing one is usual; running it at once is running what was
/// just downloaded.
const OPEN_HOSTS: &[&str] = &["github.com", "gitlab.com", "bitbucket.org", "gopkg.in"];

/// `host/path@version` of a host that is nobody's usual source.
fn is_foreign_module(module: &str, runs: bool) -> bool {
    let Some((path, _)) = module.split_once('@') else { return false };
    let host = path.split('/').next().unwrap_or("");
    let foreign = !MODULE_HOSTS.contains(&host) || (runs && OPEN_HOSTS.contains(&host));
    host.contains('.') && !host.starts_with('.') && foreign
}
