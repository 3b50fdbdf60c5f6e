//! How far a yes reaches, and the grant that remembers it.

use std::path::Path;

use hermes_core::grant::{NamedFile, NewGrant, Scope, Suggestion};

use super::duration;

/// A session's grants end after this even if the session goes on.
const SESSION_MS: i64 = 24 * 60 * 60 * 1_000;

/// Where a yes reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Session,
    Project,
    Always,
}

/// A yes for longer than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) reach: Reach,
    /// How often in all, the call at hand included.
    pub(crate) times: Option<u64>,
    pub(crate) lifetime_ms: Option<i64>,
}

/// Whom and what a stored yes is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) tool: &'a str,
    pub(crate) actor: &'a str,
    pub(crate) session: &'a str,
    pub(crate) project: &'a Path,
    pub(crate) suggestion: &'a Suggestion,
}

impl Terms {
    pub(crate) const fn reaching(reach: Reach) -> Self {
        Terms { reach, times: None, lifetime_ms: None }
    }

    /// The grant to store beside the yes for the call at hand; `None` if that call is all there is.
    pub(crate) fn grant(&self, subject: Subject<'_>, by: &str, reason: &str) -> Option<NewGrant> {
        let uses = match self.times {
            Some(times) => Some(times.checked_sub(1).filter(|left| *left > 0)?),
            None => None,
        };
        let (scope, longest) = match self.reach {
            Reach::Session => (Scope::Session(subject.session.to_owned()), Some(SESSION_MS)),
            Reach::Project => (Scope::Project(subject.project.to_owned()), None),
            Reach::Always => (Scope::Always, None),
        };
        Some(NewGrant {
            created_by: by.to_owned(),
            tool: subject.tool.to_owned(),
            permission: subject.suggestion.permission.clone(),
            pattern: subject.suggestion.pattern.clone(),
            files: subject.suggestion.files.clone(),
            scope,
            actor: Some(subject.actor.to_owned()),
            uses,
            lifetime_ms: match (self.lifetime_ms, longest) {
                (Some(wanted), Some(longest)) => Some(wanted.min(longest)),
                (wanted, longest) => wanted.or(longest),
            },
            reason: reason.to_owned(),
        })
    }

    /// Where and how long, for the line that says what would be stored.
    pub(crate) fn describe(&self, subject: Subject<'_>) -> String {
        let place = match self.reach {
            Reach::Session => {
                format!("in session {}, for {} at most", subject.session, duration::show(SESSION_MS))
            }
            Reach::Project => format!("in folder {}", subject.project.display()),
            Reach::Always => "in every folder and session".to_owned(),
        };
        let times = self.times.map(|times| format!(", {times} times in all")).unwrap_or_default();
        let until = self.lifetime_ms.map(|ms| format!(", for {}", duration::show(ms))).unwrap_or_default();
        format!("{place}{times}{until}")
    }
}

/// What a stored rule covers, without where and how long.
pub(crate) fn rule_text(subject: Subject<'_>) -> String {
    let mut text = format!("{}: {}, by {}", subject.tool, subject.suggestion.pattern, subject.actor);
    if !subject.suggestion.files.is_empty() {
        let mut names: Vec<&str> = subject.suggestion.files.iter().map(NamedFile::shown).collect();
        names.dedup();
        text.push_str(&format!(", as long as {} stays as it is", names.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use hermes_core::grant::Pattern;

    #[test]
    fn the_call_at_hand_is_the_first_use() {
        let suggestion =
            Suggestion { permission: None, pattern: Pattern::Command("make".into()), files: Vec::new() };
        let subject = Subject {
            tool: "terminal",
            actor: "user",
            session: "s",
            project: Path::new("/w"),
            suggestion: &suggestion,
        };
        let times = |times: u64| Terms { times: Some(times), ..Terms::reaching(Reach::Project) };
        assert_eq!(times(1).grant(subject, "u", ""), None);
        assert_eq!(times(5).grant(subject, "u", "").unwrap().uses, Some(4));
        let session = Terms { lifetime_ms: Some(i64::MAX), ..Terms::reaching(Reach::Session) };
        assert_eq!(session.grant(subject, "u", "").unwrap().lifetime_ms, Some(SESSION_MS));
        assert_eq!(Terms::reaching(Reach::Always).grant(subject, "u", "").unwrap().lifetime_ms, None);
        assert_eq!(times(5).describe(subject), "in folder /w, 5 times in all");
        assert_eq!(rule_text(subject), "terminal: exactly the command `make`, by user");
    }
}
