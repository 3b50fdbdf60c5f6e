//! What to do with a file that is no text.

use hermes_core::ToolError;
use hermes_host::workspace::OpenFile;

use super::sniff::Content;

/// The refusal, which names what would help.
pub(in crate::file) fn not_text(file: &OpenFile, content: Content) -> ToolError {
    let (what, instead) = match content {
        Content::Image => ("an image", "Look at it with a vision tool"),
        Content::Pdf => ("a PDF document", "Extract its text first, for example with `pdftotext`"),
        Content::Archive => ("a compressed file", "Unpack it first"),
        Content::Binary | Content::Text(_) => {
            ("a binary file", "Inspect it with a program made for its format")
        }
    };
    ToolError::invalid(format!("'{}' is {what}, not text", file.path().display()))
        .with_hint(format!("{instead}; raw bytes come with encoding 'base64'."))
        .with_field("is_binary", true)
        .with_field("file_size", file.size())
}
