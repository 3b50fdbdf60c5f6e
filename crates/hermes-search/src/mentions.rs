//! What of a query may be the name of something, however it is set between other words and marks.

use crate::calls::called;
use crate::tokens::{pieces, words as words_of};

/// A part of a query that may be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mention<'a> {
    /// Where it stands.
    pub(crate) place: usize,
    pub(crate) name: &'a str,
    pub(crate) manner: Manner,
}

/// How a name stands in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As only a name is written.
    Written,
    /// In quotes, as values are too.
    Quoted,
    /// As a word of the sentence.
    Spoken,
}

/// Marks that open a name and those that close it.
const QUOTES: &[(char, char)] =
    &[('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('«', '»'), ('「', '」'), ('„', '“')];
/// What names are names of.
const TOOL: &[&str] = &["tool", "function"];
const ARTICLE: &[&str] = &["the"];
/// Words that a name follows, and words that follow a name then.
const USE: &[&str] = &["use", "using", "call", "invoke"];
const AFTER: &[&str] = &["to", "tool", "function", "for", "with"];
/// Parts of a name, at most.
const LONGEST_NAME: usize = 24;

/// Everything in the query that may be a name. `is_name` says what is one: of a word such as
/// `server/tool` the whole is taken, or if that is none its parts.
/// `is_run_together` says which plain words are nothing but a name of several words, written as one.
pub(crate) fn mentions<'a>(
    query: &'a str,
    is_name: &dyn Fn(&str) -> bool,
    is_run_together: &dyn Fn(&str) -> bool,
) -> Vec<Mention<'a>> {
    let mut found = vec![Mention { place: 0, name: query, manner: Manner::Written }];
    let place = |part: &str| part.as_ptr() as usize - query.as_ptr() as usize + 1;
    let mut take = |name: &'a str, manner: Manner| {
        let name = trimmed(name);
        let known = !name.is_empty() && is_name(name);
        if known {
            found.push(Mention { place: place(name), name, manner });
        }
        known
    };
    for word in query.split(is_between_words).filter(|word| !word.is_empty()) {
        if (is_compound(word) || is_run_together(trimmed(word))) && take(word, Manner::Written) {
            continue;
        }
        // Glued to marks or to another script: `select:a_b|c_d`, `functions.a-b`, `用a_b发送`.
        let all = parts_of(word);
        let mut parts = all.as_slice();
        while let Some((first, _)) = parts.first().copied() {
            let spans = parts.iter().take(LONGEST_NAME).enumerate().rev();
            let mut spans = spans.filter_map(|(at, (_, end))| Some((at + 1, word.get(first..*end)?)));
            let taken = spans.find(|(_, span)| is_compound(span) && take(span, Manner::Written));
            let taken = taken.map_or(1, |(count, _)| count);
            parts = parts.get(taken..).unwrap_or_default();
        }
    }
    for name in called(query) {
        take(name, Manner::Written);
    }
    quoted(query).for_each(|(name, manner)| {
        take(name, manner);
    });
    spoken_of(query).into_iter().for_each(|name| {
        take(name, Manner::Spoken);
    });
    found.sort_by_key(|mention| mention.place);
    found
}

/// One plain word is a word; only `several_words` written as one can be nothing but a name.
fn is_compound(word: &str) -> bool {
    pieces(word).flat_map(words_of).nth(1).is_some()
}

/// Where the parts of a word begin and end that marks and other scripts stand between.
fn parts_of(word: &str) -> Vec<(usize, usize)> {
    let runs = word.split(|letter: char| !is_name_letter(letter)).filter(|run| !run.is_empty());
    let place = |run: &str| run.as_ptr() as usize - word.as_ptr() as usize;
    runs.map(|run| (place(run), place(run) + run.len())).collect()
}

fn is_between_words(letter: char) -> bool {
    letter.is_whitespace() || ",;\"'`()[]{}<>?!=".contains(letter)
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric())
}

