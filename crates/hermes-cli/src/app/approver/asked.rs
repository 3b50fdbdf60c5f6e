//! A call that needs a person's word, with everything the answer depends on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use hermes_core::grant::{Binding, Facts, NamedFile, Pattern, Suggestion, folder_of, suggest};
use hermes_core::ports::SessionState;
use hermes_core::redact::Redactor;
use hermes_core::text::{ERROR_PREFIX, sanitise_error, visible};
use hermes_core::{AccessRequest, Decision, Target, ToolError};
use hermes_policy::command::{Class, Finding, Judgement};
use serde_json::Value;

use super::judge::Judge;
use super::named_files::{Named, named_files};
use crate::app::trust::digest;

/// Where the session state keeps the variables that commands get, see the tool `env_manager`.
const OVERLAY_SLOT: &str = "env";
/// Characters of a command that a hint repeats.
const LONGEST_HINT: usize = 500;

/// What is asked.
pub(super) struct Asked<'a> {
    pub(super) request: &'a AccessRequest<'a>,
    pub(super) decision: &'a Decision,
    /// The session as the scopes of grants name it.
    pub(super) session: String,
    /// The digest that an answer for once is bound to.
    pub(super) once: String,
    /// The digest of the call wherever it is made.
    pub(super) exact: String,
    pub(super) files: Vec<NamedFile>,
    /// Why these may not be all that would run: then a yes is for once only.
    pub(super) unsure: Option<String>,
    /// What the command would do, if the call is one.
    pub(super) judgement: Option<Judgement>,
    pub(super) suggestion: Suggestion,
    /// Whether what is asked can be repeated in a hint: short, and nothing in it that hints leave out.
    pub(super) repeatable: bool,
    /// What it would do, in plain words; filled in before a person sees it.
    pub(super) effects: Vec<String>,
    /// Somebody who looked before advises against it: then a yes is for once only.
    pub(super) warning: Option<String>,
}

/// What gathering the facts needs from the application.
pub(super) struct Gatherer {
    pub(super) session_state: Option<Arc<dyn SessionState>>,
    pub(super) judge: Judge,
    pub(super) redactor: Redactor,
    pub(super) user_home: PathBuf,
}

impl Gatherer {
    pub(super) async fn gather<'a>(
        &self,
        request: &'a AccessRequest<'a>,
        decision: &'a Decision,
        session: String,
    ) -> Result<Asked<'a>, ToolError> {
        let overlay = self.overlay(request.session).await?;
        let Named { files, unsure } = self.files(request, &overlay).await?;
        let binding = Binding { request, overlay: &overlay, files: &files };
        let (once, exact) = (digest(binding.once()), digest(binding.call()));
        let facts = Facts { request, session: &session, exact: &exact, files: &files, now_ms: 0 };
        let suggestion = suggest(&facts);
        let repeatable = command_of(request).is_none_or(|text| self.is_repeatable(text))
            && match &suggestion.pattern {
                Pattern::Path(text) | Pattern::Host(text) | Pattern::Command(text) => {
                    self.is_repeatable(text)
                }
                Pattern::Exact(_) | Pattern::Prefix(_) => true,
            };
        let judgement =
            command_of(request).map(|text| self.judge.judge(text, &self.folder(request), request.cwd));
        // A grant from another shell would not know the variables; only the digest of the call has them in it.
        let repeatable = repeatable && (overlay.is_empty() || command_of(request).is_none());
        Ok(Asked {
            request,
            decision,
            session,
            once,
            exact,
            files,
            unsure,
            judgement,
            suggestion,
            repeatable,
            effects: Vec::new(),
            warning: None,
        })
    }

    /// Where the command of the call would run.
    pub(super) fn folder(&self, request: &AccessRequest<'_>) -> PathBuf {
        folder_of(request, &self.user_home)
    }

    /// The digest that binds the call as things are now.
    pub(super) async fn once(&self, request: &AccessRequest<'_>) -> Result<String, ToolError> {
        let overlay = self.overlay(request.session).await?;
        let files = self.files(request, &overlay).await?.files;
        Ok(digest(Binding { request, overlay: &overlay, files: &files }.once()))
    }

    fn is_repeatable(&self, command: &str) -> bool {
        let cleaned = sanitise_error(command);
        command.len() <= LONGEST_HINT
            && !command.contains('\n')
            && visible(command) == command
            && cleaned.strip_prefix(ERROR_PREFIX) == Some(command)
            && self.redactor.redact_text(command) == command
    }

    async fn overlay(&self, session: &str) -> Result<BTreeMap<String, Option<String>>, ToolError> {
        let Some(state) = &self.session_state else { return Ok(BTreeMap::new()) };
        let stored = state.load(session, OVERLAY_SLOT).await?.unwrap_or(Value::Object(Default::default()));
        serde_json::from_value(stored).map_err(|error| {
            ToolError::internal("the session's variables could not be read").with_operator(error.to_string())
        })
    }

    /// What a command depends on beside its text: the scripts it names, the session's variables, and where links lead.
    async fn files(
        &self,
        request: &AccessRequest<'_>,
        overlay: &BTreeMap<String, Option<String>>,
    ) -> Result<Named, ToolError> {
        let Some(command) = command_of(request).map(str::to_owned) else { return Ok(Named::default()) };
        let (folder, home) = (self.folder(request), self.user_home.clone());
        let mut named = blocking(move || Ok(named_files(&command, &folder, &home))).await?;
        named.files.extend(NamedFile::of_variables(overlay, digest));
        named.files.extend(NamedFile::of_places(request.effects));
        Ok(named)
    }
}

impl Asked<'_> {
    pub(super) fn facts(&self, now_ms: i64) -> Facts<'_> {
        Facts {
            request: self.request,
            session: &self.session,
            exact: &self.exact,
            files: &self.files,
            now_ms,
        }
    }

    /// Why a yes can only be for once, if that is so.
    pub(super) fn once_only(&self) -> Option<String> {
        let unsure =
            || self.unsure.as_ref().map(|why| format!("nobody can tell which files it would run: {why}"));
        self.warning.clone().or_else(unsure)
    }

    pub(super) fn command(&self) -> Option<&str> {
        command_of(self.request)
    }

    /// Findings that made somebody ask, gravest first.
    pub(super) fn findings(&self) -> Vec<&Finding> {
        let all = self.judgement.iter().flat_map(|judgement| &judgement.findings);
        let mut risky: Vec<&Finding> = all.filter(|finding| finding.class >= Class::Ask).collect();
        risky.sort_by_key(|finding| std::cmp::Reverse(finding.class));
        risky
    }

    /// Whether nobody may say yes to it.
    pub(super) fn is_beyond_approval(&self) -> bool {
        self.judgement.as_ref().is_some_and(|judgement| judgement.class == Class::Deny)
    }
}

/// The command line of the call, if all it does is to run one.
pub(super) fn command_of<'a>(request: &'a AccessRequest<'a>) -> Option<&'a str> {
    let mut commands = request.access.iter().map(|access| match &access.target {
        Target::Command(text) => Some(text.as_str()),
        _ => None,
    });
    let first = commands.next().flatten()?;
    commands.all(|command| command == Some(first)).then_some(first)
}

/// Disk work off the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| {
        Err(ToolError::internal("the work was cut short").with_operator(error.to_string()))
    })
}
