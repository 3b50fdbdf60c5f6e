//! Requests over the network: what is sent, and where the answer is put.

use super::access::{read, write};
use super::args::{Arg, HOLE};
use super::model::EffectKind;
use super::options::{Parsed, Shape, parse};
use super::reading;
use super::scene::Scene;
use super::trial::{Content, Trial};
use super::urls::{self, is_loopback, is_metadata};

const CURL_VALUES: &[&str] = &[
    "-o",
    "--output",
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "--data-ascii",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "-T",
    "--upload-file",
    "-H",
    "--header",
    "-X",
    "--request",
    "-u",
    "--user",
    "-A",
    "--user-agent",
    "-b",
    "--cookie",
    "-c",
    "--cookie-jar",
    "-e",
    "--referer",
    "-m",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "-x",
    "--proxy",
    "-K",
    "--config",
    "-w",
    "--write-out",
    "-D",
    "--dump-header",
    "-E",
    "--cert",
    "--key",
    "--cacert",
    "--capath",
    "-r",
    "--range",
    "-C",
    "--continue-at",
    "--resolve",
    "--url",
    "-Q",
    "--quote",
    "-Y",
    "-y",
    "-z",
    "--time-cond",
    "--limit-rate",
    "--max-redirs",
    "--interface",
    "--output-dir",
    "--trace",
    "--trace-ascii",
    "--stderr",
    "--unix-socket",
    "--abstract-unix-socket",
    "--netrc-file",
    "--oauth2-bearer",
    "--aws-sigv4",
    "--variable",
    "--expand-data",
    "--url-query",
    "--ciphers",
    "--proto",
    "--socks5",
    "--dns-servers",
    "-P",
    "--libcurl",
    "--hsts",
    "--etag-save",
    "--etag-compare",
];

pub(crate) fn curl(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: CURL_VALUES, ..Shape::default() });
    let mut urls: Vec<Arg> = parsed.operands.clone();
    urls.extend(parsed.values(&["--url"]).cloned());
    let near = !urls.is_empty() && urls.iter().all(|url| is_loopback(&url.text));
    for url in &urls {
        address(trial, scene, url);
    }
    let data = [
        "-d",
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--data-ascii",
        "--json",
        "-F",
        "--form",
        "--url-query",
        "--variable",
        "--expand-data",
    ];
    for value in parsed.values(&data) {
        body(trial, scene, value, near);
    }
    for file in parsed.values(&["-T", "--upload-file"]) {
        read(trial, scene, file);
        if !near {
            scene.ask(
                trial,
                "upload-file",
                "exfiltration",
                format!("it sends {} to another machine", file.shown()),
            );
        }
    }
    for header in parsed.values(&[
        "-H",
        "--header",
        "-b",
        "--cookie",
        "-A",
        "--user-agent",
        "-e",
        "--referer",
        "-u",
        "--user",
    ]) {
        header_secret(trial, scene, header, near);
    }
    let method = parsed.value(&["-X", "--request"]).map(|method| method.text.to_ascii_uppercase());
    if !near
        && method
            .is_some_and(|method| matches!(method.as_str(), "DELETE" | "PUT" | "PATCH" | "PURGE" | "MOVE"))
    {
        scene.ask(
            trial,
            "remote-change",
            "cloud_destructive",
            "it changes or deletes something on another machine",
        );
    }
    if !near && urls.iter().any(|url| url.text.contains("_delete_by_query") || url.text.contains("/shutdown"))
    {
        scene.ask(trial, "remote-change", "sql_destructive", "it deletes something on another machine");
    }
    if parsed.has(&["-Q", "--quote"])
        && parsed.values(&["-Q", "--quote"]).any(|command| {
            command.text.contains("DELE") || command.text.contains("rm") || command.text.contains("RMD")
        })
    {
        scene.ask(trial, "remote-change", "destructive_delete", "it deletes something on another machine");
    }
    if parsed.value(&["--unix-socket", "--abstract-unix-socket"]).is_some_and(|socket| {
        socket.text.contains("docker") || socket.text.contains("containerd") || socket.text.contains("podman")
    }) {
        scene.ask(
            trial,
            "container-socket",
            "container_escape",
            "whoever talks to this socket is root on the machine",
        );
    }
    if let Some(file) = parsed.value(&["-K", "--config"]) {
        scene.ask(trial, "curl-config", "arg_injection", format!("{} says what curl does", file.shown()));
    }
    curl_outputs(trial, scene, &parsed, &urls);
}

