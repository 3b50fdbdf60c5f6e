//! Puts a hunk into the file at the place it was found: what the patch does not change stays as the file has it.

use super::hunk::{Lines, Tolerance, old_lines};
use super::parse::Line;
use crate::file::edit::{Levels, Mapping, keep_blanks, with_own_punctuation};

/// Puts the hunk in: context lines stay as the file has them, added lines take the file's indentation.
pub(super) fn splice(file: &mut Lines, lines: &[Line], place: usize, tolerance: Tolerance) -> Option<usize> {
    let wanted = old_lines(lines);
    let run: Vec<String> = file.lines.get(place..place + wanted.len())?.to_vec();
    let mapping = match tolerance {
        Tolerance::Indentation => {
            let pairs: Vec<(&str, &str)> =
                wanted.iter().copied().zip(run.iter().map(String::as_str)).collect();
            let added: Vec<&str> = lines
                .iter()
                .filter_map(|line| if let Line::Add(text) = line { Some(text.as_str()) } else { None })
                .collect();
            let (old, new) = (wanted.join("\n"), added.join("\n"));
            Some(Mapping::learn(&pairs, &old, &new, &Levels::of(&file.text()))?)
        }
        _ => None,
    };
    let mut own = run.into_iter();
    let mut result: Vec<String> = Vec::new();
    for part in lines.chunk_by(|one, next| is_change(one) == is_change(next)) {
        if !part.first().is_some_and(is_change) {
            result.extend(own.by_ref().take(part.len()));
            continue;
        }
        let texts = |added: bool| -> Vec<&str> {
            part.iter().filter(|line| matches!(line, Line::Add(_)) == added).map(Line::text).collect()
        };
        let (removed, added) = (texts(false), texts(true));
        let gone: Vec<String> = own.by_ref().take(removed.len()).collect();
        if added.is_empty() {
            continue;
        }
        let written = match &mapping {
            Some(mapping) => mapping.apply(&added.join("\n"))?,
            None => rewritten(&gone, &removed, &added, tolerance),
        };
        result.extend(written.split('\n').map(str::to_owned));
    }
    let count = result.len();
    put(file, place..place + wanted.len(), result);
    Some(place + count)
}

fn is_change(line: &Line) -> bool {
    matches!(line, Line::Add(_) | Line::Remove(_))
}

/// The added lines, with the file's own writing where they repeat what was removed.
fn rewritten(own: &[String], removed: &[&str], added: &[&str], tolerance: Tolerance) -> String {
    let (old, new) = (removed.join("\n"), added.join("\n"));
    match tolerance {
        _ if removed.is_empty() => new,
        Tolerance::BlanksBetweenWords => keep_blanks(&own.join("\n"), &old, &new),
        Tolerance::Punctuation => {
            let own: Vec<&str> = own.iter().map(|line| line.trim_end_matches([' ', '\t'])).collect();
            let old: Vec<&str> = removed.iter().map(|line| line.trim_end_matches([' ', '\t'])).collect();
            with_own_punctuation(&own.join("\n"), &old.join("\n"), &new)
        }
        _ => new,
    }
}

/// Replaces lines, keeping endings: each new line takes the ending of the line it stands for, the last
/// line of the file keeps or keeps lacking its own.
pub(super) fn put(file: &mut Lines, range: std::ops::Range<usize>, lines: Vec<String>) {
    let had_end = file.endings.last().is_none_or(|ending| !ending.is_empty());
    let usual = file.endings.iter().copied().find(|ending| !ending.is_empty()).unwrap_or("\n");
    let old: Vec<&'static str> = file.endings.get(range.clone()).unwrap_or_default().to_vec();
    let endings: Vec<&'static str> = (0..lines.len())
        .map(|index| old.get(index).copied().filter(|ending| !ending.is_empty()).unwrap_or(usual))
        .collect();
    file.lines.splice(range.clone(), lines);
    file.endings.splice(range, endings);
    let last = file.endings.len().saturating_sub(1);
    for (index, ending) in file.endings.iter_mut().enumerate() {
        if index < last && ending.is_empty() {
            *ending = usual;
        } else if index == last && !had_end {
            *ending = "";
        }
    }
}
