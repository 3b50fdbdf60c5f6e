//! What stands before or behind a stem and makes it another word. Two words of one stem are two words, however few
//! letters they are apart: `deactivate` undoes what `reactivate` does, and an `employer` is no `employee`.

const BEFORE: [&str; 30] = [
    "", "a", "ab", "anti", "de", "dis", "down", "e", "em", "en", "ex", "extra", "il", "im", "in", "inter",
    "intra", "ir", "mis", "non", "off", "on", "out", "over", "post", "pre", "re", "sub", "un", "up",
];
const BEHIND: [&str; 11] = ["able", "e", "ed", "ee", "er", "ful", "ing", "ion", "ive", "less", "ment"];
/// A shorter rest is no stem.
const MIN_STEM: usize = 3;

/// Whether two different words have one stem, with another beginning or another ending.
pub(super) fn means_another(written: &str, word: &str) -> bool {
    let is_stem = |stem: &&str| stem.len() >= MIN_STEM;
    let headless =
        |word| BEFORE.iter().filter_map(move |before| str::strip_prefix(word, before)).filter(is_stem);
    let endless =
        |word| BEHIND.iter().filter_map(move |behind| str::strip_suffix(word, behind)).filter(is_stem);
    headless(written).any(|stem| headless(word).any(|other| stem == other))
        || endless(written).any(|stem| endless(word).any(|other| stem == other))
}

#[cfg(test)]
mod tests {
    use super::means_another;

    #[test]
    fn one_stem_and_two_words() {
        for (written, word) in [
            ("deactivate", "reactivate"),
            ("asynchronous", "synchronous"),
            ("devaluate", "evaluate"),
            ("employer", "employee"),
            ("approver", "approved"),
            ("offboard", "onboard"),
        ] {
            assert!(means_another(written, word) && means_another(word, written), "{written} {word}");
        }
        for (written, word) in [("analyse", "analyze"), ("terminl", "terminal"), ("generater", "generator")] {
            assert!(!means_another(written, word), "{written} {word}");
        }
    }
}