fn curl_outputs(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed, urls: &[Arg]) {
    let folder = parsed.value(&["--output-dir"]);
    for file in parsed.values(&[
        "-o",
        "--output",
        "-D",
        "--dump-header",
        "-c",
        "--cookie-jar",
        "--trace",
        "--trace-ascii",
        "--stderr",
        "--libcurl",
        "--hsts",
        "--etag-save",
    ]) {
        put(trial, scene, file, folder);
    }
    if parsed.has(&["-O", "--remote-name", "--remote-name-all"]) || parsed.has(&["-J"]) {
        for url in urls {
            put(trial, scene, &Arg::certain(urls::file_name(&url.text)), folder);
        }
    }
}

/// A download lands in a file, and is remembered.
fn put(trial: &mut Trial<'_>, scene: &Scene<'_>, file: &Arg, folder: Option<&Arg>) {
    let mut target = file.clone();
    if let Some(folder) = folder.filter(|_| !file.text.starts_with('/')) {
        target = folder.clone();
        target.text = format!("{}/{}", folder.text, file.text);
        target.hints.extend(file.hints.iter().cloned());
    }
    write(trial, scene, &target);
    if let Some(path) = scene.locate(trial, &target).path {
        trial.files.insert(path, Content::Download);
    }
}

/// A host that is asked: credentials of the machine, or local data inside the address.
pub(crate) fn address(trial: &mut Trial<'_>, scene: &Scene<'_>, url: &Arg) {
    trial.effect(EffectKind::Network, urls::host(&url.shown()).unwrap_or_else(|| url.shown()));
    if is_metadata(&url.text) {
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
    if carries_data(trial, scene, url) && !is_loopback(&url.text) {
        scene.ask(trial, "data-in-address", "exfiltration", "local data becomes part of the address");
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
            let name = super::produced::program_of(command).map(|(name, _)| name).unwrap_or_default();
            reads_file || SPEAKERS.contains(&name.as_str())
        })
    })
}

