//! Whole lines that differ in their punctuation and in their blanks at once. Each line is taken by itself, so that none
//! that stays loses the file's own signs or blanks.

use super::blocks::{self, Block};
use super::punctuation::{Dash, keep_punctuation, plain};
use super::replace::Edit;
use super::view::View;

/// All runs of whole lines that equal `old` but for typography and trailing blanks, with `reindent` also but for the
/// indentation as a whole. None where it is not certain line by line what becomes of them.
pub(super) fn find_all(content: &str, old: &str, new: &str, reindent: bool) -> Vec<Edit> {
    // Lines that come or go leave open which of the others stay.
    if old.matches('\n').count() != new.matches('\n').count() {
        return Vec::new();
    }
    // Both are seen plainly here, so typography that the caller brings would be lost.
    let signs = |text: &str| text.chars().filter(|sign| !sign.is_ascii()).count();
    if signs(new) > signs(old) {
        return Vec::new();
    }
    let edits = |dash| {
        let view = plain(content, dash);
        let (old, new) = (plain(old, dash).text, plain(new, dash).text);
        let blocks = blocks::find_all(&view.text, &old, &new, reindent);
        // One place that cannot be had must not make another the only one.
        let edits = blocks.into_iter().map(|block| edit(content, &view, block, dash));
        edits.collect::<Option<Vec<Edit>>>().unwrap_or_default()
    };
    let single = edits(Dash::Single);
    if single.is_empty() { edits(Dash::Double) } else { single }
}

fn edit(content: &str, view: &View, block: Block, dash: Dash) -> Option<Edit> {
    let range = view.original(block.range.clone())?;
    let (region, seen) = (content.get(range.clone())?, view.text.get(block.range)?);
    let lines: Vec<&str> = block.new.split('\n').collect();
    if region.split('\n').count() != lines.len() {
        return None;
    }
    let written: Option<Vec<String>> = region
        .split('\n')
        .zip(seen.split('\n'))
        .zip(lines)
        .map(|((own, seen), new)| line(own, seen, new, dash))
        .collect();
    Some((range, written?.join("\n")))
}

/// A line of the file, as it is seen plainly and as it is to be.
fn line(own: &str, seen: &str, new: &str, dash: Dash) -> Option<String> {
    let bare = |line: &str| line.trim_end_matches([' ', '\t']).len();
    if seen.get(..bare(seen)) == new.get(..bare(new)) {
        return Some(own.to_owned());
    }
    let written = keep_punctuation(own, seen, new, dash);
    (plain(&written, dash).text == new).then_some(written)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
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
        assert_eq!(made.strategy, "typographic punctuation and trailing blanks");
        let nested = "    if x:\n        say(“it’s”)\n";
        let made = replace(nested, "if x:\n    say(\"it's\")", "if y:\n    say(\"it's\")", false).unwrap();
        assert_eq!(made.content, "    if y:\n        say(“it’s”)\n");
        assert!(replace(content, "a \"quoted\" line\nit's the second", "gone", false).is_err());
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
