//! Smart approval by a program.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use hermes_host::Env;
use hermes_host::process::{Finished, Program, run};
use serde::Deserialize;
use serde_json::Value;

use super::smart::Opinion;
use crate::app::hooks::program_digest;

/// What the consent is for, as hooks name their events.
pub(crate) const EVENT: &str = "smart_approval";
const MAX_OUTPUT: usize = 64 << 10;

/// The configured program and what the user agreed to.
pub(super) struct Reviewer {
    pub(super) command: Vec<String>,
    pub(super) timeout: Duration,
    pub(super) env: Env,
    pub(super) trusted: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Said {
    verdict: Word,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Approve,
    Deny,
    Escalate,
}

impl Reviewer {
    /// What the program says, or why it said nothing.
    pub(super) async fn ask(&self, question: &Value, cwd: &Path) -> Result<Opinion, String> {
        // Judged anew each time: a program edited since start-up is one that nobody agreed to.
        if !self.trusted.contains(&program_digest(EVENT, &self.command, &self.env)) {
            return Err("the smart approval program is not trusted; see 'hermes approvals trust'".to_owned());
        }
        let finished = run(Program {
            argv: self.command.clone(),
            cwd: cwd.to_owned(),
            env: self.env.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            stdin: question.to_string().into_bytes(),
            timeout: self.timeout,
            max_output: MAX_OUTPUT,
        })
        .await?;
        read(&finished)
    }
}

/// A clear answer of a program that ended well, or why it is none.
fn read(finished: &Finished) -> Result<Opinion, String> {
    if finished.exit_code != Some(0) {
        return Err("the smart approval program failed".to_owned());
    }
    let said: Said = serde_json::from_slice(&finished.stdout)
        .map_err(|error| format!("the smart approval program gave no clear answer: {error}"))?;
    let reason = if said.reason.trim().is_empty() { "without a reason".to_owned() } else { said.reason };
    Ok(match said.verdict {
        Word::Approve => Opinion::Approve(reason),
        Word::Deny => Opinion::Deny(reason),
        Word::Escalate => Opinion::Escalate(reason),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_answer_counts() {
        let finished =
            |exit_code, text: &str| Finished { exit_code, stdout: text.into(), stderr: Vec::new() };
        let approve = r#"{"verdict": "approve", "reason": "a build folder"}"#;
        assert_eq!(read(&finished(Some(0), approve)), Ok(Opinion::Approve("a build folder".into())));
        assert!(matches!(read(&finished(Some(0), r#"{"verdict": "deny"}"#)), Ok(Opinion::Deny(_))));
        for (code, text) in [
            (Some(1), approve),
            (None, approve),
            (Some(0), ""),
            (Some(0), "APPROVE"),
            (Some(0), r#"{"verdict": "APPROVE"}"#),
            (Some(0), r#"{"verdict": "approve"} {"verdict": "deny"}"#),
            (Some(0), r#"{"approve": true}"#),
        ] {
            assert!(read(&finished(code, text)).is_err(), "{code:?} {text}");
        }
    }
}
