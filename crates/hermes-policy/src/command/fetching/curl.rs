//! `curl`: bodies, headers, methods and outputs.

use crate::command::args::{Arg, HOLE};
use crate::command::options::{Parsed, Shape, parse};
use crate::command::scene::Scene;
use crate::command::trial::Trial;
use crate::command::urls::{self, is_loopback};

use super::landing::put;
use super::sending::{address, body, cookies, encoded, header_secret, is_jar, upload};

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
    "--noproxy",
    "--connect-to",
    "--preproxy",
    "--socks5-hostname",
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
    // Such options send a request for localhost to somebody else.
    let led_away = parsed.has(&[
        "--resolve",
        "--connect-to",
        "-x",
        "--proxy",
        "--preproxy",
        "--socks5",
        "--socks5-hostname",
    ]);
    let near = !led_away && !urls.is_empty() && urls.iter().all(|url| is_loopback(&url.text));
    for url in &urls {
        address(trial, scene, url);
    }
    let data = [
        "-d",
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-ascii",
        "--json",
        "-F",
        "--form",
        "--variable",
        "--expand-data",
    ];
    for value in parsed.values(&data) {
        body(trial, scene, value, near);
    }
    for value in parsed.values(&["--data-urlencode", "--url-query"]) {
        encoded(trial, scene, value, near);
    }
    for jar in parsed.values(&["-b", "--cookie"]).filter(|jar| !jar.text.contains('=')) {
        cookies(trial, scene, jar);
    }
    for file in parsed.values(&["-T", "--upload-file"]) {
        upload(trial, scene, file, near);
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
        "--trace",
        "--trace-ascii",
        "--stderr",
        "--libcurl",
        "--hsts",
        "--etag-save",
    ]) {
        put(trial, scene, file, folder);
    }
    for jar in parsed.values(&["-c", "--cookie-jar"]) {
        if !is_jar(trial, scene, jar) {
            put(trial, scene, jar, folder);
        }
    }
    if parsed.has(&["-O", "--remote-name", "--remote-name-all"]) || parsed.has(&["-J"]) {
        for url in urls {
            // Whatever an unknown name is, it holds no slash.
            let name = urls::file_name(&url.text).replace(HOLE, "unknown");
            put(trial, scene, &Arg::certain(name), folder);
        }
    }
}
