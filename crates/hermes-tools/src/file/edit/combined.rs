//! Whole lines that differ in several ways at once: in punctuation, in how accents are put together, in blanks behind
//! them, in the indentation as a whole. Each by itself cannot change the meaning, so neither can all of them.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::blocks::{lines_with_places, without_final_newline};
use super::indent::Mapping;
use super::places::with_few_overlapping;
use super::punctuation::Dash;
use super::replace::Edit;
use super::signs::{Seen, places_seen_as, with_own_signs};
use super::steps::Levels;

/// All runs of whole lines that are seen as `old`, with `reindent` also at another depth. Lines that `new` repeats keep
/// every byte. None where it is not certain of all places what becomes of them: one that cannot be had must not make
/// another the only one. Runs may overlap.
pub(super) fn find_all(content: &str, old: &str, new: &str, reindent: bool) -> Vec<Edit> {
    let with_end = old.ends_with('\n') && !new.ends_with('\n');
    let (old, new) = without_final_newline(old, new);
    let wanted: Vec<&str> = old.split('\n').collect();
    if wanted.iter().all(|line| line.trim().is_empty()) {
        return Vec::new();
    }
    // One line alone shows too little of a block for others to be put beside it.
    if reindent && wanted.len() == 1 && new.contains('\n') {
        return Vec::new();
    }
    let lines = lines_with_places(content);
    let levels = Levels::of(content);
    let texts = lines.iter().map(|(_, line)| *line);
    let edit = |first: usize| {
        let run = lines.get(first..first + wanted.len())?;
        let ((start, _), (last, line)) = (run.first()?, run.last()?);
        let end = last + line.len();
        let own: Vec<&str> = run.iter().map(|(_, line)| *line).collect();
        let written = written(&own, &wanted, new, reindent.then_some(&levels))?;
        // The file's last line may have none.
        Some((*start..end + usize::from(with_end && end < content.len()), written))
    };
    let places = with_few_overlapping(places_seen_as(texts, &wanted, reindent), wanted.len());
    places.into_iter().map(edit).collect::<Option<Vec<Edit>>>().unwrap_or_default()
}

/// What `new` becomes in place of the file's `own` lines; with the levels of the file as deep as those are.
fn written(own: &[&str], old: &[&str], new: &str, levels: Option<&Levels<'_>>) -> Option<String> {
    let mut text = with_own_signs(own, old, new)?;
    if let Some(levels) = levels {
        let (olds, owns) = (seen(old), seen(own));
        let pairs: Vec<(&str, &str)> =
            olds.iter().map(String::as_str).zip(owns.iter().map(String::as_str)).collect();
        text = Mapping::learn(&pairs, &old.join("\n"), new, levels)?.apply(&text)?;
    }
    let news: Vec<&str> = new.split('\n').collect();
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.len() != news.len() {
        return None;
    }
    for change in capture_diff_slices(Algorithm::Myers, old, &news) {
        let (tag, olds, news) = change.as_tag_tuple();
        if tag == DiffTag::Equal {
            lines.get_mut(news)?.copy_from_slice(own.get(olds)?);
        }
    }
    Some(lines.join("\n"))
}

/// Lines as they are seen: their indentation may have blanks of other kinds.
fn seen(lines: &[&str]) -> Vec<String> {
    let seen = lines.iter().map(|line| Seen::of(line, Dash::Single));
    seen.map(|line| format!("{}{}", line.indent, line.rest)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::edit::punctuation::plain;
    use crate::file::edit::replace;

    #[test]
    fn both_at_once_and_the_rest_as_it_was() {
        let content = "a “quoted” line  \nit’s the second\t\n“third”\n";
        let made = replace(
            content,
            "a \"quoted\" line\nit's the second\n\"third\"",
            "a \"quoted\" line\nit's another second\n\"third\"",
            false,
        );
        let made = made.unwrap();
        assert_eq!(made.content, "a “quoted” line  \nit’s another second\n“third”\n");
        assert_eq!(made.strategy, "signs and trailing blanks");
        let nested = "    if x:\n        say(“it’s”)\n";
        let made = replace(nested, "if x:\n    say(\"it's\")", "if y:\n    say(\"it's\")", false).unwrap();
        assert_eq!(made.content, "    if y:\n        say(“it’s”)\n");
        let made = replace(content, "a \"quoted\" line\nit's the second", "it's the second", false).unwrap();
        assert_eq!(made.content, "it’s the second\t\n“third”\n");
        let made = replace(content, "it's the second\n\"third\"", "it's the second\nx\n\"third\"", false);
        assert_eq!(made.unwrap().content, "a “quoted” line  \nit’s the second\t\nx\n“third”\n");
    }

    fn typographic() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec!["a", "b ", "“a”", "it’s", "–", "…", "\"b\"", " ", "-", "x = 1"]);
        prop::collection::vec(word, 1..5).prop_map(|words| words.concat())
    }

    fn bare(text: &str) -> String {
        let text = plain(text, Dash::Single).text;
        text.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect::<Vec<_>>().join("\n")
    }

    proptest! {
        /// Seen without typography and trailing blanks, exactly the one place has changed; every other line has
        /// every byte it had.
        #[test]
        fn nothing_changes_but_what_was_meant(
            lines in prop::collection::vec((typographic(), "[ \t]{0,2}"), 1..7), from in 0_usize..6, count in 1_usize..4,
            changed in 0_usize..3, indent in "[ ]{0,4}", addition in "[a-z]{1,3}|[a-z]\"[a-z]|'",
        ) {
            let file: Vec<String> = lines.iter().map(|(line, end)| format!("{indent}{line}{end}")).collect();
            let (from, count) = (from.min(file.len() - 1), count.min(file.len()));
            let meant: Vec<&(String, String)> = lines.iter().skip(from).take(count).collect();
            let changed = changed.min(meant.len() - 1);
            let old: Vec<String> = meant.iter().map(|(line, _)| bare(line)).collect();
            // A line without anything has no depth of its own.
            prop_assume!(!old[changed].trim().is_empty());
            let mut new = old.clone();
            new[changed] = format!("{}{addition}", new[changed]);
            for reindent in [false, true] {
                let shift = if reindent { "" } else { indent.as_str() };
                let shifted = |lines: &[String]| lines.iter().map(|line| format!("{shift}{line}")).collect::<Vec<_>>().join("\n");
                let content = file.join("\n") + "\n";
                let Ok(made) = replace(&content, &shifted(&old), &shifted(&new), false) else { continue };
                if !made.strategy.contains(" and ") { continue; }
                let after: Vec<&str> = made.content.split('\n').collect();
                let before: Vec<&str> = content.split('\n').collect();
                prop_assert_eq!(before.len(), after.len());
                let different: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
                prop_assert_eq!(different.len(), 1, "{:?} {:?}", before, after);
                let at = different[0];
                prop_assert_eq!(format!("{}{addition}", bare(before[at])), bare(after[at]));
            }
        }
    }
}
