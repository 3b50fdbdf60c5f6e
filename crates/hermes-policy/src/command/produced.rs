//! Where the text in a pipe comes from: a download, a decoder, a file, a list of files.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use super::args::{Arg, base_name};
use super::scene::Scene;
use super::trial::{Content, Trial};
use crate::shell::{Command, Piece, RedirectKind, Script};

/// How far back a pipe is followed.
const STAGES: usize = 16;

/// What is known about text that only running would produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// Somebody's file, a program's output.
    Other,
    /// Text that was put together by a program on the command line.
    Generated,
    /// Something that was packed or encoded.
    Decoded,
    /// Something that came over the network.
    Download,
}

static FETCHERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    HashSet::from([
        "curl",
        "wget",
        "wget2",
        "aria2c",
        "fetch",
        "lynx",
        "w3m",
        "links",
        "links2",
        "elinks",
        "http",
        "https",
        "xh",
        "curlie",
        "nc",
        "ncat",
        "netcat",
        "socat",
        "telnet",
        "ftp",
        "tftp",
        "lftp",
        "sftp",
        "scp",
        "ssh",
        "GET",
        "lwp-request",
        "lwp-download",
        "lwp-mirror",
        "axel",
        "rsync",
        "gsutil",
        "dig",
        "nslookup",
        "host",
        "httpie",
        "hurl",
        "grpcurl",
        "websocat",
        "torsocks",
        "ipfs",
        "gh",
    ])
});

static DECODERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    HashSet::from([
        "base64",
        "base32",
        "base16",
        "basenc",
        "gbase64",
        "uudecode",
        "xxd",
        "hexdump",
        "od",
        "gunzip",
        "zcat",
        "gzip",
        "bunzip2",
        "bzcat",
        "bzip2",
        "unxz",
        "xzcat",
        "xz",
        "lzcat",
        "unlzma",
        "lz4",
        "lz4cat",
        "zstd",
        "zstdcat",
        "unzstd",
        "brotli",
        "uncompress",
        "openssl",
        "gpg",
        "gpg2",
        "age",
        "rev",
        "tr",
        "rot13",
        "caesar",
        "unzip",
        "funzip",
        "7z",
        "7za",
        "ascii85",
        "qprint",
        "b64decode",
        "recode",
        "iconv",
        "uuencode",
        "crypt",
        "ccrypt",
        "mcrypt",
        "steghide",
        "unhex",
        "plutil",
        "pigz",
        "unpigz",
        "lzop",
        "dd",
        "cpio",
        "ar",
        "zlib-flate",
        "sops",
        "ansible-vault",
        "vault",
    ])
});

/// Files that never end.
pub(crate) fn is_endless_file(path: &str) -> bool {
    matches!(path, "/dev/zero" | "/dev/urandom" | "/dev/random" | "/dev/full")
}

/// Wrappers that do not change what a program puts out.
const WRAPPERS: &[&str] = &[
    "sudo",
    "doas",
    "env",
    "nice",
    "ionice",
    "timeout",
    "stdbuf",
    "nohup",
    "setsid",
    "time",
    "command",
    "builtin",
    "exec",
    "busybox",
    "toybox",
    "unbuffer",
    "proxychains",
    "torsocks",
    "gtimeout",
];

/// The place and name of the program behind the simplest wrappers, for a look from outside.
fn program_at(command: &Command) -> Option<(usize, Cow<'_, str>)> {
    command.words.iter().take(16).enumerate().find_map(|(place, word)| {
        let text = match word.pieces.as_slice() {
            [Piece::Text(text) | Piece::Glob(text)] => Cow::Borrowed(text.as_str()),
            _ => Cow::Owned(word.shown()),
        };
        let name = base_name(&text);
        let skipped = text.starts_with('-')
            || text.contains('=')
            || text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == 's')
            || WRAPPERS.contains(&name);
        if skipped {
            return None;
        }
        let name = match &text {
            Cow::Borrowed(text) => Cow::Borrowed(base_name(text)),
            Cow::Owned(_) => Cow::Owned(name.to_owned()),
        };
        Some((place, name))
    })
}

