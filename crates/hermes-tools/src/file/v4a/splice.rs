//! Puts a hunk into the file at the place it was found: what the patch does not change stays as the file has it.

use std::ops::Range;

use super::hunk::{Lines, Tolerance, old_lines};
use super::parse::Line;
use crate::file::edit::{
    Levels, Mapping, keep_accents, keep_blanks, own_endings, with_own_punctuation, with_own_signs,
};

/// Puts the hunk in: context lines stay as the file has them, added lines take the file's indentation.
pub(super) fn splice(file: &mut Lines, lines: &[Line], place: usize, tolerance: Tolerance) -> Option<usize> {
    let wanted = old_lines(lines);
    let run: Vec<String> = file.lines.get(place..place + wanted.len())?.to_vec();
    let mapping = match tolerance {
        Tolerance::Indentation | Tolerance::SignsAndIndentation => {
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
    let mut own = run.into_iter().zip(file.endings.get(place..place + wanted.len())?.to_vec());
    let mut result: Vec<(String, &'static str)> = Vec::new();
    let first = ending_above(file, place);
    let above = |result: &[(String, &'static str)]| result.last().map_or(first, |(_, ending)| *ending);
    for part in lines.chunk_by(|one, next| is_change(one) == is_change(next)) {
        if !part.first().is_some_and(is_change) {
            for (line, ending) in own.by_ref().take(part.len()) {
                let ending = if ending.is_empty() { above(&result) } else { ending };
                result.push((line, ending));
            }
            continue;
        }
        let texts = |added: bool| -> Vec<&str> {
            part.iter().filter(|line| matches!(line, Line::Add(_)) == added).map(Line::text).collect()
        };
        let (removed, added) = (texts(false), texts(true));
        let (gone, endings): (Vec<String>, Vec<&'static str>) = own.by_ref().take(removed.len()).unzip();
        if added.is_empty() {
            continue;
        }
        let written = rewritten(&gone, &removed, &added, tolerance)?;
        let written = match &mapping {
            Some(mapping) => mapping.apply(&written)?,
            None => written,
        };
        let old: Vec<(&str, &'static str)> = gone.iter().map(String::as_str).zip(endings).collect();
        let new: Vec<&str> = written.split('\n').collect();
        let endings = own_endings(&old, &new, &[], above(&result));
        result.extend(new.into_iter().map(str::to_owned).zip(endings));
    }
    let count = result.len();
    put(file, place..place + wanted.len(), result);
    Some(place + count)
}

pub(super) fn is_change(line: &Line) -> bool {
    matches!(line, Line::Add(_) | Line::Remove(_))
}

/// The added lines, with the file's own writing where they repeat what was removed.
fn rewritten(own: &[String], removed: &[&str], added: &[&str], tolerance: Tolerance) -> Option<String> {
    let (old, new) = (removed.join("\n"), added.join("\n"));
    Some(match tolerance {
        _ if removed.is_empty() => new,
        Tolerance::BlanksBetweenWords => keep_blanks(&own.join("\n"), &old, &new),
        Tolerance::Punctuation => {
            let own: Vec<&str> = own.iter().map(|line| line.trim_end_matches([' ', '\t'])).collect();
            let old: Vec<&str> = removed.iter().map(|line| line.trim_end_matches([' ', '\t'])).collect();
            with_own_punctuation(&own.join("\n"), &old.join("\n"), &new)
        }
        Tolerance::Composition => keep_accents(&own.join("\n"), &old, &new),
        Tolerance::Signs | Tolerance::SignsAndIndentation => {
            let own: Vec<&str> = own.iter().map(String::as_str).collect();
            with_own_signs(&own, removed, &new)?
        }
        _ => new,
    })
}

/// Replaces lines. The last line of the file keeps or keeps lacking its ending.
pub(super) fn put(file: &mut Lines, range: Range<usize>, lines: Vec<(String, &'static str)>) {
    let had_end = file.endings.last().is_none_or(|ending| !ending.is_empty());
    // What stood at the end of the file without an ending stands above another line now.
    if let Some(above) = range.start.checked_sub(1) {
        let ending = ending_above(file, above);
        file.endings
            .iter_mut()
            .skip(above)
            .take(1)
            .filter(|own| own.is_empty())
            .for_each(|own| *own = ending);
    }
    let (lines, endings): (Vec<String>, Vec<&'static str>) = lines.into_iter().unzip();
    file.lines.splice(range.clone(), lines);
    file.endings.splice(range, endings);
    if !had_end && let Some(last) = file.endings.last_mut() {
        *last = "";
    }
}

/// The ending that a line takes from the one above it, or else from most lines of the file.
pub(super) fn ending_above(file: &Lines, place: usize) -> &'static str {
    let above = file.endings.iter().take(place).rev().find(|ending| !ending.is_empty());
    above.copied().unwrap_or_else(|| {
        let count = |ending| file.endings.iter().filter(|own| **own == ending).count();
        if count("\r\n") > count("\n") { "\r\n" } else { "\n" }
    })
}
