//! What a call would do with what it is given.

use crate::command::access::{read, write};
use crate::command::args::{Arg, base_name};
use crate::command::call::judge_words;
use crate::command::literals;
use crate::command::ruleset::Family;
use crate::command::scene::Scene;
use crate::command::sensitive::{Sensitive, Use, sensitive_arg};
use crate::command::shells::run_text;
use crate::command::tokens::Token;
use crate::command::trial::Trial;

use super::inside::Inside;
use super::seen::Seen;

/// Starts a program; true if that is a shell which is told later what to do.
pub(super) fn run(trial: &mut Trial<'_>, scene: &Scene<'_>, inside: &Inside<'_>, word: &str) -> bool {
    let folder = inside.folder.map(|folder| scene.locate(trial, &Arg::certain(folder)).path);
    match folder {
        Some(folder) => start(trial, &scene.within(scene.frame.in_folder(folder)), inside, word),
        None => start(trial, scene, inside, word),
    }
    is_bare_shell(trial, &inside.texts)
}

fn start(trial: &mut Trial<'_>, scene: &Scene<'_>, inside: &Inside<'_>, word: &str) {
    trial.changes();
    if is_bare_shell(trial, &inside.texts) {
        let reason = "the code opens a shell that takes its commands from somebody else";
        scene.ask(trial, "code-shell", "reverse_shell", reason);
    }
    if inside.texts.is_empty() && inside.letters.len() > 3 {
        literals::judge_string(trial, scene, &String::from_utf8_lossy(&inside.letters));
    }
    if inside.decoded {
        for text in &inside.texts {
            literals::judge_string(trial, scene, text);
            literals::judge_string(trial, scene, &rotated(text));
        }
        if inside.letters.len() > 3 {
            literals::judge_string(trial, scene, &String::from_utf8_lossy(&inside.letters));
        }
        let reason = format!("`{word}` in the code starts what stands there in a code of letters");
        return scene.ask(trial, "code-decoded", "obfuscated_exec", reason);
    }
    if inside.joined {
        let reason = format!("`{word}` in the code starts a program that only running would tell");
        scene.ask(trial, "code-run", "unknown", reason);
    }
    match (inside.texts.as_slice(), inside.words) {
        ([], _) => scene.ask(
            trial,
            "code-run",
            "unknown",
            format!("`{word}` in the code starts a program that only running would tell"),
        ),
        ([text], false) => run_text(trial, scene, &Arg::certain(*text), &[], scene.frame.clone()),
        (texts, _) => {
            let words: Vec<Arg> = texts.iter().map(|text| Arg::certain(*text)).collect();
            // `system("rm -rf x", …)` is a text even if more strings follow.
            match words.split_first() {
                Some((first, _)) if first.text.contains(' ') => {
                    run_text(trial, scene, first, &[], scene.frame.clone())
                }
                _ => judge_words(trial, scene, &words),
            }
        }
    }
}

/// `system("/bin/sh")`, `spawn("bash", ["-i"])`: a shell without a text or a script to run.
fn is_bare_shell(trial: &Trial<'_>, texts: &[&str]) -> bool {
    let mut words = texts.iter().take(4).flat_map(|text| text.split_whitespace());
    let shell =
        words.next().is_some_and(|program| trial.rules.family(base_name(program)) == Some(Family::Shell));
    shell
        && words
            .all(|word| matches!(word, "w" | "-i" | "-p" | "-l" | "-il" | "-li" | "--login" | "--noprofile"))
}

pub(super) fn each_path(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    inside: &Inside<'_>,
    word: &str,
    mut act: impl FnMut(&mut Trial<'_>, &Arg),
) {
    if inside.texts.is_empty() {
        return scene.ask(
            trial,
            "code-delete",
            "destructive_delete",
            format!("`{word}` in the code changes files that only running would tell"),
        );
    }
    for text in &inside.texts {
        let pattern = text.contains(['*', '?']);
        act(trial, &Arg { text: (*text).to_owned(), pattern, hints: Vec::new() });
    }
}

/// `rot13`
fn rotated(text: &str) -> String {
    let turn = |letter: char, first: u8| {
        let place = u8::try_from(letter).unwrap_or(first).saturating_sub(first);
        char::from(first + (place + 13) % 26)
    };
    let letters = text.chars().map(|letter| match letter {
        'a'..='z' => turn(letter, b'a'),
        'A'..='Z' => turn(letter, b'A'),
        other => other,
    });
    letters.collect()
}

/// `open(path, 'w')`, `open(F, ">path")`, `open(F, "|-", "sh")`; true if a shell is opened and told later what to do.
pub(super) fn open(trial: &mut Trial<'_>, scene: &Scene<'_>, inside: &Inside<'_>) -> bool {
    let mode = inside
        .texts
        .iter()
        .skip(1)
        .find(|text| text.len() <= 4 && text.chars().all(|c| "rwaxbt+<>|U".contains(c)));
    let Some(first) = inside.texts.first() else { return false };
    let arrow = first.starts_with(['>', '+']);
    let piped = first.starts_with('|') || (first.ends_with('|') && first.len() > 1);
    let writes = inside.creates || arrow || mode.is_some_and(|mode| mode.contains(['w', 'a', 'x', '+', '>']));
    if piped {
        let apart = inside.texts.get(1..).unwrap_or_default().join(" ");
        let program = match first.trim_matches(['|', ' ']) {
            "-" | "" => apart.as_str(),
            program => program,
        };
        let feeds = first.starts_with('|') && is_bare_shell(trial, &[program]);
        if feeds {
            let reason = "the code opens a shell and tells it what to do";
            scene.ask(trial, "code-shell", "obfuscated_exec", reason);
        }
        run_text(trial, scene, &Arg::certain(program), &[], scene.frame.clone());
        return feeds;
    }
    if writes {
        let shown = first.trim_start_matches(['>', '+', '<', ' ']);
        let path = if shown.is_empty() { inside.texts.get(1).copied().unwrap_or("") } else { shown };
        write(trial, scene, &Arg::certain(path));
    } else {
        read(trial, scene, &Arg::certain(first.trim_start_matches(['<', ' '])));
    }
    false
}

pub(super) fn kill(trial: &mut Trial<'_>, scene: &Scene<'_>, tokens: &[Token<'_>], place: usize) {
    let all = tokens
        .get(place + 1..)
        .unwrap_or_default()
        .windows(2)
        .take(8)
        .any(|two| matches!(two, [Token::Mark('-'), Token::Number("1")]));
    if all {
        return scene.deny(trial, "kill-all", "process_kill", "the code ends every process it can reach");
    }
    scene.ask(trial, "code-kill", "process_kill", "the code ends processes");
}

/// A string that names a secret.
pub(super) fn mentions(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str, seen: &mut Seen<'_>) {
    if text.len() > 200 || text.contains([' ', '\n']) || !text.contains(['/', '.']) {
        return;
    }
    let arg = Arg::certain(text);
    let place = scene.locate(trial, &arg);
    let found = sensitive_arg(&arg, &place, trial, Use::Read);
    let secret = Some(Sensitive::Credential) == found
        || Some(Sensitive::ProcessSecrets) == found
        || Some(Sensitive::History) == found;
    if secret {
        seen.secret = true;
        scene.ask(
            trial,
            "code-secret",
            "credential_access",
            format!("the code names {text}, which holds secrets"),
        );
    }
}
