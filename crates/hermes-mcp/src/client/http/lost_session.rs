//! Whether a page says that a session is no more.

/// The longest page that says no more than that.
const MAX_PAGE: usize = 1024;
/// The letters between a session and what is said of it, with the gaps.
const MAX_BETWEEN: usize = 20;
/// What a session is called.
const NAMES: [&str; 7] =
    ["session", "sessionid", "session-id", "session_id", "mcp-session", "mcp-session-id", "mcp_session_id"];
/// What is said of sessions that are no more.
const LOST: [&[&str]; 6] =
    [&["not", "found"], &["no", "valid"], &["invalid"], &["expired"], &["unknown"], &["terminated"]];

/// Servers that forgot a session say so by 404. Some say it in words, those of a library that was much copied from: they
/// turned the request away before they looked at what it is. A tool that says no may use the same words of other things,
/// and what it was asked for must not be asked twice, so they have to stand side by side.
pub(super) fn speaks_of_lost_session(page: &[u8]) -> bool {
    if page.len() > MAX_PAGE {
        return false;
    }
    let page = String::from_utf8_lossy(page).to_ascii_lowercase();
    page.split(['.', ',', ';', '!', '?', '{', '}', '[', ']', '\n']).any(|sentence| {
        let is_between = |letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-'));
        let words: Vec<&str> = sentence.split(is_between).filter(|word| !word.is_empty()).collect();
        let mut names = words.iter().enumerate().filter(|(_, word)| NAMES.contains(word));
        names.any(|(name, _)| {
            LOST.iter().any(|lost| {
                let mut places = words.windows(lost.len()).enumerate().filter(|(_, words)| words == lost);
                places.any(|(at, _)| {
                    let between = if at > name { name + 1..at } else { at + lost.len()..name };
                    words.get(between).is_some_and(belong_together)
                })
            })
        })
    })
}

/// Whether so little stands between a session and what is said that it is said of the session. Its number may stand
/// there, however long; another thing of sessions would be what is spoken of.
fn belong_together(between: &[&str]) -> bool {
    let letters = between.iter().filter(|word| !word.contains(|letter: char| letter.is_ascii_digit()));
    letters.map(|word| word.len() + 1).sum::<usize>() <= MAX_BETWEEN
        && !between.iter().any(|word| word.contains("session"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_and_its_end_stand_side_by_side() {
        for page in [
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#,
            "Session not found",
            "Invalid or missing session ID",
            "<p>Your session has expired.</p>",
            "Mcp-Session-Id header is invalid",
            r#"{"error": "unknown sessionId"}"#,
            "Session 0b6a7f0e-9f0d-4a54-8d2b-0a8f6b1c2d3e not found",
            "Not Found: Session has been terminated",
        ] {
            assert!(speaks_of_lost_session(page.as_bytes()), "{page}");
        }
        let long = format!("Session not found{}", " ".repeat(MAX_PAGE));
        for page in [
            "invalid session_date",
            "Invalid session-date for the session",
            r#"{"error": "invalid", "session": "morning"}"#,
            "The speaker of the session on the second day is unknown",
            "Invalid date. Session unchanged.",
            "No such room in this session",
            "unknown obsession",
            "invalid",
            "",
            &long,
        ] {
            assert!(!speaks_of_lost_session(page.as_bytes()), "{page}");
        }
    }
}
