//! What would be written, for everybody to see: the values of variables and headers are left out, and so is what looks
//! secret elsewhere.

use hermes_core::redact::Redactor;
use hermes_host::secrets::is_secret_name;
use hermes_mcp::is_reference_only;
use serde_json::Value;

/// What stands in place of a value.
const NOT_SHOWN: &str = "[not shown]";
/// Headers that say who asks, whatever they are called.
const WHO_ASKS: [&str; 3] = ["authorization", "proxy-authorization", "cookie"];

/// The entry as it may be shown, and where a secret stands in the clear.
pub(super) fn without_secrets(server: &Value) -> (Value, Vec<String>) {
    let mut hiding = Hiding { redactor: Redactor::new([]), notes: Vec::new() };
    let mut shown = server.clone();
    for table in ["env", "headers", "sampling_env", "login"] {
        for (name, value) in shown.get_mut(table).and_then(Value::as_object_mut).into_iter().flatten() {
            if table != "login" || name == "client_secret" {
                hiding.value(table, name, value);
            }
        }
    }
    hiding
        .args(shown.get_mut("args").and_then(Value::as_array_mut).map(Vec::as_mut_slice).unwrap_or_default());
    for place in ["url", "command"] {
        if let Some(Value::String(text)) = shown.get_mut(place) {
            hiding.text(place, text);
        }
    }
    (shown, hiding.notes)
}

struct Hiding {
    redactor: Redactor,
    notes: Vec<String>,
}

impl Hiding {
    /// A value by its name: none is shown but for references.
    fn value(&mut self, table: &str, name: &str, value: &mut Value) {
        let Some(text) = value.as_str().filter(|text| !is_reference_only(text)) else { return };
        let tells = is_secret_name(name)
            || WHO_ASKS.contains(&name.to_ascii_lowercase().as_str())
            || self.redactor.redact_text(text) != text;
        if tells && !text.is_empty() {
            self.note(&format!("{table}.{name}"), &variable(name));
        }
        *value = NOT_SHOWN.into();
    }

    /// Arguments: what follows a switch with a secret name, and what is shaped like a secret.
    fn args(&mut self, args: &mut [Value]) {
        let mut secret_switch: Option<String> = None;
        for (at, arg) in args.iter_mut().enumerate() {
            let Value::String(text) = arg else { continue };
            if let Some(switch) =
                secret_switch.take().filter(|_| !text.starts_with('-') && !is_reference_only(text))
            {
                self.note(&format!("args[{at}]"), &variable(&switch));
                *text = NOT_SHOWN.to_owned();
                continue;
            }
            secret_switch = text.strip_prefix('-').filter(|name| is_secret_name(name)).map(str::to_owned);
            self.text(&format!("args[{at}]"), text);
        }
    }

    /// `NAME=VALUE` anywhere, as in an argument or in a query, and what is shaped like a secret.
    fn text(&mut self, place: &str, text: &mut String) {
        let mut parts: Vec<String> = text.split_inclusive(['?', '&', ';']).map(str::to_owned).collect();
        for part in &mut parts {
            let end = part.len() - part.trim_end_matches(['?', '&', ';']).len();
            let (body, close) = part.split_at(part.len() - end);
            if let Some((name, value)) = body.split_once('=')
                && is_secret_name(name)
                && !value.is_empty()
                && !is_reference_only(value)
            {
                self.note(place, &variable(name));
                *part = format!("{name}={NOT_SHOWN}{close}");
            }
        }
        let joined = parts.concat();
        let redacted = self.redactor.redact_text(&joined).into_owned();
        if redacted != joined {
            self.note(place, "NAME");
        }
        *text = redacted;
    }

    fn note(&mut self, place: &str, variable: &str) {
        self.notes.push(format!(
            "{place}: a secret stands there in the clear; put it into your environment and write ${{{variable}}} in its place"
        ));
    }
}

/// A name that a variable can have.
fn variable(name: &str) -> String {
    let word = name.trim_start_matches('-').rsplit(['/', ' ']).next().unwrap_or_default();
    let name: String = word
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' })
        .collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name
    } else {
        format!("_{name}")
    }
}
