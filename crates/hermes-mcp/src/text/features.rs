//! What a sentence is made of, as a set, and what sets weigh.

use super::lexicon::{Found, Lexicon, is_of_word};
use super::set::Features;
use super::signs::{carries_data, has_address, names_account, names_host};

const WEIGHTS: &str = include_str!("weights.txt");
/// What words alone do not tell, and where the sentence stands.
const SHAPES: [&str; 13] = [
    "imperative",
    "negated",
    "untold",
    "tool_name",
    "picture",
    "told_about",
    "param",
    "result",
    "first",
    "account",
    "beside_conceal",
    "beside_secret",
    "beside_voice",
];
/// What the sentence before or after says counts too: an order and the silence about it are often two sentences.
const BESIDE: [(&str, &[&str]); 3] = [
    ("beside_conceal", &["conceal", "untold"]),
    ("beside_secret", &["secretfile", "session", "harm"]),
    ("beside_voice", &["poses", "speaker", "role"]),
];
/// Verbs that orders are made of.
const VERBS: [&str; 5] = ["send", "pass", "read", "act", "override"];
/// After these words a verb is an order.
const LEADS: &[&str] = &[
    "please",
    "also",
    "then",
    "and",
    "always",
    "first",
    "now",
    "must",
    "should",
    "to",
    "kindly",
    "you",
    "it",
    "shall",
    "can",
    "could",
    "would",
    "or",
    "just",
    "silently",
    "immediately",
    "bitte",
    "und",
    "et",
    "y",
    "e",
    "i",
    "en",
    "и",
];
/// After these it is a warning.
const WARNINGS: &[&str] = &["not", "never", "don't", "dont", "avoid", "cannot", "nicht"];
/// Words between `not` and what is not to be told.
const NEAR: usize = 3;
/// Longer quotations are no examples.
const QUOTED: usize = 120;

/// Lines of a name and its weight; others tell about them.
pub(super) fn weighed_lines(text: &'static str) -> impl Iterator<Item = (&'static str, i32)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(name, weight)| (name, weight.parse().unwrap_or_default()))
}

/// Words, shapes and weights.
pub(super) struct Model {
    lexicon: Lexicon,
    /// Sets that weigh something, by the first feature of each: a sentence has few of the many.
    weights: Vec<Vec<(Features, i32)>>,
    base: i32,
    /// What is noted where a neighbour has any of these.
    beside: Vec<(Features, Features)>,
    /// The text tells of attacks.
    pub(super) about: Features,
    pub(super) told_about: Features,
}

impl Model {
    pub(super) fn new() -> Self {
        let lexicon = Lexicon::new();
        let mut model = Model {
            lexicon,
            weights: vec![Vec::new(); Features::ROOM],
            base: 0,
            beside: Vec::new(),
            about: Features::default(),
            told_about: Features::default(),
        };
        model.about = model.set("about");
        model.told_about = model.set("told_about");
        let any =
            |names: &[&str]| names.iter().fold(Features::default(), |all, name| all.with(model.set(name)));
        model.beside = BESIDE.iter().map(|(name, names)| (any(names), model.set(name))).collect();
        for (names, weight) in weighed_lines(WEIGHTS) {
            match model.named(names) {
                Some(mask) => {
                    if let Some(first) = mask.places().next().and_then(|place| model.weights.get_mut(place)) {
                        first.push((mask, weight));
                    }
                }
                None => model.base = weight,
            }
        }
        model
    }

