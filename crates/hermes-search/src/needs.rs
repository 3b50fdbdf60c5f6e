//! Several needs in one query: each is looked for by itself too.

use crate::tokens::is_unspaced;

/// A part with fewer letters says too little to be searched alone; letters of scripts without spaces say more.
const SHORTEST_PART: usize = 4;
const SHORTEST_UNSPACED: usize = 2;
/// More parts than this are an essay, not a query.
const MOST_PARTS: usize = 10;

/// Words after which a new need begins.
const NEXT: &[&str] = &[
    "then",
    "additionally",
    "finally",
    "afterwards",
    "furthermore",
    "moreover",
    "also",
    "dann",
    "danach",
    "anschließend",
    "außerdem",
    "puis",
    "ensuite",
    "enfin",
    "luego",
    "después",
    "además",
    "depois",
    "então",
    "poi",
    "dopo",
    "potem",
    "następnie",
    "sonra",
    "ardından",
    "kemudian",
    "lalu",
    "затем",
    "потом",
    "далее",
    "ثم",
    "फिर",
];
/// The same where words have no spaces between them.
const NEXT_UNSPACED: &[&str] = &[
    "然后",
    "然後",
    "最后",
    "最後に",
    "接着",
    "随后",
    "之后再",
    "それから",
    "その後",
    "次に",
    "그리고",
    "그다음",
];
/// Words that join needs, and as often the things of one need.
const AND: &[&str] = &[
    "and", "plus", "und", "sowie", "et", "y", "e", "i", "oraz", "ve", "và", "dan", "en", "och", "og", "и",
    "та", "और", "및", "&",
];
const AND_UNSPACED: &[&str] = &["以及", "并且", "和", "及", "および", "と"];

/// A part of a query that may be a need of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Need<'a> {
    pub(crate) text: &'a str,
    /// The sentence or clause it stands in.
    pub(crate) clause: usize,
    /// It is only a part of its clause, cut at what may as well join the things of one need.
    pub(crate) is_loose: bool,
    /// It stands in a list, whose marks nobody writes inside a need.
    pub(crate) is_listed: bool,
}

/// The needs of a query; empty if it holds only one.
pub(crate) fn needs(query: &str) -> Vec<Need<'_>> {
    let items: Vec<&str> = numbered(query).into_iter().flat_map(listed).filter_map(whole).collect();
    let is_list = items.len() > 1;
    let clauses = items.into_iter().flat_map(|item| {
        let clauses: Vec<&str> = sentences(item).into_iter().flat_map(clauses).filter_map(whole).collect();
        let is_listed = is_list && clauses.len() == 1;
        clauses.into_iter().map(move |clause| (clause, is_listed))
    });
    let mut needs = Vec::new();
    for (clause, (text, is_listed)) in clauses.take(MOST_PARTS).enumerate() {
        needs.push(Need { text, clause, is_loose: false, is_listed });
        let parts: Vec<&str> = loose(text).into_iter().filter_map(whole).take(MOST_PARTS).collect();
        if parts.len() > 1 {
            let part = |text| Need { text, clause, is_loose: true, is_listed: false };
            needs.extend(parts.into_iter().map(part));
        }
    }
    // The only clause is the query itself.
    if needs.iter().filter(|need| !need.is_loose).count() < 2 {
        needs.retain(|need| need.is_loose);
    }
    needs
}

/// A part without the marks around it, if it says anything.
fn whole(part: &str) -> Option<&str> {
    let part = part.trim_matches(|letter: char| !letter.is_alphanumeric());
    let letters = part.chars().filter(|letter| letter.is_alphabetic()).count();
    let shortest = if part.chars().any(is_unspaced) { SHORTEST_UNSPACED } else { SHORTEST_PART };
    (letters >= shortest).then_some(part)
}

/// Cut at `;` before white space, at ` + ` and at line ends.
fn listed(text: &str) -> Vec<&str> {
    cut(text, |letter, next| match letter {
        ';' => next.is_none_or(char::is_whitespace),
        '；' | '؛' | '\n' => true,
        '+' => next == Some(' '),
        _ => false,
    })
}

/// Cut after `.`, `?` and `!` before white space.
fn sentences(text: &str) -> Vec<&str> {
    cut(text, |letter, next| match letter {
        '.' | '?' | '!' => next.is_none_or(char::is_whitespace),
        '。' | '？' | '！' | '؟' | '।' => true,
        _ => false,
    })
}

/// Cut at commas and at words such as "and".
fn loose(clause: &str) -> Vec<&str> {
    let parts = cut(clause, |letter, next| match letter {
        ',' => next.is_some_and(|next| !next.is_numeric()),
        '，' | '、' | '،' => true,
        _ => false,
    });
    let is_and = |word: &str| AND.contains(&word);
    let parts = parts.into_iter().flat_map(|part| cut_at_words(part, false, is_and));
    parts.flat_map(|part| cut_before(part, AND_UNSPACED, true)).collect()
}

