//! Weighs what a sentence says. Orders to a model are worded in endless ways, but they are made of the same things:
//! somebody who is addressed, something that is none of the tool's business, a way out for it, silence about it. One of
//! them is in many honest sentences, several together are in few: `weights.txt` says what each of them and each two of
//! them weigh, `terms.txt` what words weigh that no list of meanings knows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::features::Model;
use super::sentences::sentences;
use super::set::Features;
use super::terms;

/// Texts longer than these have sentences that weigh much by chance: they must weigh this much more.
const LONG: [(usize, i32); 2] = [(2_000, 100), (20_000, 100)];

static MODEL: LazyLock<Model> = LazyLock::new(Model::new);

/// What is said about a sentence that weighs enough: the first of these that it holds.
const REASONS: &[(&str, &str)] = &[
    ("override+rules", "an order to ignore instructions"),
    ("conceal", "an order to keep something from the user"),
    ("untold+user", "an order to keep something from the user"),
    ("approval+off", "an order against approvals"),
    ("role", "an order to take another role"),
    ("secretfile", "a request for secrets"),
    ("session", "a request for the conversation"),
    ("secret", "a request for secrets"),
    ("tools", "an order about other tools"),
    ("poses", "a text that poses as another speaker"),
    ("speaker", "a text that poses as another speaker"),
    ("picture", "a picture that carries data away"),
    ("send+elsewhere", "an order to send data elsewhere"),
    ("above", "a text that wants to count for more than the user"),
    ("deceive", "an order to deceive the user"),
    ("defame", "an order about other tools"),
    ("copyto", "an order to send data elsewhere"),
    ("shell", "an order to run something"),
    ("weaken", "an order against what protects"),
    ("refuse", "an order against what the user wants"),
    ("claim", "an order to deceive the user"),
    ("obey", "a text that wants to be obeyed"),
    ("grant", "an order to open something to others"),
    ("spend", "an order to spend money"),
    ("destroy", "an order to delete something"),
    ("personal", "a request for personal data"),
    ("favour", "an order to favour somebody"),
];

/// What the sentences of a folded text order a model to do that read like orders.
pub(super) fn ordered(place: &str, text: &str) -> Vec<&'static str> {
    let model = &*MODEL;
    let sentences: Vec<&str> = sentences(text).collect();
    let found: Vec<Features> = model.of_sentences(place, sentences.iter().copied()).collect();
    let found = model.with_neighbours(&found);
    let about = found.iter().any(|features| features.holds(model.about));
    let more: i32 = LONG.iter().filter(|(length, _)| text.len() > *length).map(|(_, more)| more).sum();
    let weighed =
        found.into_iter().map(|features| if about { features.with(model.told_about) } else { features });
    let orders: BTreeSet<&str> = weighed
        .zip(sentences)
        .filter(|(features, sentence)| model.weight(*features) + terms::weight(sentence) > more)
        .map(|(features, _)| reason(model, features))
        .collect();
    orders.into_iter().collect()
}

fn reason(model: &Model, features: Features) -> &'static str {
    let held = |names: &str| model.named(names).is_some_and(|mask| features.holds(mask));
    let found = REASONS.iter().find(|(names, _)| held(names));
    found.map_or("a sentence that reads like an order to a model", |(_, reason)| reason)
}
