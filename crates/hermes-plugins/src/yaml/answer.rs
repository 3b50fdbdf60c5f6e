//! What a server answered: its status and its body, as what the body says it is.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encoding_rs::{Encoding, UTF_8};
use hermes_core::arguments::exact_json;
use serde_json::Value;

/// Kinds of content that are text without being called so.
const TEXTS: &[&str] = &["json", "xml", "javascript", "yaml", "x-www-form-urlencoded", "csv", "graphql"];

/// An answer, read to its end.
pub(super) struct Answer {
    pub(super) status: u16,
    /// `Content-Type`, as it came.
    pub(super) kind: Option<String>,
    pub(super) body: Vec<u8>,
}

/// A body that can be shown.
pub(super) enum Shown {
    Text(String),
    /// Pictures, archives and whatever else is no text.
    Base64(String),
}

impl Answer {
    /// Whether the server says that it is JSON. What merely looks like it stays text.
    fn is_json(&self) -> bool {
        self.media_type().contains("json")
    }

    /// The body as JSON, where the server calls it that or the tool insists.
    pub(super) fn json(&self, wanted: bool) -> Option<Value> {
        if !wanted && !self.is_json() {
            return None;
        }
        // In the letters the server names; JSON itself is UTF-8.
        exact_json(&self.body).ok().or_else(|| exact_json(self.text()?.as_bytes()).ok())
    }

    /// The body as it can be shown.
    pub(super) fn shown(&self) -> Shown {
        match self.text() {
            Some(text) => Shown::Text(text),
            None => Shown::Base64(STANDARD.encode(&self.body)),
        }
    }

    /// Of a failed answer there is text or nothing: nobody reads an error from a picture.
    pub(super) fn text_of_failure(&self) -> String {
        self.text().unwrap_or_default()
    }

    /// The text, in the letters that the server names; none where it is something else.
    fn text(&self) -> Option<String> {
        let media_type = self.media_type();
        let is_text = media_type.is_empty()
            || media_type.starts_with("text/")
            || TEXTS.iter().any(|kind| media_type.contains(kind));
        let named = self.charset();
        if !is_text && named.is_none() {
            return None;
        }
        if media_type.is_empty() {
            // Nobody calls it text; it must be it.
            return String::from_utf8(self.body.clone()).ok();
        }
        let (text, _, _) = named.unwrap_or(UTF_8).decode(&self.body);
        Some(text.into_owned())
    }

    /// `type/subtype`, in small letters.
    pub(super) fn media_type(&self) -> String {
        let kind = self.kind.as_deref().unwrap_or_default();
        kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    fn charset(&self) -> Option<&'static Encoding> {
        let parameters = self.kind.as_deref()?.split(';').skip(1);
        let named = parameters.filter_map(|pair| pair.split_once('='));
        let (_, label) = named.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        Encoding::for_label(label.trim().trim_matches(['"', '\'']).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: &str, body: &[u8]) -> String {
        let answer = Answer { status: 200, kind: Some(kind.to_owned()), body: body.to_vec() };
        match answer.shown() {
            Shown::Text(text) => text,
            Shown::Base64(text) => format!("base64:{text}"),
        }
    }

    #[test]
    fn bodies_are_read_as_what_they_are() {
        assert_eq!(shown("text/plain", "é".as_bytes()), "é");
        assert_eq!(shown("text/plain; charset=\"ISO-8859-1\"", b"caf\xe9"), "café");
        assert_eq!(shown("text/html;charset=shift_jis", b"\x93\xfa\x96{"), "日本");
        assert_eq!(shown("text/plain; charset=utf-16", b"\xff\xfea\0"), "a");
        assert_eq!(shown("text/plain; charset=nonsense", b"a"), "a");
        assert_eq!(shown("image/png", b"\x89PNG"), "base64:iVBORw==");
        assert_eq!(shown("application/octet-stream", b"abc"), "base64:YWJj");
        assert_eq!(shown("", b"plain"), "plain");
        assert_eq!(shown("", b"\xff\xfe\xfd\x00"), "base64://79AA==");
        assert_eq!(shown("application/problem+xml", b"<a/>"), "<a/>");
    }

    #[test]
    fn json_may_come_in_other_letters() {
        let kind = Some("application/json; charset=iso-8859-1".to_owned());
        let answer = Answer { status: 200, kind, body: b"{\"a\": \"\xe9\"}".to_vec() };
        assert_eq!(answer.json(false), Some(serde_json::json!({"a": "é"})));
    }
}
