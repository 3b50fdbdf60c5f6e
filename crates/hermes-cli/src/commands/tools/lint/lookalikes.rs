//! Pairs of names that a model, or a person, takes for each other.

use std::collections::{BTreeMap, BTreeSet};

/// A letter of a shorter name makes another word of it.
const SHORTEST: usize = 5;

/// For each name those that are written alike: but for case and separators, or for one letter. Digits tell names apart,
/// as in `v1` and `v2`.
pub(super) fn lookalikes<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let folded: Vec<(&str, Vec<char>)> = names.iter().map(|name| (*name, letters(name))).collect();
    let mut alike: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for group in sharing_a_rest(&folded).values().filter(|group| group.len() > 1) {
        for (position, (a, left)) in group.iter().enumerate() {
            for (b, right) in group.iter().skip(position + 1).filter(|(b, _)| b != a) {
                if a_letter_apart(left, right) {
                    alike.entry(a).or_default().insert(b);
                    alike.entry(b).or_default().insert(a);
                }
            }
        }
    }
    alike
}

fn letters(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Names by what is left of them without any one of their letters: names that are a letter apart share one of these, and
/// so not every two of a large catalog must be compared.
fn sharing_a_rest<'a, 'b>(
    names: &'b [(&'a str, Vec<char>)],
) -> BTreeMap<Vec<char>, Vec<(&'a str, &'b [char])>> {
    let mut rests: BTreeMap<Vec<char>, Vec<(&str, &[char])>> = BTreeMap::new();
    for (name, letters) in names {
        let without = (0..letters.len()).map(|left_out| {
            let kept = letters.iter().enumerate().filter(|(position, _)| *position != left_out);
            kept.map(|(_, letter)| *letter).collect::<Vec<char>>()
        });
        for rest in without.chain([letters.clone()]).collect::<BTreeSet<_>>() {
            rests.entry(rest).or_default().push((name, letters));
        }
    }
    rests
}

/// Whether one letter more, less, other, or two exchanged make one of the other.
fn a_letter_apart(a: &[char], b: &[char]) -> bool {
    if a == b {
        return true;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a_rest, b_rest) = (a.get(same..).unwrap_or_default(), b.get(same..).unwrap_or_default());
    let end = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle = |rest: &[char]| rest.get(..rest.len() - end).unwrap_or_default().to_vec();
    let (a_middle, b_middle) = (middle(a_rest), middle(b_rest));
    let exchanged = a_middle.len() == 2 && b_middle.iter().eq(a_middle.iter().rev());
    let single = a_middle.len() <= 1 && b_middle.len() <= 1;
    let digits = a_middle.iter().chain(&b_middle).any(char::is_ascii_digit);
    a.len().min(b.len()) >= SHORTEST && (single || exchanged) && !digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> bool {
        lookalikes([a, b]).get(a).is_some_and(|others| others.contains(b))
    }

    #[test]
    fn a_letter_a_case_or_a_separator_is_no_difference() {
        for (a, b) in [
            ("list_file", "list_files"),
            ("getUser", "get_user"),
            ("create_isuse", "create_issue"),
            ("send_nail", "send_mail"),
            ("удалить_файл", "удалить_файлы"),
        ] {
            assert!(alike(a, b), "{a} {b}");
        }
    }

    #[test]
    fn other_words_and_numbers_are() {
        for (a, b) in
            [("get", "set"), ("list_v1_items", "list_v2_items"), ("readfile", "dreadfiles"), ("add", "add2")]
        {
            assert!(!alike(a, b), "{a} {b}");
        }
    }
}
