//! The fields of a document and how much each counts.

use serde_json::Value;

use crate::described::described_in_english;
use crate::document::Document;

/// How many fields a document has.
pub const FIELDS: usize = 6;

/// Weight and length normalisation of a field in BM25F.
pub(super) struct FieldRule {
    pub(super) weight: f32,
    pub(super) b: f32,
}

/// Name, server, description, names of arguments, texts of arguments, aliases. The server is a field of
/// its own so that two hundred tools of one server do not drown in their prefix.
pub(super) const RULES: [FieldRule; FIELDS] = [
    FieldRule { weight: 4.0, b: 0.8 },
    FieldRule { weight: 0.6, b: 0.0 },
    FieldRule { weight: 1.0, b: 0.4 },
    FieldRule { weight: 0.5, b: 0.6 },
    FieldRule { weight: 0.3, b: 0.2 },
    FieldRule { weight: 2.0, b: 0.0 },
];

/// How soon more of the same word stops helping.
pub(super) const K1: f32 = 0.9;

/// Texts of one argument beyond this many members of an `enum` are not indexed.
const MOST_MEMBERS: usize = 64;

/// The texts of a document with the number of their field.
pub(super) fn texts(document: &Document, take: &mut dyn FnMut(usize, &str)) {
    take(0, &document.bare);
    take(1, &document.server);
    take(2, &document.description);
    if let Some(english) = described_in_english(&document.description) {
        take(2, &english);
    }
    for (name, schema) in document.properties() {
        take(3, name);
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            take(4, text);
        }
        let members = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        for member in members.take(MOST_MEMBERS).filter_map(Value::as_str) {
            take(4, member);
        }
    }
    for alias in &document.aliases {
        take(5, alias);
    }
}
