//! Settings of tool search that are odd, but no reason to stop everything: numbers out of range are held in it,
//! other spellings of a switch are read as that switch, and what nobody can read sets nothing. Each is told.

use serde_json::Value;

use super::check_scalar::written;
use super::error::ErrorKind;
use super::key::KeyPath;
use super::node::{Finding, Key, Kind, Node, Scalar};

const TABLE: [&str; 2] = ["tools", "tool_search"];
const SWITCH: &str = "enabled";
/// Every number of the table, with its range.
const NUMBERS: [(&str, u64, u64); 6] = [
    ("threshold_pct", 0, 100),
    ("search_default_limit", 1, 50),
    ("max_search_limit", 1, 50),
    ("context_tokens", 0, u64::MAX),
    ("schema_tokens", 0, u64::MAX),
    ("definition_tokens", 0, u64::MAX),
];

/// What a value is read as.
enum Reading {
    AsWritten,
    As(Scalar),
    Nothing,
}

/// Makes every odd value one that the checks let pass, and says which those were.
pub(super) fn read_generously(root: &mut Node) -> Vec<Finding> {
    let [outer, inner] = TABLE;
    let Some(tools) = entries(root).and_then(|all| all.iter_mut().find(|(key, _)| key.name == outer)) else {
        return Vec::new();
    };
    let Some(within) = entries(&mut tools.1) else { return Vec::new() };
    let mut told = Vec::new();
    let above = KeyPath::default().join(outer);
    settle(
        within,
        &above,
        &mut told,
        |name, value| if name == inner { whole(value) } else { Reading::AsWritten },
    );
    let table = within.iter_mut().find(|(key, _)| key.name == inner);
    if let Some(table) = table.and_then(|(_, node)| entries(node)) {
        settle(table, &above.join(inner), &mut told, |name, value| {
            if name == SWITCH {
                return switch(value);
            }
            let range = NUMBERS.iter().find(|(number, _, _)| *number == name);
            range.map_or(Reading::AsWritten, |(_, least, most)| number(value, *least, *most))
        });
    }
    told
}

fn entries(node: &mut Node) -> Option<&mut Vec<(Key, Node)>> {
    match &mut node.kind {
        Kind::Map(entries) => Some(entries),
        _ => None,
    }
}

fn settle(
    entries: &mut Vec<(Key, Node)>,
    above: &KeyPath,
    told: &mut Vec<Finding>,
    read: impl Fn(&str, &Node) -> Reading,
) {
    entries.retain_mut(|(key, node)| {
        let mut tell = |meaning: &str| {
            let message = format!("{} {meaning}", written(&node.kind));
            told.push(Finding::new(node.at, ErrorKind::NotAllowed, message).key(above.join(&key.name)));
        };
        match read(&key.name, node) {
            Reading::AsWritten => true,
            Reading::As(scalar) => {
                tell(&format!("is read as {}", scalar.raw));
                node.kind = Kind::Scalar(scalar);
                true
            }
            Reading::Nothing => {
                tell("says nothing here, as if it were not written");
                false
            }
        }
    });
}

/// The whole table as one word. Only "off" has a meaning of its own; anything else that is no table is `auto`.
fn whole(node: &Node) -> Reading {
    match &node.kind {
        Kind::Map(_) | Kind::Broken => Reading::AsWritten,
        Kind::Scalar(scalar) => match (&scalar.value, word(scalar)) {
            (Value::Bool(_), _) => Reading::AsWritten,
            (Value::String(_), Some(word)) => as_word(scalar, word),
            _ => Reading::Nothing,
        },
        Kind::List(_) => Reading::Nothing,
    }
}

fn switch(node: &Node) -> Reading {
    match &node.kind {
        Kind::Broken => Reading::AsWritten,
        Kind::Scalar(scalar) => match (&scalar.value, word(scalar)) {
            (Value::Bool(_), _) => Reading::AsWritten,
            (Value::Number(number), Some(_)) if number.is_u64() => Reading::AsWritten,
            (_, Some(word)) => as_word(scalar, word),
            (_, None) => Reading::Nothing,
        },
        _ => Reading::Nothing,
    }
}

fn as_word(scalar: &Scalar, word: &'static str) -> Reading {
    if scalar.value.as_str() == Some(word) { Reading::AsWritten } else { Reading::As(Scalar::text(word)) }
}