/// Cut before words such as "then".
fn clauses(sentence: &str) -> Vec<&str> {
    let parts = cut_at_words(sentence, true, |word| NEXT.contains(&word));
    parts.into_iter().flat_map(|part| cut_before(part, NEXT_UNSPACED, false)).collect()
}

/// Cut at `(1)`, `2)`, `3.` and `④`.
fn numbered(sentence: &str) -> Vec<&str> {
    let is_number = |word: &str| {
        let inner = word.strip_prefix('(').unwrap_or(word);
        let number = inner.strip_suffix([')', '.']).unwrap_or_default();
        let is_counted =
            (1..=2).contains(&number.len()) && number.bytes().all(|digit| digit.is_ascii_digit());
        let mut letters = word.chars();
        is_counted
            || (letters.next().is_some_and(|first| ('①'..='⑳').contains(&first)) && letters.next().is_none())
    };
    cut_at(sentence, false, is_number)
}

/// What stands between the letters at which `ends` says that a part ends.
fn cut(text: &str, ends: impl Fn(char, Option<char>) -> bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if ends(letter, letters.peek().map(|(_, next)| *next)) {
            found.extend(text.get(from..at));
            from = at + letter.len_utf8();
        }
    }
    found.extend(text.get(from..));
    found
}

/// Cut at words, whatever marks stand around them.
fn cut_at_words(text: &str, is_kept: bool, ends: impl Fn(&str) -> bool) -> Vec<&str> {
    cut_at(text, is_kept, |word| {
        let plain = word.trim_matches(|letter: char| !letter.is_alphabetic() && letter != '&');
        ends(plain.to_lowercase().as_str())
    })
}

/// What stands between the words at which `ends` says that a part ends; such a word may be the first of the next.
fn cut_at(text: &str, is_kept: bool, ends: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    for word in text.split_inclusive(char::is_whitespace) {
        let next = at + word.len();
        if ends(word.trim()) {
            found.extend(text.get(from..at));
            from = if is_kept { at } else { next };
        }
        at = next;
    }
    found.extend(text.get(from..));
    found
}

/// Cut before each of the words, or only where something stands on both sides.
fn cut_before<'a>(text: &'a str, words: &[&str], is_between: bool) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let next = words.iter().filter_map(|word| Some((rest.find(word)?, word.len()))).min();
        let Some((at, length)) =
            next.filter(|(at, length)| !is_between || (*at > 0 && at + length < rest.len()))
        else {
            break;
        };
        found.extend(rest.get(..at));
        rest = rest.get(at + length..).unwrap_or_default();
    }
    found.push(rest);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str, is_loose: bool) -> Vec<&str> {
        needs(query).into_iter().filter(|need| need.is_loose == is_loose).map(|need| need.text).collect()
    }

    #[test]
    fn needs_are_cut_where_a_new_one_begins() {
        assert_eq!(
            of("Read the invoice file. Then send it to the customer + log version 2.5 of it", false),
            ["Read the invoice file", "Then send it to the customer", "log version 2.5 of it"]
        );
        assert_eq!(of("recipe; yoga class; fine", false), ["recipe", "yoga class", "fine"]);
        assert_eq!(of("(1) wash the car (2) pay 12 euros", false), ["wash the car", "pay 12 euros"]);
        assert_eq!(of("查找食谱，然后预订课程", false), ["查找食谱", "预订课程"]);
        assert_eq!(of("Rezept suchen und dann das Paket verfolgen", false).len(), 2);
        assert_eq!(of("1. wash the car 2. pay the fine", false), ["wash the car", "pay the fine"]);
        assert!(needs("create a github issue").is_empty());
        assert!(needs("").is_empty());
    }

    #[test]
    fn a_list_is_told_from_sentences() {
        let is_listed = |query: &str| needs(query).iter().all(|need| need.is_listed);
        assert!(is_listed("wash the car; pay the fine") && is_listed("(1) one thing (2) another"));
        assert!(!is_listed("I have a car. Wash it.") && !is_listed("wash the car, pay the fine"));
    }

    #[test]
    fn what_may_join_things_of_one_need_is_a_loose_cut() {
        assert_eq!(
            of("track the parcel, borrow a book and pay 1,200 euros", true),
            ["track the parcel", "borrow a book", "pay 1,200 euros"]
        );
        assert_eq!(of("洗车、转账和开户", true), ["洗车", "转账", "开户"]);
        assert!(of("name, id", false).is_empty());
        assert_eq!(
            of("find a hotel and a flight; then pay", false),
            ["find a hotel and a flight", "then pay"]
        );
    }
}
