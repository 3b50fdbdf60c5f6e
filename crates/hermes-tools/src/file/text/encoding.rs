//! How a caller wants the bytes of a file to become text.

use hermes_kit::prelude::*;

use super::sniff::Charset;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Encoding {
    #[default]
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "latin-1")]
    Latin1,
    #[serde(rename = "base64")]
    Base64,
}

impl Encoding {
    pub(in crate::file) fn name(self) -> &'static str {
        match self {
            Encoding::Auto => "auto",
            Encoding::Utf8 => "utf-8",
            Encoding::Latin1 => "latin-1",
            Encoding::Base64 => "base64",
        }
    }

    /// How the bytes of a text are read that looks like this.
    pub(in crate::file) fn charset(self, found: Charset) -> Charset {
        match (self, found) {
            (Encoding::Latin1, _) => Charset::Latin1,
            (Encoding::Utf8, Charset::Utf8Bom) => Charset::Utf8Bom,
            (Encoding::Utf8, _) => Charset::Utf8,
            (Encoding::Auto | Encoding::Base64, found) => found,
        }
    }
}
