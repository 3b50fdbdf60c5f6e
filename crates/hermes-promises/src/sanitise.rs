//! The error sanitiser: a fixpoint, bounded, without control characters and without any framing token.

use hermes_core::text::{ERROR_PREFIX, head_tail, sanitise_error, visible};

/// Tags that must never reach a model, however they are spaced.
const TAGS: &[&str] = &[
    "<system>",
    "</system>",
    "<system/>",
    "<user>",
    "</user>",
    "<assistant>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "<tool_result>",
    "<function_call>",
    "<function_calls>",
    "<result>",
    "<output>",
    "<input>",
    "<think>",
    "</think>",
    "<invoke>",
    "[inst]",
    "[/inst]",
    "[tool_calls]",
];
/// Marks of chat templates, which are marks only as they are.
const MARKS: &[&str] = &["<|im_start|>", "<|im_end|>", "<|eot_id|>", "<<sys>>", "<</sys>>", "<s>", "</s>"];

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let once = sanitise_error(&text);
    let body = once.strip_prefix(ERROR_PREFIX).expect("the prefix");
    assert_eq!(sanitise_error(&once), once, "from {text:?}");
    assert!(!body.starts_with(ERROR_PREFIX.trim_end()), "two prefixes from {text:?}");
    assert!(body.chars().count() <= 2000);
    assert!(!body.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "from {text:?}");
    let (plain, squeezed) = (body.to_ascii_lowercase(), squeezed(body));
    let mark = MARKS.iter().find(|mark| plain.contains(**mark));
    let left = mark.or_else(|| TAGS.iter().find(|tag| squeezed.contains(**tag)));
    assert!(left.is_none(), "{left:?} is left of {text:?} in {body:?}");
    let shown = visible(&text);
    assert_eq!(visible(&shown), shown);
    if let Some((head, tail)) = head_tail(&text, data.len() / 3) {
        assert!(text.starts_with(head) && text.ends_with(tail));
    }
}

/// The text in lower case, without the blanks that a tag may have beside its brackets and slashes.
fn squeezed(text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let mut words = text.split_whitespace();
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        if !joined.ends_with(['<', '/', '[']) && !word.starts_with(['>', '/', ']']) {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}