/// Single words in quotes or backticks.
fn quoted(query: &str) -> impl Iterator<Item = (&str, Manner)> {
    let opens = |at: usize| {
        query
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_none_or(|letter| !letter.is_alphanumeric())
    };
    query.char_indices().filter(move |(at, _)| opens(*at)).filter_map(move |(at, letter)| {
        let (_, close) = QUOTES.iter().find(|(open, _)| *open == letter)?;
        let inside = query.get(at + letter.len_utf8()..)?;
        let inside = inside.get(..inside.find(*close)?)?;
        let manner = if letter == '`' { Manner::Written } else { Manner::Quoted };
        (!inside.contains(char::is_whitespace)).then_some((inside, manner))
    })
}

/// The words that a sentence speaks of as tools: `use deploy to …`, `the deploy tool`, `the tool deploy`.
fn spoken_of(query: &str) -> Vec<&str> {
    let words: Vec<&str> =
        query.split(is_between_words).map(trimmed).filter(|word| !word.is_empty()).collect();
    let is_in = |list: &[&str], at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .is_some_and(|word| list.iter().any(|known| word.eq_ignore_ascii_case(known)))
    };
    let is_tool = |at: Option<usize>| is_in(TOOL, at);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1);
        let used = is_in(USE, before) || (is_in(ARTICLE, before) && is_in(USE, at.checked_sub(2)));
        let ends = at + 1 == words.len() || is_in(AFTER, Some(at + 1));
        let named = (used && ends) || is_tool(before) || (is_in(ARTICLE, before) && is_tool(Some(at + 1)));
        if named && !is_tool(Some(at)) && !is_in(AFTER, Some(at)) {
            found.push(*word);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(query: &str) -> Vec<&str> {
        let known = ["a_b", "c_d", "deploy", "mcp__x__a_b", "x/a_b"];
        let mentions = mentions(query, &|name| known.contains(&name), &|_| false);
        let mut names: Vec<&str> = mentions.into_iter().skip(1).map(|mention| mention.name).collect();
        names.dedup();
        names
    }

    #[test]
    fn names_are_found_between_marks_and_scripts() {
        for query in [
            "select:a_b,c_d",
            "a_b|c_d",
            "a_b/c_d",
            "a_b & c_d",
            "a_b+c_d",
            "a_b→c_d",
            "a_b->c_d",
            "请用a_b创建，再用c_d发送",
            "https://docs.example.com/a_b#c_d",
            "*a_b* then **c_d**.",
            "(a_b), [c_d]!",
            "a_b.c_d",
        ] {
            assert_eq!(named(query), ["a_b", "c_d"], "{query}");
        }
        assert_eq!(named("x/a_b"), ["x/a_b"]);
        assert_eq!(named("select:mcp__x__a_b"), ["mcp__x__a_b"]);
    }

    #[test]
    fn a_plain_word_is_a_name_where_it_is_used_as_one() {
        for query in [
            "call `deploy` for the new service",
            "the tool \"deploy\": new service",
            "use deploy to put it on the server",
            "use the deploy tool",
            "run it with the deploy function",
            "'deploy'",
            "call the tool deploy",
            "please call deploy for me",
            "deploy({\"service\": 1})",
            "deploy(service='a')",
            "functions.deploy",
            "default_api:deploy",
            "multi_tool_use/deploy",
            "to=functions.deploy {}",
            "{\"name\": \"deploy\", \"arguments\": {}}",
            "<invoke name=\"deploy\">",
            "name:deploy;",
        ] {
            assert_eq!(named(query), ["deploy"], "{query}");
        }
        for query in [
            "deploy the new service",
            "the user's deploy isn't done",
            "how to deploy",
            "call me",
            "the next deploy(s) of a service",
            "notes.deploy.md",
            "the name of a deploy",
        ] {
            assert!(named(query).is_empty(), "{query}");
        }
    }
}
