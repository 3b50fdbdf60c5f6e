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

const GRAVE: &[&str] = &[
    "invoke-expression",
    "iex ",
    "iex(",
    "downloadstring",
    "downloadfile",
    "invoke-webrequest",
    "iwr ",
    "start-process",
    "set-executionpolicy",
    "new-service",
    "stop-service",
    "remove-item",
    "ri ",
    "stop-process",
    "reg delete",
    "reg add",
    "schtasks",
    "net user",
    "add-mppreference",
    "set-mppreference",
    "del ",
    "erase ",
    "rd ",
    "rmdir ",
    "taskkill",
    "wmic ",
    "sc delete",
    "attrib ",
    "icacls",
    "takeown",
    "clear-eventlog",
    "wevtutil",
    "remove-itemproperty",
    "clear-content",
    "certutil",
    "bitsadmin",
    "mshta",
    "rundll32",
    "regsvr32",
    "invoke-command",
    "enter-pssession",
    "convertto-securestring",
];

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

fn windows_text(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    trial.changes();
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
    } else if GRAVE.iter().any(|word| lower.contains(word)) {
        scene.ask(
            trial,
            "windows-grave",
            "system_config",
            "it deletes, downloads and runs, or changes the system",
        );
    }
    let mark = trial.mark();
    judge_text(trial, scene, text, scene.frame.clone());
    if trial.since(mark) < Class::Deny {
        trial.forget(mark);
    }
}

/// Base64 of UTF-16, as `-EncodedCommand` takes it.
fn decode(text: &str) -> Option<String> {
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
    let units =
        bytes.chunks_exact(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok()).map(u16::from_le_bytes);
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}