/// The program with its arguments.
pub(crate) fn program_of(command: &Command) -> Option<(String, Vec<Arg>)> {
    let (place, name) = program_at(command)?;
    Some((name.into_owned(), command.words.iter().skip(place + 1).map(Arg::from_word).collect()))
}

/// What one command puts out.
pub(crate) fn source_of(trial: &Trial<'_>, command: &Command) -> Source {
    let Some((_, name)) = program_at(command) else { return Source::Other };
    let has = |text: &str| command.words.iter().any(|word| word.literal().as_deref() == Some(text));
    let cloud = matches!(name.as_ref(), "aws" | "gcloud" | "az" | "mc" | "rclone" | "kubectl" | "docker");
    let fetches = FETCHERS.contains(name.as_ref())
        || (name == "openssl" && has("s_client"))
        || (cloud && ["cp", "cat", "logs", "download", "copyto", "rcat"].iter().any(|word| has(word)));
    let reads_socket = command.redirects.iter().any(|redirect| {
        redirect.kind == RedirectKind::Duplicate || super::access::is_socket(&redirect.target.shown())
    });
    if fetches || (reads_socket && name == "cat") {
        Source::Download
    } else if DECODERS.contains(name.as_ref()) || prints_codes(command, &name) {
        Source::Decoded
    } else if trial.rules.language(&name).is_some()
        || matches!(name.as_ref(), "awk" | "gawk" | "mawk" | "sed" | "printf" | "echo" | "jq")
    {
        Source::Generated
    } else {
        Source::Other
    }
}

/// `printf '\\154\\163'`: letters that somebody wrote as numbers.
fn prints_codes(command: &Command, name: &str) -> bool {
    let coded = |text: &str| {
        let codes = text.match_indices('\\').filter(|(place, _)| {
            text.get(place + 1..)
                .and_then(|rest| rest.chars().next())
                .is_some_and(|c| c == 'x' || c.is_ascii_digit())
        });
        codes.count() >= 2
    };
    matches!(name, "printf" | "echo") && command.words.iter().take(4).any(|word| coded(&word.shown()))
}

/// The most suspicious stage of the pipe that feeds a command.
pub(crate) fn piped(trial: &Trial<'_>, script: &Script, command: &Command) -> Option<Source> {
    let mut found = None;
    let mut next = command.reads_from;
    for _ in 0..STAGES {
        let Some(stage) = next.and_then(|place| script.commands.get(place)) else { break };
        found = found.max(Some(source_of(trial, stage)));
        next = stage.reads_from;
    }
    found
}

/// The most suspicious command of a text, such as the inside of a substitution.
pub(crate) fn in_script(trial: &Trial<'_>, script: &Script) -> Source {
    script.commands.iter().map(|command| source_of(trial, command)).max().unwrap_or(Source::Other)
}

/// What a redirection of this command would put into a file.
pub(crate) fn content_of(trial: &Trial<'_>, scene: &Scene<'_>) -> Content {
    let own = source_of(trial, scene.command);
    by_source(own.max(piped(trial, scene.script, scene.command).unwrap_or(Source::Other)))
}

/// What the pipe in front of this command carries.
pub(crate) fn content_before(trial: &Trial<'_>, scene: &Scene<'_>) -> Content {
    by_source(piped(trial, scene.script, scene.command).unwrap_or(Source::Other))
}

fn by_source(source: Source) -> Content {
    match source {
        Source::Download => Content::Download,
        Source::Decoded => Content::Decoded,
        Source::Generated | Source::Other => Content::Other,
    }
}

/// The stages in front of a command, nearest first.
pub(crate) fn stages<'a>(script: &'a Script, command: &'a Command) -> Vec<&'a Command> {
    let mut stages = Vec::new();
    let mut next = command.reads_from;
    while let Some(stage) = next.and_then(|place| script.commands.get(place)) {
        stages.push(stage);
        next = stage.reads_from;
        if stages.len() >= STAGES {
            break;
        }
    }
    stages
}
