//! `wget`: what it posts, and the files it makes.

use crate::command::access::{read, write};
use crate::command::args::Arg;
use crate::command::options::{Shape, parse};
use crate::command::scene::Scene;
use crate::command::trial::Trial;
use crate::command::urls::{self, is_loopback};

use super::landing::put;
use super::sending::{address, header_secret, upload};

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
    for list in parsed.values(&["-i", "--input-file"]) {
        read(trial, scene, list);
    }
    for file in parsed.values(&["--post-file", "--body-file"]) {
        upload(trial, scene, file, near);
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