/// A request body: `@file`, `name=@file`, or text.
fn body(trial: &mut Trial<'_>, scene: &Scene<'_>, value: &Arg, near: bool) {
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

/// A token in a header is what headers are for; the content of a file is not.
fn header_secret(trial: &mut Trial<'_>, scene: &Scene<'_>, header: &Arg, near: bool) {
    let file = header.without_prefix("@");
    if !near && (carries_data(trial, scene, header) || file.is_some()) {
        scene.ask(trial, "upload-data", "exfiltration", "local data is sent along in a header");
    }
}

pub(crate) fn wget(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &[
        "-O",
        "--output-document",
        "-o",
        "--output-file",
        "-a",
        "--append-output",
        "-P",
        "--directory-prefix",
        "-i",
        "--input-file",
        "--post-data",
        "--post-file",
        "--body-data",
        "--body-file",
        "--method",
        "--header",
        "-U",
        "--user-agent",
        "-t",
        "--tries",
        "-T",
        "--timeout",
        "-w",
        "--wait",
        "-Q",
        "--quota",
        "-l",
        "--level",
        "-A",
        "-R",
        "-D",
        "--user",
        "--password",
        "-e",
        "--execute",
        "--load-cookies",
        "--save-cookies",
        "--ca-certificate",
        "--certificate",
        "--private-key",
        "--referer",
        "-I",
        "-X",
        "--limit-rate",
        "--use-askpass",
        "--config",
        "-B",
        "--base",
        "--bind-address",
        "--cut-dirs",
    ];
    let parsed = parse(args, Shape { values, ..Shape::default() });
    let near = !parsed.operands.is_empty() && parsed.operands.iter().all(|url| is_loopback(&url.text));
    for url in &parsed.operands {
        address(trial, scene, url);
    }
    for file in parsed.values(&["--post-file", "--body-file"]) {
        read(trial, scene, file);
        if !near {
            scene.ask(
                trial,
                "upload-file",
                "exfiltration",
                format!("it sends {} to another machine", file.shown()),
            );
        }
    }
    for value in parsed.values(&["--post-data", "--body-data"]).filter(|value| value.has_hole() && !near) {
        scene.ask(
            trial,
            "upload-data",
            "exfiltration",
            format!("`{}` is sent to another machine", value.shown()),
        );
    }
    for value in parsed.values(&["--header", "--referer", "-U", "--user-agent"]) {
        header_secret(trial, scene, value, near);
    }
    if parsed.value(&["--method"]).is_some_and(|method| {
        !near && matches!(method.text.to_ascii_uppercase().as_str(), "DELETE" | "PUT" | "PATCH")
    }) {
        scene.ask(
            trial,
            "remote-change",
            "cloud_destructive",
            "it changes or deletes something on another machine",
        );
    }
    for file in parsed.values(&["-o", "--output-file", "-a", "--append-output", "--save-cookies"]) {
        write(trial, scene, file);
    }
    let folder = parsed.value(&["-P", "--directory-prefix"]);
    match parsed.value(&["-O", "--output-document"]) {
        Some(file) => put(trial, scene, file, None),
        None => {
            for url in &parsed.operands {
                put(trial, scene, &Arg::certain(urls::file_name(&url.text)), folder);
            }
        }
    }
}

/// `aria2c`, `http`, `lynx` and others: a URL, perhaps a file to write, perhaps data to send.
pub(crate) fn other(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let parsed = parse(
        args,
        Shape {
            values: &[
                "-o", "--output", "--out", "-d", "--dir", "-O", "-P", "-f", "-a", "-H", "--header", "-c",
            ],
            ..Shape::default()
        },
    );
    let http = matches!(name, "http" | "https" | "xh" | "xhs" | "curlie" | "httpie");
    let target = parsed.operands.iter().find(|arg| {
        !matches!(arg.text.as_str(), "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS")
    });
    let near = target.is_some_and(|url| is_loopback(&url.text));
    for url in &parsed.operands {
        address(trial, scene, url);
    }
    let changes = parsed
        .operands
        .iter()
        .any(|arg| matches!(arg.text.as_str(), "DELETE" | "PUT" | "PATCH" | "delete" | "put" | "patch"));
    if http && changes && !near {
        scene.ask(
            trial,
            "remote-change",
            "cloud_destructive",
            "it changes or deletes something on another machine",
        );
    }
    let sends = parsed.operands.iter().skip(1).any(|arg| {
        arg.text.contains("=@")
            || arg.text.contains(":=@")
            || arg.text.starts_with('@')
            || (arg.text.contains('@') && !urls::is_url(&arg.text))
            || arg.has_hole()
    });
    if http && !near && (sends || scene.is_fed()) {
        scene.ask(trial, "upload-data", "exfiltration", "it sends local data to another machine");
    }
    if matches!(name, "ftp" | "tftp" | "lftp" | "ncftpput" | "ftp-upload" | "curlftpfs") {
        scene.ask(
            trial,
            "file-transfer",
            "exfiltration",
            format!("{name} can send files to another machine"),
        );
    }
    let folder = parsed.value(&["-d", "--dir", "-P"]).filter(|_| !http);
    match parsed.value(&["-o", "--output", "--out", "-O"]) {
        Some(file) => put(trial, scene, file, folder),
        None if matches!(name, "aria2c" | "axel") => {
            for url in &parsed.operands {
                put(trial, scene, &Arg::certain(urls::file_name(&url.text)), folder);
            }
        }
        None => {}
    }
}
