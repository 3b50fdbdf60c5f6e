//! From an argument to the place it names, without looking at the disk.

use crate::command::args::{Arg, HOLE};
use crate::command::model::Stage;
use crate::shell::glob_matches;

use super::kind::{Kind, Place, kind_of, pattern_kind};
use super::path::normal;

pub(crate) fn locate(arg: &Arg, cwd: Option<&str>, stage: &Stage) -> Place {
    let text = arg.text.as_str();
    let (known, open) = match text.find(HOLE) {
        Some(0) => return unknown(arg, cwd, stage),
        Some(_) => (text.split(HOLE).next().unwrap_or(""), true),
        None => (text, false),
    };
    let Some(absolute) = absolute(known, cwd, stage) else {
        return Place { kind: Kind::Unknown, path: None, contents: false };
    };
    if !open {
        return place_of(normal(&absolute), arg.pattern, stage);
    }
    // What is unknown is beneath what is known: `/etc/pass$x` is beneath /etc, `/home/$USER` is a home.
    let mut hints = arg.hints.iter();
    let mut filled = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            // `${x:?}` cannot be empty; everything else can, and then the folder itself is meant.
            HOLE if hints.next().is_some_and(|hint| hint.contains(":?")) => filled.push_str("name"),
            HOLE => filled.push('*'),
            letter => filled.push(letter),
        }
    }
    let whole = self::absolute(&filled, cwd, stage).unwrap_or_default();
    place_of(normal(&whole), true, stage)
}

/// The same for a path that is known to the last letter.
fn locate_path(path: &str, cwd: Option<&str>, stage: &Stage) -> Place {
    match absolute(path, cwd, stage) {
        Some(absolute) => place_of(normal(&absolute), false, stage),
        None => Place { kind: Kind::Unknown, path: None, contents: false },
    }
}

fn place_of(path: String, patterned: bool, stage: &Stage) -> Place {
    let mut contents = false;
    let mut whole = path.as_str();
    if patterned {
        while let Some((parent, last)) = whole.rsplit_once('/') {
            if !takes_everything(last) {
                break;
            }
            contents = true;
            whole = if parent.is_empty() { "/" } else { parent };
            if whole == "/" {
                break;
            }
        }
    }
    let kind = if patterned { pattern_kind(whole, stage) } else { kind_of(whole, stage) };
    Place { kind, path: Some(path), contents }
}

/// `*`, `.*`, `?*`, `**`, `[!.]*`, `{*,.*}`: all or nearly all of a folder.
fn takes_everything(component: &str) -> bool {
    const SAMPLES: &[&str] = &["alpha", "Beta", "data1", "x.txt"];
    component.contains('*')
        && (component == ".*"
            || component == ".[!.]*"
            || component == ".[^.]*"
            || component == ".??*"
            || SAMPLES.iter().all(|sample| glob_matches(component, sample)))
}

fn unknown(arg: &Arg, cwd: Option<&str>, stage: &Stage) -> Place {
    let hint = arg.hints.first().map(String::as_str).unwrap_or_default();
    let rest = arg.text.get(1..).unwrap_or("");
    let temporary =
        hint.contains("mktemp") || hint.to_ascii_lowercase().contains("tmp") || hint.contains("TEMP");
    let here = matches!(hint, "$(pwd)" | "`pwd`" | "$(pwd -P)" | "$(git rev-parse --show-toplevel)");
    if rest.split('/').any(|part| part == "..") || rest.contains(HOLE) {
        return Place { kind: Kind::Unknown, path: None, contents: false };
    }
    if temporary {
        return Place { kind: Kind::Temp, path: None, contents: false };
    }
    match cwd.filter(|_| here) {
        Some(cwd) => locate_path(&format!("{cwd}{rest}"), None, stage),
        None => Place { kind: Kind::Unknown, path: None, contents: false },
    }
}

fn absolute(text: &str, cwd: Option<&str>, stage: &Stage) -> Option<String> {
    if text.starts_with('/') {
        Some(text.to_owned())
    } else if text == "~" || text.starts_with("~/") {
        Some(format!("{}{}", stage.home, text.get(1..).unwrap_or("")))
    } else if let Some(user) = text.strip_prefix('~').filter(|user| user.starts_with(char::is_alphabetic)) {
        Some(if user == "root" || user.starts_with("root/") {
            format!("/{user}")
        } else {
            format!("/home/{user}")
        })
    } else {
        cwd.map(|cwd| format!("{cwd}/{text}"))
    }
}
