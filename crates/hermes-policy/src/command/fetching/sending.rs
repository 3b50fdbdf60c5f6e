//! What goes out with a request: in the address, the body, the headers.

use crate::command::access::read;
use crate::command::args::{Arg, HOLE, base_name};
use crate::command::model::EffectKind;
use crate::command::produced;
use crate::command::reading;
use crate::command::scene::Scene;
use crate::command::secret_names::names_secret;
use crate::command::trial::Trial;
use crate::command::urls::{self, is_loopback, is_metadata};

/// A host that is asked: credentials of the machine, or local data inside the address.
pub(super) fn address(trial: &mut Trial<'_>, scene: &Scene<'_>, url: &Arg) {
    trial.effect(EffectKind::Network, urls::host(&url.shown()).unwrap_or_else(|| url.shown()));
    let by_name =
        url.hints.iter().any(|hint| hint.contains("METADATA") || hint.contains("CONTAINER_CREDENTIALS"));
    if by_name || is_metadata(&url.text) {
        return scene.ask(
            trial,
            "metadata",
            "credential_access",
            "this address hands out the machine's credentials",
        );
    }
    if let Some(file) = url.text.strip_prefix("file://") {
        return read(trial, scene, &Arg::certain(file));
    }
    if (carries_data(trial, scene, url) || url.hints.iter().any(|hint| names_secret(hint)))
        && !is_loopback(&url.text)
    {
        scene.ask(trial, "data-in-address", "exfiltration", "local data becomes part of the address");
    }
}

/// A whole file that is sent.
pub(super) fn upload(trial: &mut Trial<'_>, scene: &Scene<'_>, file: &Arg, near: bool) {
    read(trial, scene, file);
    if !near {
        let why = format!("it sends {} to another machine", file.shown());
        scene.ask(trial, "upload-file", "exfiltration", why);
    }
}

/// Whether an unknown part is the content of files or of the environment.
pub(crate) fn carries_data(trial: &Trial<'_>, scene: &Scene<'_>, arg: &Arg) -> bool {
    const SPEAKERS: &[&str] = &[
        "cat", "env", "printenv", "base64", "xxd", "od", "head", "tail", "tar", "gzip", "strings", "sed",
        "awk", "grep", "openssl", "history", "find", "ls", "ps", "set", "hexdump", "less", "more", "dd",
        "gpg", "security", "zip", "python3", "python", "perl", "id", "whoami", "hostname", "uname",
        "ifconfig", "ip", "export", "declare", "tr", "base32",
    ];
    arg.hints.iter().filter_map(|hint| reading::inside(hint)).any(|inner| {
        let script = reading::read(trial, scene, inner);
        script.commands.iter().any(|command| {
            let reads_file =
                command.redirects.iter().any(|redirect| redirect.kind == crate::shell::RedirectKind::Read);
            let name = produced::program_of(command).map(|(name, _)| name).unwrap_or_default();
            reads_file || SPEAKERS.contains(&name.as_str())
        })
    })
}

/// A request body: `@file`, `name=@file`, or text.
pub(super) fn body(trial: &mut Trial<'_>, scene: &Scene<'_>, value: &Arg, near: bool) {
    let file = value.without_prefix("@").or_else(|| {
        value.after('=').and_then(|rest| rest.without_prefix("@").or_else(|| rest.without_prefix("<")))
    });
    let file = file.or_else(|| {
        value.text.contains('@').then(|| value.after('@')).flatten().filter(|rest| {
            value
                .text
                .split('@')
                .next()
                .is_some_and(|front| front.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
                && !rest.text.contains('.')
        })
    });
    if let Some(file) = file {
        if file.text != "-" {
            read(trial, scene, &file);
        }
        if !near {
            scene.ask(trial, "upload-data", "exfiltration", "it sends local data to another machine");
        }
        return;
    }
    if value.text.contains(HOLE) && !near {
        scene.ask(
            trial,
            "upload-data",
            "exfiltration",
            format!("`{}` is sent to another machine", value.shown()),
        );
    }
}

/// `name@file` and `@file` of `--data-urlencode` and `--url-query`; behind a `=` an `@` is a letter.
pub(super) fn encoded(trial: &mut Trial<'_>, scene: &Scene<'_>, value: &Arg, near: bool) {
    let name = value.text.split(['@', '=']).next().unwrap_or("");
    let file = value.without_prefix(name).and_then(|rest| rest.without_prefix("@"));
    match file {
        Some(file) if name.starts_with('+') => body(trial, scene, &file, near),
        Some(file) => body(trial, scene, &Arg { text: format!("@{}", file.text), ..file }, near),
        None => body(trial, scene, value, near),
    }
}

/// A file of cookies that a program made for itself, where it may make files.
pub(super) fn is_jar(trial: &Trial<'_>, scene: &Scene<'_>, file: &Arg) -> bool {
    let name = base_name(&file.text).to_ascii_lowercase();
    (name.contains("cookie") || name.contains("jar")) && scene.locate(trial, file).is_writable()
}

/// `-b file`: its lines go out as cookies.
pub(super) fn cookies(trial: &mut Trial<'_>, scene: &Scene<'_>, file: &Arg) {
    if !file.text.is_empty() && !is_jar(trial, scene, file) {
        read(trial, scene, file);
    }
}

/// A token in a header is what headers are for; the content of a file is not.
pub(super) fn header_secret(trial: &mut Trial<'_>, scene: &Scene<'_>, header: &Arg, near: bool) {
    let file = header.without_prefix("@");
    if !near && (carries_data(trial, scene, header) || file.is_some()) {
        scene.ask(trial, "upload-data", "exfiltration", "local data is sent along in a header");
    }
}
