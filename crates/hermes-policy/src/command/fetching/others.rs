//! `aria2c`, `http`, `lynx`, `ftp` and other clients.

use crate::command::args::Arg;
use crate::command::options::{Shape, parse};
use crate::command::scene::Scene;
use crate::command::trial::Trial;
use crate::command::urls::{self, is_loopback};

use super::landing::put;
use super::sending::address;

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
    if matches!(name, "websocat" | "wscat" | "grpcurl") && scene.is_fed() {
        let far = parsed.operands.iter().take(1).any(|host| !is_loopback(&host.text));
        if far {
            scene.ask(trial, "upload-data", "exfiltration", "it sends local data to another machine");
        }
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
        None if name == "lwp-download" && parsed.operands.len() > 1 => {
            parsed.operands.iter().skip(1).for_each(|file| put(trial, scene, file, None));
        }
        None if matches!(name, "aria2c" | "axel" | "lwp-download" | "wcurl") => {
            for url in &parsed.operands {
                put(trial, scene, &Arg::certain(urls::file_name(&url.text)), folder);
            }
        }
        None => {}
    }
}