/// The word that a spelling of a switch means.
fn word(scalar: &Scalar) -> Option<&'static str> {
    match scalar.raw.trim().to_ascii_lowercase().as_str() {
        "auto" => Some("auto"),
        "on" | "true" | "1" => Some("on"),
        "yes" => Some("yes"),
        "off" | "false" | "0" => Some("off"),
        "no" => Some("no"),
        _ => None,
    }
}

fn number(node: &Node, least: u64, most: u64) -> Reading {
    let Kind::Scalar(scalar) = &node.kind else {
        return if matches!(node.kind, Kind::Broken) { Reading::AsWritten } else { Reading::Nothing };
    };
    let given = match &scalar.value {
        Value::Number(number) if number.as_u64().is_some_and(|given| (least..=most).contains(&given)) => {
            return Reading::AsWritten;
        }
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_end_matches('%').trim_end().parse::<f64>().ok(),
        _ => None,
    };
    match given.filter(|given| given.is_finite()) {
        // The cast holds what is below zero at zero, and cuts off what is behind the point.
        Some(given) => Reading::As(Scalar::plain(&(given as u64).clamp(least, most).to_string())),
        None => Reading::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::model::Config;
    use super::super::origin::{Layer, Origin};

    fn table(written: &str) -> (Value, Vec<String>) {
        let text = format!("tools:\n  tool_search: {written}\n");
        let loaded = Config::load(&[Layer::new(Origin::UserFile("c.yaml".into()), text)], &[], &[]).unwrap();
        let table = loaded.config.tools.tool_search.table();
        let told = loaded.notices.iter().map(ToString::to_string).collect();
        let word = serde_json::to_value(table.enabled.word()).unwrap();
        (json!([word, table.threshold_pct, table.search_default_limit, table.max_search_limit]), told)
    }

    #[test]
    fn odd_numbers_are_held_in_their_ranges() {
        for (written, read) in [
            ("{threshold_pct: -5}", json!(["auto", 0, 5, 20])),
            ("{threshold_pct: 2.5}", json!(["auto", 2, 5, 20])),
            ("{threshold_pct: \"7\"}", json!(["auto", 7, 5, 20])),
            ("{threshold_pct: 15%}", json!(["auto", 15, 5, 20])),
            ("{threshold_pct: 1e30}", json!(["auto", 100, 5, 20])),
            ("{threshold_pct: many}", json!(["auto", 10, 5, 20])),
            ("{threshold_pct: null}", json!(["auto", 10, 5, 20])),
            ("{threshold_pct: [4]}", json!(["auto", 10, 5, 20])),
            ("{search_default_limit: -1}", json!(["auto", 10, 1, 20])),
            ("{search_default_limit: 3.7}", json!(["auto", 10, 3, 20])),
            ("{max_search_limit: -3}", json!(["auto", 10, 5, 1])),
            ("{max_search_limit: 900}", json!(["auto", 10, 5, 50])),
        ] {
            let (found, told) = table(written);
            assert_eq!(found, read, "{written}");
            assert!(told.iter().any(|line| line.contains("tools.tool_search.")), "{written}: {told:?}");
        }
    }

    #[test]
    fn switches_are_read_in_any_spelling() {
        for (written, word) in [
            ("{enabled: On}", "on"),
            ("{enabled: \"ON\"}", "on"),
            ("{enabled: OFF}", "off"),
            ("{enabled: AUTO}", "auto"),
            ("{enabled: \"0\"}", "off"),
            ("{enabled: sometimes}", "auto"),
            ("{enabled: 7}", "auto"),
            ("{enabled: null}", "auto"),
            ("{enabled: {}}", "auto"),
            ("OFF", "off"),
            ("On", "auto"),
            ("1", "auto"),
            ("0", "auto"),
            ("null", "auto"),
            ("[]", "auto"),
            ("perhaps", "auto"),
        ] {
            let (found, told) = table(written);
            assert_eq!(found[0], word, "{written}");
            assert_eq!(told.len(), 1, "{written}: {told:?}");
        }
        for written in
            ["{enabled: on, threshold_pct: 5}", "{enabled: true}", "{enabled: 0}", "true", "off", "{}"]
        {
            assert!(table(written).1.is_empty(), "{written}");
        }
    }
}
