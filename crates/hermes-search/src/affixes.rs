//! Words of Arabic and Hebrew without the article and the other small words that stick to them, and without
//! their endings.

const BEFORE: &[&str] = &["وال", "بال", "كال", "فال", "لل", "ال", "ה", "ב", "ל", "ו", "מ"];
const AFTER: &[&str] = &["ات", "ين", "ون", "ان", "ها", "ة", "ه", "ים", "ות"];
/// Letters that must be left.
const SHORTEST: usize = 3;

/// What may be the word itself, the most likely first. Words of other scripts have no such forms.
pub(crate) fn without_affixes(word: &str) -> Vec<&str> {
    let is_whole = |part: &&str| part.chars().count() >= SHORTEST;
    let begun = BEFORE.iter().filter_map(|before| word.strip_prefix(before)).filter(is_whole);
    let mut forms = Vec::new();
    for part in [word].into_iter().chain(begun) {
        if part != word {
            forms.push(part);
        }
        forms.extend(AFTER.iter().filter_map(|after| part.strip_suffix(after)).filter(is_whole));
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_and_endings_come_off() {
        assert_eq!(without_affixes("الملفات"), ["الملف", "ملفات", "ملف"]);
        assert_eq!(without_affixes("הקבצים"), ["הקבצ", "קבצים", "קבצ"]);
        assert!(without_affixes("files").is_empty());
    }
}
