//! Runs commands for sessions: judged where they really run, bounded, ended when told to.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hermes_core::{Access, CallContext, Permission, Target, ToolError, Verdict};
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use super::backend::{Backend, Job, Started};
use super::capture::Capture;
use super::job::{Command, Ending, Ran};
use super::local::Local;
use super::settings::TerminalSettings;
use super::state::{ShellState, States, nearest_folder};
use super::walls::{Ground, walls};
use super::{environment, quote, script};
use crate::env::Env;
use crate::process::Exit;

/// How long a command may take to end by itself at its deadline.
const GRACE: Duration = Duration::from_millis(1_000);
/// The same when the caller does not want it any more.
const SHORT_GRACE: Duration = Duration::from_millis(250);
/// How long to wait for the rest of the output once everything that could write it has ended.
const REST: Duration = Duration::from_millis(500);

/// The terminals of an application. Cheap to clone.
#[derive(Clone)]
pub struct Terminals {
    inner: Arc<Inner>,
}

struct Inner {
    settings: TerminalSettings,
    env: Env,
    base: BTreeMap<String, String>,
    user_home: PathBuf,
    hermes_home: PathBuf,
    states: States,
    local: Local,
}

impl fmt::Debug for Terminals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminals").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl Terminals {
    pub fn new(settings: TerminalSettings, env: Env, hermes_home: PathBuf) -> Self {
        let user_home = env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let base = environment::base(&env, &settings.env_passthrough);
        let (states, local) = (States::default(), Local::default());
        Terminals { inner: Arc::new(Inner { settings, env, base, user_home, hermes_home, states, local }) }
    }

    pub fn settings(&self) -> &TerminalSettings {
        &self.inner.settings
    }

    /// Runs a command to its end.
    pub async fn run(&self, command: &Command, cx: &CallContext) -> Result<Ran, ToolError> {
        let inner = &*self.inner;
        let own = Access::new(Permission::TERMINAL_EXECUTE, Target::Command(command.line.clone()));
        if !cx.permit().covers(&own) {
            return Err(ToolError::denied("the command was not permitted"));
        }
        let state = inner.states.load(cx).await?;
        let cwd = inner.folder(command, &state, cx)?;
        inner.judge_in_place(command, &state, &cwd, cx).await?;
        let mut env = state.environment(&inner.base);
        env.extend(command.env.clone());
        if command.pty {
            env.insert("TERM".to_owned(), "xterm-256color".to_owned());
        }
        let walls = inner.walls(cx)?;
        let mark = script::new_mark();
        let job = Job {
            line: &command.line,
            mark: &mark,
            cwd: &cwd,
            env: &env,
            pty: command.pty,
            walls: walls.as_ref(),
        };
        let started = inner.local.start(job).await?;
        let timeout = command.timeout.unwrap_or(inner.settings.timeout);
        let (mut ran, told) = follow(started, &mark, timeout, inner.settings.output_chars, cx).await?;
        let after = match told.as_deref().and_then(script::read) {
            Some(stood) => state.after(&stood, &inner.base, &command.env, command.workdir.is_none()),
            // Killed before it could tell: everything stays as it was before.
            None => ShellState { cwd: state.cwd.clone(), ..state.clone() },
        };
        ran.cwd = after.cwd.clone().unwrap_or(cwd);
        inner.states.save(cx, &state, after).await?;
        Ok(ran)
    }
}

impl Inner {
    /// The folder of this command: its own, else where the session's last one stood.
    fn folder(&self, command: &Command, state: &ShellState, cx: &CallContext) -> Result<PathBuf, ToolError> {
        let standing = state.cwd.clone().unwrap_or_else(|| self.first_folder(cx));
        let Some(wanted) = &command.workdir else { return Ok(nearest_folder(&standing)) };
        let path = standing.join(self.expanded(wanted));
        path.canonicalize().ok().filter(|path| path.is_dir()).ok_or_else(|| {
            ToolError::not_found(format!("workdir '{wanted}' is not a folder"))
                .with_hint("Give a folder that exists, absolute or relative to the session's current one.")
        })
    }

    fn first_folder(&self, cx: &CallContext) -> PathBuf {
        let configured = self.settings.cwd.as_deref().filter(|cwd| *cwd != ".");
        configured.map_or_else(|| cx.cwd().to_owned(), |cwd| cx.cwd().join(self.expanded(cwd)))
    }

