//! The shells of Windows, as far as their worst words go.

use super::args::{Arg, join};
use super::judge::judge_text;
use super::model::Class;
use super::scene::Scene;
use super::trial::Trial;

/// Words that destroy or stop the machine, in lower case.
const WORST: &[&str] = &[
    "format-volume",
    "clear-disk",
    "initialize-disk",
    "remove-partition",
    "stop-computer",
    "restart-computer",
    "diskpart",
    "format c:",
    "format.com",
    "bcdedit",
    "vssadmin delete",
    "shutdown /s",
    "shutdown /r",
    "shutdown -s",
    "shutdown -r",
    "cipher /w",
];

/// Phrases that are worth a question, in lower case.
const GRAVE: &[&str] = &[
    "downloadstring",
    "downloadfile",
    "reg delete",
    "reg add",
    "net user",
    "net localgroup",
    "sc delete",
    "sc stop",
    "sc config",
    "new-object net.webclient",
    "net.sockets",
];

/// Words that are, whatever stands around them.
const WORDS: &[&str] = &[
    "iex",
    "ri",
    "del",
    "erase",
    "rd",
    "rmdir",
    "spps",
    "schtasks",
    "taskkill",
    "wmic",
    "attrib",
    "icacls",
    "takeown",
    "wevtutil",
    "certutil",
    "bitsadmin",
    "mshta",
    "rundll32",
    "regsvr32",
    "cscript",
    "wscript",
    "netsh",
    "iwr",
];

/// Verbs of cmdlets that delete, stop, start or change something.
const VERBS: &[&str] = &[
    "remove",
    "stop",
    "clear",
    "disable",
    "format",
    "restart",
    "uninstall",
    "unregister",
    "register",
    "suspend",
    "dismount",
    "revoke",
    "reset",
    "invoke",
    "start",
    "set",
    "add",
    "new",
    "enter",
    "install",
    "enable",
    "grant",
    "initialize",
];

/// What such verbs may be used on every day.
const EVERYDAY: &[&str] = &[
    "host",
    "location",
    "variable",
    "content",
    "item",
    "object",
    "job",
    "sleep",
    "date",
    "alias",
    "strictmode",
    "pester",
    "build",
    "table",
    "list",
    "wide",
    "custom",
    "hex",
    "timespan",
    "guid",
    "temporaryfile",
    "member",
    "transcript",
    "restmethod",
    "webrequest",
    "history",
    "module",
    "psdebug",
    "psbreakpoint",
];

/// `Remove-Item`, `Stop-Process`, `Set-MpPreference`: a verb that changes something.
fn is_grave_cmdlet(word: &str) -> bool {
    let Some((verb, noun)) = word.split_once('-') else { return false };
    if !VERBS.contains(&verb) || noun.is_empty() || !noun.chars().all(|c| c.is_ascii_alphabetic()) {
        return false;
    }
    let everyday = EVERYDAY.contains(&noun)
        && !(matches!(verb, "remove" | "clear") && matches!(noun, "item" | "content"));
    !everyday || (verb == "invoke" && noun == "webrequest")
}

/// A cmdlet that was typed where a program is expected.
pub(crate) fn is_cmdlet(name: &str) -> bool {
    name.split_once('-').is_some_and(|(verb, noun)| {
        let capital = |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase());
        capital(verb) && capital(noun) && verb.chars().chain(noun.chars()).all(|c| c.is_ascii_alphabetic())
    })
}

pub(crate) fn cmdlet(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    trial.changes();
    by_words(trial, scene, &format!("{name} {}", join(args).text));
}

pub(crate) fn powershell(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let mut rest = args.iter().enumerate();
    while let Some((place, arg)) = rest.next() {
        let option = arg.text.to_ascii_lowercase();
        let option = option.trim_start_matches(['-', '/']);
        let is = |name: &str, least: usize| {
            arg.text.starts_with(['-', '/']) && option.len() >= least && name.starts_with(option)
        };
        if is("encodedcommand", 1) && !is("executionpolicy", 2) || option == "ec" {
            scene.ask(
                trial,
                "encoded-command",
                "obfuscated_exec",
                "it runs commands that are written in a code",
            );
            if let Some(text) = rest.next().and_then(|(_, value)| decode(&value.text)) {
                windows_text(trial, scene, &text);
            }
            return;
        }
        if is("command", 1) || option == "c" {
            let text = join(args.get(place + 1..).unwrap_or_default());
            return windows_text(trial, scene, &text.text);
        }
        if is("file", 1) {
            return trial.changes();
        }
        if !arg.text.starts_with('-') {
            let text = join(args.get(place..).unwrap_or_default());
            return windows_text(trial, scene, &text.text);
        }
    }
    if let Some(text) = scene.input().map(str::to_owned) {
        windows_text(trial, scene, &text);
    } else if scene.is_fed() {
        scene.ask(trial, "run-unknown", "unknown", "it runs text that only running would tell");
    }
}

pub(crate) fn cmd(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let start = args
        .iter()
        .position(|arg| matches!(arg.text.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r" | "//c"));
    if let Some(start) = start {
        windows_text(trial, scene, &join(args.get(start + 1..).unwrap_or_default()).text);
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
}

fn windows_text(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    trial.changes();
    by_words(trial, scene, text);
    let mark = trial.mark();
    judge_text(trial, scene, text, scene.frame.clone());
    if trial.since(mark) < Class::Deny {
        trial.forget(mark);
    }
}

/// The words of a text, whatever they stand in.
fn by_words(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    let lower = text.to_ascii_lowercase();
    let removes = ["remove-item", "del ", "erase ", "rd ", "rmdir ", "ri ", "rm "]
        .iter()
        .any(|word| lower.contains(word));
    let deep = ["-recurse", "-r ", "/s", "-rf", "-fo"].iter().any(|word| lower.contains(word));
    let root = lower.split_whitespace().any(|word| {
        let word = word.trim_matches(['"', '\'']);
        matches!(
            word,
            "c:\\"
                | "c:\\*"
                | "c:"
                | "c:\\*.*"
                | "/"
                | "\\"
                | "c:/"
                | "c:/*"
                | "$env:systemdrive"
                | "%systemdrive%"
                | "c:\\windows"
                | "c:\\users"
                | "~"
                | "$home"
                | "$env:userprofile"
                | "%userprofile%"
                | "c:*"
                | "c:\\windows\\system32"
        )
    });
    if WORST.iter().any(|word| lower.contains(word)) || (removes && deep && root) {
        scene.deny(trial, "windows-destroy", "destructive_delete", "it destroys or stops the machine");
    } else if GRAVE.iter().any(|word| lower.contains(word))
        || words(&lower).any(|word| WORDS.contains(&word) || is_grave_cmdlet(word))
    {
        scene.ask(
            trial,
            "windows-grave",
            "system_config",
            "it deletes, downloads and runs, or changes the system",
        );
    }
}

/// Base64 of UTF-16, as `-EncodedCommand` takes it.
fn decode(text: &str) -> Option<String> {
    let bytes = unpack(text)?;
    let units =
        bytes.chunks_exact(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok()).map(u16::from_le_bytes);
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

/// The bytes behind base64.
pub(crate) fn unpack(text: &str) -> Option<Vec<u8>> {
    let mut bits: u32 = 0;
    let mut count = 0;
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    Some(bytes)
}
