//! Shell text that stands as a string in another program's code, plain, in hexadecimal or in base64.

use super::judge::judge_text;
use super::model::Class;
use super::produced;
use super::scene::Scene;
use super::tokens::Token;
use super::trial::Trial;
use crate::shell::Command;

/// How many strings of one piece of code are tried.
const STRINGS: usize = 24;

/// Tries the strings of every program in front of this one.
pub(crate) fn judge_upstream(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    for stage in produced::stages(scene.script, scene.command) {
        judge_producer(trial, scene, stage);
    }
}

pub(crate) fn judge_producer(trial: &mut Trial<'_>, scene: &Scene<'_>, command: &Command) {
    for word in &command.words {
        let text = word.shown();
        if text.contains(['"', '\'']) {
            judge_code(trial, scene, &text);
        }
    }
}

/// Judges strings of code as if a shell got them, and keeps only what must never happen: the rest of the
/// code may do anything with them.
pub(crate) fn judge_code(trial: &mut Trial<'_>, scene: &Scene<'_>, code: &str) {
    for text in strings(code).into_iter().take(STRINGS) {
        judge_string(trial, scene, &text);
    }
}

/// The same for strings whose marks have been read, such as the end of a line in `"rm -rf /\n"`.
pub(crate) fn judge_tokens(trial: &mut Trial<'_>, scene: &Scene<'_>, tokens: &[Token<'_>]) {
    for text in tokens.iter().filter_map(Token::text).filter(|text| text.contains('\n')).take(STRINGS) {
        judge_string(trial, scene, text);
    }
}

/// The same for one string.
pub(crate) fn judge_string(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    for reading in [Some(text.to_owned()), unhex(text), base64(text)].into_iter().flatten() {
        if !reading.contains([' ', '/']) && reading.len() < 4 {
            continue;
        }
        let mark = trial.mark();
        judge_text(trial, scene, &reading, scene.frame.clone());
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
        }
    }
}

/// What strings of code say that stand there in hexadecimal or in base64.
pub(crate) fn unpacked(code: &str) -> Vec<String> {
    let strings = strings(code).into_iter().take(STRINGS);
    strings.filter_map(|text| unhex(&text).or_else(|| base64(&text))).collect()
}

/// The quoted strings of a text, whatever the language.
pub(crate) fn strings(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut letters = code.chars();
    while let Some(letter) = letters.next() {
        if letter != '"' && letter != '\'' && letter != '`' {
            continue;
        }
        let mut text = String::new();
        let mut escaped = false;
        for inner in letters.by_ref() {
            match inner {
                _ if escaped => {
                    text.push(inner);
                    escaped = false;
                }
                '\\' => escaped = true,
                _ if inner == letter => break,
                _ => text.push(inner),
            }
        }
        found.push(text);
        if found.len() >= 4096 {
            break;
        }
    }
    found
}

fn unhex(text: &str) -> Option<String> {
    if text.len() < 8 || !text.len().is_multiple_of(2) || !text.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    let bytes: Option<Vec<u8>> = digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect();
    String::from_utf8(bytes?).ok()
}

fn base64(text: &str) -> Option<String> {
    if text.len() < 8 || !text.len().is_multiple_of(4) || text.contains(' ') {
        return None;
    }
    String::from_utf8(super::windows::unpack(text)?).ok()
}