    fn expanded(&self, path: &str) -> PathBuf {
        match path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => self.user_home.join(rest.trim_start_matches('/')),
            None => PathBuf::from(path),
        }
    }

    /// The call was judged as if its command ran in the session's own folder with nothing exported. Where
    /// that is not so, the command is judged again as what it really is.
    async fn judge_in_place(
        &self,
        command: &Command,
        state: &ShellState,
        cwd: &Path,
        cx: &CallContext,
    ) -> Result<(), ToolError> {
        let mut before = Vec::new();
        let changed = state.changed.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        for (name, value) in changed.chain(&command.env).filter(|(name, _)| mentions(&command.line, name)) {
            before.push(format!("{name}={}", quote::quoted_text(value)));
        }
        if cwd != cx.cwd() {
            before.push(format!("cd {}", quote::quoted_text(&cwd.display().to_string())));
        }
        if before.is_empty() {
            return Ok(());
        }
        let line = format!("{}; {}", before.join("; "), command.line);
        let access = Access::new(Permission::TERMINAL_EXECUTE, Target::Command(line));
        let rules = cx.conversation()?;
        match rules.verdict(&access) {
            Verdict::Allow => Ok(()),
            Verdict::Ask | Verdict::Deny => rules.authorise(vec![access]).await.map(|_| ()),
        }
    }

    fn walls(&self, cx: &CallContext) -> Result<Option<crate::process::Confinement>, ToolError> {
        let ground = Ground {
            workspace: cx.cwd(),
            user_home: &self.user_home,
            hermes_home: &self.hermes_home,
            tmpdir: self.env.get("TMPDIR"),
            attended: cx.session().actor == "user",
        };
        Ok(walls(&ground, &self.settings.sandbox, &**cx.conversation()?))
    }
}

/// Whether a command speaks of a variable.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        before.ends_with('$') || before.ends_with("${") || before.ends_with("${#") || before.ends_with("${!")
    }) || matches!(name, "PATH" | "IFS" | "LD_PRELOAD" | "LD_LIBRARY_PATH" | "BASH_ENV" | "ENV")
}

/// Reads until the program and everything it started have ended, or until somebody has had enough.
async fn follow(
    started: Started,
    mark: &str,
    timeout: Duration,
    most: usize,
    cx: &CallContext,
) -> Result<(Ran, Option<Vec<u8>>), ToolError> {
    let Started { mut child, place } = started;
    let mut capture = Capture::new(most, mark);
    let mut output = child.stdout.take();
    let deadline = Instant::now() + timeout;
    let mut chunk = vec![0; 64 * 1024];
    let mut ending = Ending::Exited;
    let exit = loop {
        let reading = async {
            match &mut output {
                Some(stream) => stream.read(&mut chunk).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = cx.cancel().cancelled() => {
                ending = Ending::Interrupted;
                break drain_while(child.stop(SHORT_GRACE), &mut output, &mut capture).await;
            }
            () = tokio::time::sleep_until(deadline) => {
                ending = Ending::TimedOut(timeout);
                break drain_while(child.stop(GRACE), &mut output, &mut capture).await;
            }
            read = reading => match read {
                Ok(0) | Err(_) => output = None,
                Ok(length) => capture.push(chunk.get(..length).unwrap_or_default()),
            },
            exit = child.wait() => break exit,
        }
    };
    let rest = async {
        while let Some(stream) = &mut output {
            match stream.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(length) => capture.push(chunk.get(..length).unwrap_or_default()),
            }
        }
    };
    // Something outside of the program's tree may hold the other end.
    let _ = tokio::time::timeout(REST, rest).await;
    let exit = exit.map_err(|reason| {
        ToolError::new(hermes_core::ErrorCode::OutcomeUnknown, format!("the command was lost: {reason}"))
    })?;
    let (output, told) = capture.finish();
    let exit_code = code(ending, &exit);
    let left_behind = exit.left_behind;
    Ok((Ran { output, exit_code, ending, left_behind, cwd: PathBuf::new(), place }, told))
}

/// A program that is told to end may still print, and must not be held up by a full pipe.
async fn drain_while<T>(
    ending: impl Future<Output = T>,
    output: &mut Option<tokio::net::unix::pipe::Receiver>,
    capture: &mut Capture,
) -> T {
    tokio::pin!(ending);
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let reading = async {
            match &mut *output {
                Some(stream) => stream.read(&mut chunk).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            ended = &mut ending => return ended,
            read = reading => match read {
                Ok(0) | Err(_) => *output = None,
                Ok(length) => capture.push(chunk.get(..length).unwrap_or_default()),
            },
        }
    }
}

fn code(ending: Ending, exit: &Exit) -> i32 {
    match ending {
        Ending::Exited => exit.shell_code(),
        Ending::TimedOut(_) => 124,
        Ending::Interrupted => 130,
    }
}
