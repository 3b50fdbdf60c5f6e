//! The command line that would allow a call, ready to be copied.

use hermes_core::grant::{Pattern, quoted};

use super::asked::Asked;

/// What would allow the call, as a sentence.
pub(super) fn to_allow(asked: &Asked<'_>) -> String {
    match asked.once_only() {
        Some(why) => format!(
            "No grant can be stored for it ({why}). Let it wait for an answer: --set approvals.mode=queue, then \
             'hermes approvals list'."
        ),
        None => format!("To allow exactly this once, run: {}", grants_add(asked)),
    }
}

/// `hermes grants add …` for exactly this call, once.
fn grants_add(asked: &Asked<'_>) -> String {
    let request = asked.request;
    let mut words: Vec<String> =
        ["hermes", "grants", "add", "--tool", request.tool].map(str::to_owned).to_vec();
    let (flag, value) = match &asked.suggestion.pattern {
        _ if !asked.repeatable => ("--call", asked.exact.clone()),
        Pattern::Command(text) => ("--command", text.clone()),
        Pattern::Prefix(words) => ("--prefix", quoted(words)),
        Pattern::Path(glob) => ("--path", glob.clone()),
        Pattern::Host(host) => ("--host", host.clone()),
        Pattern::Exact(digest) => ("--call", digest.clone()),
    };
    words.extend([flag.to_owned(), value, "--times".to_owned(), "1".to_owned()]);
    if request.actor != "user" {
        words.extend(["--actor".to_owned(), request.actor.to_owned()]);
    }
    words.extend(["-C".to_owned(), request.cwd.display().to_string()]);
    quoted(&words)
}
