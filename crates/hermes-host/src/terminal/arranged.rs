//! Everything before a command runs: where, with what, behind which walls, and whether it may.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hermes_core::{Access, CallContext, ErrorCode, Permission, Target, ToolError};

use super::announced::Announced;
use super::backends::{Job, Prepared, variables};
use super::door::{Terminals, no_folder};
use super::elsewhere::Errand;
use super::ending::EndThere;
use super::environment;
use super::job::Command;
use super::learned::learn;
use super::state::ShellState;

/// How long the other side may take to put something down.
const PATIENCE: Duration = Duration::from_secs(30);
/// How the name of a folder over there begins.
const FOLDER: &str = "/tmp/hermes-";

/// A command that may run.
pub(super) struct Arranged {
    pub(super) prepared: Prepared,
    pub(super) cwd: PathBuf,
    /// What the walls keep closed that one might expect to be open.
    pub(super) closed: Vec<String>,
    /// Places in the session's folder that the walls keep as they are.
    pub(super) kept: Vec<PathBuf>,
    /// The folder that it would have run in and that is gone.
    pub(super) moved: Option<PathBuf>,
    /// Ends it over there, and takes away the folder that goes with it, unless it ended by itself.
    pub(super) there: EndThere,
    /// What it takes by somebody's word.
    pub(super) announced: Announced,
}

/// Puts what comes by standard input into a folder that only its user may look into.
const LEAVE: &str = r#"umask 077
d=$(mktemp -d /tmp/hermes-XXXXXXXXXXXX) && [ -O "$d" ] || exit 125
IFS= read -r mark && printf '%s\n' "$mark" >"$d/mark" && cat >"$d/variables" && echo "$d""#;

/// Says whether a command could enter the folder that comes by standard input.
const LOOK: &str = r#"p=$(cat; echo .); p=${p%.}
(case $p in \~) cd ;; \~/*) cd && cd -- "${p#\~/}" ;; *) cd -- "$p" ;; esac) >/dev/null 2>&1 && echo there || echo none"#;

impl Terminals {
    /// `self` is where the session's commands run.
    pub(super) async fn arrange(
        &self,
        command: &Command,
        state: &ShellState,
        (mark, tells): (&str, Option<&str>),
        cx: &CallContext,
    ) -> Result<Arranged, ToolError> {
        let inner = &*self.inner;
        let own = Access::new(Permission::TERMINAL_EXECUTE, Target::Command(command.line.clone()));
        if !cx.permit().covers(&own) {
            return Err(ToolError::denied("the command was not permitted"));
        }
        environment::check_names(command.env.keys())?;
        let cwd = inner.folder(command, state, cx)?;
        let agreed = inner.judge_in_place(command, state, &cwd, cx).await?;
        if let Some(wanted) = command.workdir.as_ref().filter(|_| !inner.is_local()) {
            self.find(&cwd, wanted, cx).await?;
        }
        let own = command.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        learn(own, &inner.settings.secret_env, cx).await;
        let mut env = state.environment(inner.base());
        env.extend(command.variables(inner.is_local()));
        let mut walls = inner.walls(agreed.as_deref(), cx)?;
        let announced = walls.as_ref().map(|walls| Announced::now(&inner.hermes_home, &walls.expected));
        let announced = announced.unwrap_or_default();
        if let Some(vacant) = walls.as_mut().and_then(|walls| walls.confinement.vacant.as_mut()) {
            vacant.name = mark.to_owned();
        }
        let job = Job {
            session: &cx.session().id,
            line: &command.line,
            mark,
            tells,
            cwd: &cwd,
            env: &env,
            pty: command.pty,
            fed: false,
            kept: true,
            left: None,
            lasts: tells.is_none(),
            walls: walls.as_ref().map(|walls| &walls.confinement),
        };
        let left = if command.pty && !inner.is_local() { self.leave(&job, cx).await? } else { None };
        let there = || EndThere::new(self, &cx.session().id, mark);
        // Values must not stay over there where the command does not get so far.
        let folder = left.clone().map(|folder| there().with_folder(Some(folder)));
        let prepared = inner.backend.prepare(Job { left: left.as_deref(), ..job }).await?;
        let there = folder.unwrap_or_else(there);
        let (closed, mut kept) =
            walls.map(|walls| (walls.closed, walls.confinement.protected)).unwrap_or_default();
        kept.retain(|place| place.starts_with(cx.cwd()));
        let standing = inner.standing_folder(state, cx);
        let is_gone = inner.is_local() && command.workdir.is_none() && standing != cwd && !standing.is_dir();
        Ok(Arranged { prepared, closed, kept, moved: is_gone.then_some(standing), cwd, there, announced })
    }

    /// Whether the folder that was asked for is there. Not before the rules have spoken: it is theirs to say who may look.
    async fn find(&self, folder: &Path, wanted: &str, cx: &CallContext) -> Result<(), ToolError> {
        // Where another one begins, only the command itself knows.
        if !folder.is_absolute() && !folder.starts_with("~") {
            return Ok(());
        }
        let path = folder.display().to_string();
        let errand = Errand {
            session: &cx.session().id,
            script: LOOK,
            input: path.as_bytes(),
            patience: PATIENCE,
            cancel: cx.cancel(),
        };
        let (_, said) = self.ask(&errand).await?;
        // One that says neither leaves it to the command to find out.
        if said == b"none\n" { Err(no_folder(wanted)) } else { Ok(()) }
    }

    /// Puts what the command is told where it will look for it; `None` where there is nothing to tell.
    async fn leave(&self, job: &Job<'_>, cx: &CallContext) -> Result<Option<String>, ToolError> {
        let (secret, variables) = (job.tells.unwrap_or_default(), variables(job));
        if secret.is_empty() && variables.is_empty() {
            return Ok(None);
        }
        let input = format!("{secret}\n{variables}");
        let errand = Errand {
            session: job.session,
            script: LEAVE,
            input: input.as_bytes(),
            patience: PATIENCE,
            cancel: cx.cancel(),
        };
        let (sent, said) = self.ask(&errand).await?;
        let said = String::from_utf8_lossy(&said);
        let folder = said.trim_end();
        let is_ours =
            folder.strip_prefix(FOLDER).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric()));
        if sent.exit_code != 0 || !is_ours {
            let text = format!("the command could not be prepared there: {}", sent.complaints.trim_end());
            return Err(ToolError::new(ErrorCode::ExecFailed, text));
        }
        Ok(Some(folder.to_owned()))
    }
}
