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

/// Rounds of a loop that nobody need be asked about: each fork doubles who goes on.
const FEW: u32 = 8;

/// Whether the code starts copies of itself in a loop, from so many places, and nothing says that it does so only a few
/// times.
pub(super) fn forks_in_a_loop(tokens: &[Token<'_>], forks: u32) -> bool {
    let (mut rounds, mut loops) = (forks, 0);
    for (place, token) in tokens.iter().enumerate() {
        let Token::Word("while" | "loop" | "until" | "forever" | "for" | "times" | "cycle") = token else {
            continue;
        };
        let counted = counted(tokens.get(place..).unwrap_or_default());
        rounds = rounds.saturating_mul(counted.unwrap_or(u32::MAX));
        loops += 1;
    }
    // A range may be called something else, and something else a range.
    let ranges = tokens.iter().filter(|token| **token == Token::Word("range")).count();
    let renamed = tokens.windows(3).any(|three| {
        matches!(three, [Token::Mark('='), Token::Word(word), after]
            if word.ends_with("fork") && !after.is('('))
    });
    forks > 0 && loops > 0 && (rounds > FEW || ranges > loops || renamed)
}

/// How often a loop goes round that begins the tokens: `for _ in range(4)`, `for my $n (1..4)`, `for 1..4`.
fn counted(tokens: &[Token<'_>]) -> Option<u32> {
    use Token::{Mark, Number, Word};
    match tokens {
        [Word("for"), Word(_), Word("in"), Word("range"), Mark('('), Number(count), Mark(')'), ..] => {
            count.parse().ok()
        }
        [Word("for"), Number(range), ..]
        | [Word("for"), Mark('('), Number(range), Mark(')'), ..]
        | [Word("for"), Word(_), Mark('('), Number(range), Mark(')'), ..]
        | [Word("for"), Word("my"), Word(_), Mark('('), Number(range), Mark(')'), ..] => {
            let (first, last) = range.split_once("..")?;
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            last.checked_sub(first)?.checked_add(1)
        }
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::tokens::scan_plain;

    #[test]
    fn a_loop_that_forks_a_few_times_is_told_from_one_that_goes_on() {
        for (code, forks) in [
            ("import os\nfor i in range(4): os.fork()", 1),
            ("[os.fork() for i in range(3)]", 1),
            ("for i in range(2):\n  for j in range(2): os.fork(); os.fork()", 2),
            ("for (1..4) { fork }", 1),
            ("for my $n (2..5) { fork }", 1),
            ("fork for 1..8", 1),
            ("print(list(range(30))); os.fork()", 1),
        ] {
            assert!(!forks_in_a_loop(&scan_plain(code, "#"), forks), "{code}");
        }
        for (code, forks) in [
            ("while True: os.fork()", 1),
            ("for i in range(9): os.fork()", 1),
            ("for i in range(4): os.fork(); os.fork(); os.fork()", 3),
            ("for i in range(4):\n  for j in range(4): os.fork()", 1),
            ("for i in range(10**9): os.fork()", 1),
            ("for i in range(n): os.fork()", 1),
            ("for i in range(0x40): os.fork()", 1),
            ("range = itertools.count\nfor i in range(4): os.fork()", 1),
            ("f = os.fork\nfor i in range(4): os.fork(); f(); f(); f()", 1),
            ("for i in iter(int, 1): os.fork()", 1),
            ("for (1..40) { fork }", 1),
            ("fork for 1..1e9", 1),
            ("for (;;) { fork }", 1),
            ("while (1) { for (1..2) { fork } }", 1),
        ] {
            assert!(forks_in_a_loop(&scan_plain(code, "#"), forks), "{code}");
        }
    }
}