    /// The features of each sentence of a text.
    pub(super) fn of_sentences<'t>(
        &'t self,
        place: &'t str,
        sentences: impl Iterator<Item = &'t str> + 't,
    ) -> impl Iterator<Item = Features> + 't {
        let stands = match place {
            "result" => self.set("result"),
            "description" | "description_change" => Features::default(),
            _ => self.set("param"),
        };
        // Descriptions begin with what the tool does, in the words of an order.
        let is_description = place == "description";
        sentences.enumerate().map(move |(number, sentence)| {
            let first = if number == 0 && is_description { self.set("first") } else { stands };
            self.of(sentence).with(first)
        })
    }

    /// The same with what stands beside each sentence.
    pub(super) fn with_neighbours(&self, found: &[Features]) -> Vec<Features> {
        let at = |place: Option<usize>| place.and_then(|place| found.get(place)).copied().unwrap_or_default();
        let beside = |(place, features): (usize, &Features)| {
            let near = at(place.checked_sub(1)).with(at(Some(place + 1)));
            let met = self.beside.iter().filter(|(any, _)| near.meets(*any));
            met.fold(*features, |features, (_, beside)| features.with(*beside))
        };
        found.iter().enumerate().map(beside).collect()
    }

    pub(super) fn weight(&self, features: Features) -> i32 {
        let begun = features.places().filter_map(|place| self.weights.get(place)).flatten();
        let held = begun.filter(|(mask, _)| features.holds(*mask));
        self.base + held.map(|(_, weight)| weight).sum::<i32>()
    }

    /// The features `a+b`, if there are such.
    pub(super) fn named(&self, names: &str) -> Option<Features> {
        let sets =
            names.split('+').map(|name| Some(self.set(name)).filter(|set| *set != Features::default()));
        sets.reduce(|one, other| Some(one?.with(other?))).flatten()
    }

    fn set(&self, name: &str) -> Features {
        let words = self.lexicon.meanings.iter().chain(&SHAPES).position(|known| *known == name);
        words.map_or_else(Features::default, Features::only)
    }

    fn of(&self, sentence: &str) -> Features {
        let mut found: Vec<Found> = self.lexicon.find(sentence).collect();
        let is = |found: &Found, name: &str| self.lexicon.meanings.get(found.meaning) == Some(&name);
        if found.iter().any(|found| is(found, "tells")) {
            let quoted = quotations(sentence);
            found.retain(|found| !quoted.iter().any(|(start, end)| *start < found.start && found.end < *end));
        }
        let mut features =
            found.iter().fold(Features::default(), |set, found| set.with(Features::only(found.meaning)));
        let mut note = |shape: &str| features = features.with(self.set(shape));
        for verb in found.iter().filter(|found| VERBS.iter().any(|name| is(found, name))) {
            match lead(sentence, verb.start) {
                Lead::Order => note("imperative"),
                Lead::Warning => note("negated"),
                Lead::Other => {}
            }
        }
        let near = |not: &Found, tell: &Found| {
            let between = sentence.get(not.end..tell.start);
            between.is_some_and(|words| !words.contains(';') && words.split_whitespace().count() < NEAR)
        };
        let tells: Vec<&Found> = found.iter().filter(|found| is(found, "tell")).collect();
        if found.iter().filter(|found| is(found, "not")).any(|not| tells.iter().any(|tell| near(not, tell))) {
            note("untold");
        }
        let addressed = |found: &&Found| {
            is(found, "model")
                && sentence.get(found.end..).is_some_and(|rest| rest.trim_start().starts_with([',', ':']))
        };
        if found.iter().any(|found| addressed(&found)) {
            note("speaker");
        }
        if has_address(sentence) || names_host(sentence) {
            note("elsewhere");
        }
        if names_account(sentence) {
            note("account");
        }
        if sentence.split(|c| !is_of_word(c)).any(|word| word.trim_matches('_').contains('_')) {
            note("tool_name");
        }
        if carries_data(sentence) {
            note("picture");
        }
        features
    }
}

enum Lead {
    Order,
    Warning,
    Other,
}

/// How the verb at this place is led in.
fn lead(sentence: &str, at: usize) -> Lead {
    let before = sentence.get(..at).unwrap_or_default().trim_end_matches(['"', '\'', '`', '*', '(']);
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !is_of_word(c) && c != '\'').next().unwrap_or_default();
    if before.is_empty() || before.ends_with([',', ':', ';', '-', '–', '—', '>']) || LEADS.contains(&word)
    {
        Lead::Order
    } else if WARNINGS.contains(&word) {
        Lead::Warning
    } else {
        Lead::Other
    }
}

/// Where short quotations stand.
fn quotations(sentence: &str) -> Vec<(usize, usize)> {
    let mut open: Option<(usize, char)> = None;
    let mut quoted = Vec::new();
    for (at, c) in sentence.char_indices().filter(|(_, c)| matches!(c, '"' | '`' | '\'')) {
        let inside = |at: usize| sentence.get(at..).is_some_and(|rest| rest.starts_with(is_of_word));
        let word_before = sentence.get(..at).is_some_and(|before| before.ends_with(is_of_word));
        match open {
            Some((start, mark)) if mark == c && !(c == '\'' && inside(at + 1)) => {
                if at - start <= QUOTED {
                    quoted.push((start, at + 1));
                }
                open = None;
            }
            None if !(c == '\'' && word_before) => open = Some((at, c)),
            _ => {}
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_names_what_there_is() {
        let model = Model::new();
        assert!(model.lexicon.meanings.len() + SHAPES.len() <= Features::ROOM);
        let lines = WEIGHTS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        for line in lines {
            let (names, weight) = line.split_once(' ').unwrap();
            assert!(weight.parse::<i32>().is_ok(), "{line}");
            assert!(names == "base" || model.named(names).is_some(), "{line}");
        }
    }
}
