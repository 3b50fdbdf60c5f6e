//! Local `$ref`s: what a reference inside a schema points at.

use std::borrow::Cow;

use serde_json::Value;

/// A chain of references longer than this is a cycle.
pub(crate) const MAX_HOPS: usize = 32;

/// The schema that a reference such as `#/$defs/Item` names in its own document.
pub(crate) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(&percent_decoded(pointer))
}

fn percent_decoded(pointer: &str) -> Cow<'_, str> {
    if !pointer.contains('%') {
        return Cow::Borrowed(pointer);
    }
    let mut parts = pointer.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(b'%'));
        let text = if code.is_some() { part.get(2..).unwrap_or_default() } else { part };
        bytes.extend_from_slice(text.as_bytes());
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
