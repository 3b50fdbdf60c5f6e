//! Code that starts processes faster than they end: endless loops that wait for nothing, functions that fork and
//! call themselves.

use std::collections::{HashMap, HashSet};

use crate::command::tokens::Token;

/// Words that let a loop pause or end.
const PAUSES: &[&str] = &[
    "sleep",
    "usleep",
    "wait",
    "waitpid",
    "wait_for",
    "communicate",
    "poll",
    "break",
    "last",
    "select",
    "accept",
    "gets",
    "readline",
    "input",
    "recv",
    "read",
    "join",
    "setTimeout",
    "return",
    "exit",
];

/// `while True:`, `while(1)`, `for(;;)`, `loop do`, without anything that pauses or ends it.
pub(super) fn loops_for_ever(tokens: &[Token<'_>]) -> bool {
    use Token::{Mark, Number, Word};
    let endless = tokens.windows(3).any(|three| {
        matches!(
            three,
            [Word("while"), Word("True" | "true" | "TRUE") | Number("1"), _]
                | [Word("while"), Mark('('), Word("true" | "True" | "TRUE") | Number("1")]
                | [Word("until"), Word("false") | Number("0"), _]
                | [Word("until"), Mark('('), Word("false") | Number("0")]
                | [Word("for"), Mark('('), Mark(';')]
                | [Word("loop"), Mark('{') | Word("do"), _]
                | [Word("repeat"), Mark('{'), _]
        )
    });
    let pauses = |token: &Token<'_>| match token {
        Word(word) => PAUSES.contains(&word.rsplit(['.', ':']).next().unwrap_or(word)),
        _ => false,
    };
    endless && !tokens.iter().any(pauses)
}

/// A function that is defined here, started, and started again from within.
pub(super) fn calls_itself(tokens: &[Token<'_>]) -> bool {
    use Token::{Mark, Word};
    let mut defined: HashSet<&str> = HashSet::new();
    let mut calls: HashMap<&str, usize> = HashMap::new();
    for (place, token) in tokens.iter().enumerate() {
        let Word(word) = token else { continue };
        let before = place.checked_sub(1).and_then(|before| tokens.get(before));
        let behind = tokens.get(place + 1..).unwrap_or_default();
        let handed = place
            .checked_sub(2)
            .is_some_and(|front| matches!(tokens.get(front..place), Some([Word("target"), Mark('=')])));
        let named = matches!(before, Some(Word("def" | "function" | "sub" | "fn" | "func")));
        if named || (behind.first().is_some_and(|next| next.is('=')) && is_function(behind)) {
            defined.insert(word);
        } else if handed
            || matches!(behind.first(), Some(Mark('(')))
            || before.is_some_and(|mark| mark.is('&'))
        {
            *calls.entry(word).or_default() += 1;
        }
    }
    defined.iter().any(|name| calls.get(name).is_some_and(|times| *times > 1))
}

/// `= () => …`, `= lambda: …`, `= function() …`.
fn is_function(behind: &[Token<'_>]) -> bool {
    let near = behind.get(1..behind.len().min(10)).unwrap_or_default();
    matches!(near.first(), Some(Token::Word("lambda" | "function" | "sub" | "proc" | "async")))
        || near.split(|token| token.is(';') || token.is('\n')).next().is_some_and(|near| {
            near.windows(2).any(|two| matches!(two, [first, second] if first.is('=') && second.is('>')))
        })
}
