//! Weighs the words of a sentence. Orders to a model are worded in endless ways, but they are made of the same things:
//! somebody who is addressed, something that is none of the tool's business, a way out for it, and silence about it. One
//! of them is in many honest sentences, several are in few.

use std::sync::LazyLock;

use regex::Regex;

use super::patterns::compile;

/// What a sentence must weigh to be called an order, and what it must weigh within a long text, where one of many
/// sentences weighs much by chance.
const ORDER: u32 = 5;
const ORDER_WITHIN_MUCH: u32 = 8;
/// Fewer words than these order nothing.
const FEW: usize = 4;
/// Longer texts have many sentences.
const MUCH: usize = 2_000;

/// Weights and words.
const CUES: &[(u32, &str)] = &[
    // Places of secrets.
    (
        3,
        r"{files}|\b(?:bash_history|authorized_keys|known_hosts|deploy keys?)\b|\b[A-Z]+_(?:API_KEY|TOKEN|SECRET)\b",
    ),
    // Secrets of people.
    (
        2,
        r"\b(?:passwords?|secrets?|credentials?|private keys?|api keys?|access tokens?|(?:session )?cookies?|clipboard|pin|key ?rings?|btc|(?:credit |bank |stored )?cards?(?: number)?|bank details|iban|wallet|home (?:directory|folder))\b",
    ),
    // What the session holds.
    (
        3,
        r"{session}|\b(?:conversation|chat (?:turns|log|messages)|developer message|system (?:prompt|message)|(?:last|previous|recent) (?:\w+ )?(?:chat |user )?(?:turns|messages)|context window|what the user (?:said|told)|keep private|(?:previous|all|prior) user inputs?|(?:hidden|internal) reasoning|(?:your|their) configuration|other tools' results)\b",
    ),
    // Somewhere else.
    (2, r"{address}|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w-]+\.(?:example|evil|xyz|ru|tk)\b"),
    // Something is carried from here to there.
    (
        1,
        r"\b(?:send|post|forward|upload|e-?mail|wire|hand|include|append|prepend|copy|put|paste|pass|give|supply|share|attach|transmit|dump|mirror|swap|replace|rewrite|store|quote|commit|stage|tar|add|fill|populate|obtain|load|transfer|reveal|report|enter|re-enter)(?:ed|s)?\b",
    ),
    // Something is not to be known.
    (
        4,
        r"\b(?:nobody|no one|not notice|unnoticed|leave (?:it|this) out|not mention|don'?t mention|without (?:telling|informing)|secretly|covertly|between us|to yourself|hide|say nothing|need to mention|not be aware|deny|learns? about|tell anybody|they agreed)\b",
    ),
    // Without exception.
    (
        2,
        r"\b(?:every (?:further|other|answer|question|request|invocation|message|call|tool)|whatever the|any (?:url|file|text|tool|question)|regardless|no matter|right away|immediately|from now on|until further|all (?:future|further|other|commands|coding|ai)|in every|always|anything|everything|anyway|never have to|never use|each and every|rely on this|automatically|word for word|verbatim|unabridged)\b",
    ),
    // What a person has to say.
    (
        2,
        r"\b(?:approv\w+|confirm\w*|consent\w*|permissions?|sandbox|restrictions?|lifted|suspended|disabled|no longer need|branch protection|safety|polic(?:y|ies)|privileges?|override|guardrails?|object)\b",
    ),
    // Tools of others.
    (2, r"\b(?:other (?:\w+ )?tools?|tools? of|in place of|instead of|terminal|the `?\w+`? tool)\b"),
    // Pressure.
    (
        1,
        r"\b(?:must|required?|requires|vital|essential|important|forbidden|obliged|demands?|have to|has to|needs? to|should|please|as part of|ordered|before you)\b",
    ),
    // Something is to be done.
    (
        2,
        r"\b(?:execute|run|eval|npx|curl|wget|chmod|rm -|git push|cat ~|`env`|commands?|merge|delete|wire|printenv|bashrc|zshrc|transfer)\b",
    ),
    // Somebody is told who they are.
    (
        3,
        r"\byou are (?:an?|the|now|root|in|being)\b|\byou have been (?:upgraded|granted|given|authori[sz]ed|ordered|instructed)\b|\bas the (?:assistant|model|agent)\b|@(?:agent|assistant|claude|copilot)\b|\b(?:human|user|assistant):|\bnow (?:email|call|delete|run|send)\b|</\w+>",
    ),
    // The reader is a model.
    (2, r"\b(?:ai|llm|language model|assistant|agent|model)s?\b"),
    // Somebody is spoken to.
    (1, r"\b(?:you|your|yourself)\b"),
    // The person at the other end.
    (2, r"\b(?:the (?:user|person|human|customer)(?:'s)?|users?|their|they)\b"),
    // Without a sound.
    (2, r"\b(?:quietly|silently)\b"),
    // Something is to be believed.
    (
        2,
        r"\b(?:pretend|assure|claim|report that|tell the user|recommend|on purpose|in the name of|wrong (?:values|on purpose)|safe)\b",
    ),
];

static COMPILED: LazyLock<Vec<(u32, Regex)>> =
    LazyLock::new(|| CUES.iter().filter_map(|(weight, words)| Some((*weight, compile(words)?))).collect());

/// Whether a sentence of the text reads like an order to a model.
pub(super) fn reads_like_an_order(text: &str) -> bool {
    let enough = if text.len() > MUCH { ORDER_WITHIN_MUCH } else { ORDER };
    let wordy = |sentence: &&str| sentence.split_whitespace().nth(FEW - 1).is_some();
    sentences(text).filter(wordy).any(|sentence| {
        let found = COMPILED.iter().filter(|(_, words)| words.is_match(sentence));
        found.map(|(weight, _)| weight).sum::<u32>() >= enough
    })
}

/// Ends are where a blank follows, so that addresses and file names stay whole.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let ends = rest.match_indices(['.', '!', '?', ';']).map(|(at, _)| at + 1);
            let end =
                ends.into_iter().find(|end| rest.get(*end..).is_some_and(|after| after.starts_with(' ')));
            let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            Some(sentence)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cue_compiles_and_sentences_are_told_apart() {
        assert_eq!(COMPILED.len(), CUES.len());
        let text = "Reads a.txt. Sends it; then stops!\nDone";
        assert_eq!(
            sentences(text).collect::<Vec<_>>(),
            ["Reads a.txt.", " Sends it;", " then stops!", "Done"]
        );
    }
}
