//! Runs a command in the session's shell.

use std::collections::BTreeMap;
use std::time::Duration;

use hermes_core::grant::quoted;
use hermes_host::Terminals;
use hermes_host::terminal::{Background, Command, Ending, Ran, Record, check_names, mentions};
use hermes_kit::prelude::*;

use super::shown::{Event, circumstances, events, note as exit_note};
use crate::printed::{Whole, printed};
use crate::ran::{STOP_GRACE, Where};

/// The longest a command may be waited for.
const MAX_SECONDS: u64 = 600;

/// Run a bash command and wait for it. The folder and exported variables last between calls. Output and errors
/// come back as one text. To read, write, change or search files use read_file, write_file, patch and
/// search_files. Nobody answers prompts: pass flags such as -y. What the command leaves running is ended with
/// it; for servers and watchers set background and use process.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The command line, as typed in bash.
    #[schemars(length(min = 1))]
    command: String,
    /// The folder to run it in, this time only: absolute, relative to the shell's current folder, or beginning
    /// with ~/.
    workdir: Option<String>,
    /// Seconds after which it is ended, 180 where nothing is said.
    #[schemars(range(min = 1, max = 600))]
    timeout: Option<u64>,
    /// Environment variables for this command only.
    #[serde(default, deserialize_with = "named")]
    env: BTreeMap<String, String>,
    /// Give it a terminal of its own, for programs that refuse to work without one.
    #[serde(default)]
    pty: bool,
    /// Leave it running and return its id at once.
    #[serde(default)]
    background: bool,
    /// With background: have its end told with the next result of terminal or process.
    #[serde(default)]
    notify_on_complete: bool,
    /// With background: have lines with one of these texts in them told the same way.
    #[serde(default, deserialize_with = "telling")]
    watch_patterns: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Output {
    Ended(Ended),
    Started(Started),
}

/// A command in the background.
#[derive(Debug, Serialize)]
pub struct Started {
    session_id: String,
    pid: u32,
    state: &'static str,
    cwd: String,
    ran: Where,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Event>,
}

/// A command that was waited for.
#[derive(Debug, Serialize)]
pub struct Ended {
    output: String,
    /// Where all of the output is, if it is more than is shown.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    whole: Option<Whole>,
    exit_code: i32,
    /// What the exit code means, where that is not plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code_meaning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The folder that the next command starts in.
    cwd: String,
    ran: Where,
    /// What happened in the background meanwhile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Event>,
}

pub struct Terminal {
    terminals: Terminals,
}

impl Tool for Terminal {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        // The command has its own limit; this one only has to be longer.
        timeout: Duration::from_secs(MAX_SECONDS + 30),
        stop_grace: STOP_GRACE,
        emoji: "💻",
        tags: &["shell", "bash", "command", "run", "execute"],
        ..ToolMeta::new("terminal", "terminal", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        Terminal { terminals: host.terminals.clone() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        vec![Access::new(Permission::TERMINAL_EXECUTE, Target::InShell(args.command.clone()))]
    }

    fn judged_later(&self, args: &Args) -> Result<Vec<Access>, ToolError> {
        Ok(with_variables(args))
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let most = self.terminals.settings().max_timeout;
        let timeout = args.timeout.map(Duration::from_secs);
        if timeout.is_some_and(|timeout| timeout > most) {
            let text = format!("timeout must be at most {} seconds here", most.as_secs());
            return Err(ToolError::invalid(text).with_hint("Use background for what takes longer."));
        }
        let command =
            Command { line: args.command, workdir: args.workdir, env: args.env, timeout, pty: args.pty };
        if args.background {
            let background = Background {
                notify_on_complete: args.notify_on_complete,
                watch_patterns: args.watch_patterns,
            };
            let record = self.terminals.start(&command, &background, cx).await?;
            return Ok(Output::Started(started(record, events(&self.terminals, cx))));
        }
        if args.notify_on_complete || !args.watch_patterns.is_empty() {
            return Err(ToolError::invalid("notify_on_complete and watch_patterns go with background"));
        }
        let ran = self.terminals.run(&command, cx).await?;
        let output = printed(&ran, cx).await;
        if ran.ending == Ending::Interrupted {
            return Err(ToolError::new(
                ErrorCode::OutcomeUnknown,
                "the command had begun and was ended; what it did until then stays done",
            )
            .with_hint("Look at the current state before you repeat the command.")
            .with_field("output", output.0)
            .with_field("exit_code", ran.exit_code));
        }
        Ok(Output::Ended(ended(&command.line, ran, output, events(&self.terminals, cx))))
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "one command after another",
                json!({"command": "mkdir -p src && cd src && echo hello > a.txt && cat a.txt"}),
                json!({"output": "hello", "exit_code": 0}),
            ),
            Example::succeeds(
                "a search that finds nothing",
                json!({"command": "grep missing note.txt"}),
                json!({"exit_code": 1, "exit_code_meaning": "no line matched; that is not an error"}),
            )
            .with_files(&[("note.txt", "hello\n")]),
            Example::succeeds(
                "a program in the background, of which certain lines are told",
                json!({"command": "echo ready", "background": true, "watch_patterns": ["ready"]}),
                json!({"state": "running"}),
            ),
            Example::fails(
                "a folder that is not there",
                json!({"command": "ls", "workdir": "missing"}),
                ErrorCode::NotFound,
            ),
        ]
    }
}

/// A name that is none is the caller's mistake, whatever the rules say of the command.
fn named<'de, D: serde::Deserializer<'de>>(given: D) -> Result<BTreeMap<String, String>, D::Error> {
    let env = BTreeMap::deserialize(given)?;
    check_names(env.keys()).map_err(|error| serde::de::Error::custom(error.message))?;
    Ok(env)
}

/// An empty text is in every line.
fn telling<'de, D: serde::Deserializer<'de>>(given: D) -> Result<Vec<String>, D::Error> {
    let patterns = Vec::<String>::deserialize(given)?;
    match patterns.iter().any(String::is_empty) {
        true => Err(serde::de::Error::custom("a watch pattern is empty, and every line would match it")),
        false => Ok(patterns),
    }
}

/// The variables as the door has them judged: by themselves, and those that the command speaks of with it.
fn with_variables(args: &Args) -> Vec<Access> {
    if args.env.is_empty() {
        return Vec::new();
    }
    let assigned =
        |(name, value): (&String, &String)| format!("{name}={}", quoted(std::slice::from_ref(value)));
    let variables: Vec<String> = args.env.iter().map(assigned).collect();
    let told = args.env.iter().filter(|(name, _)| mentions(&args.command, name));
    let mut with: Vec<String> = told.map(assigned).collect();
    let lines = match with.is_empty() {
        true => vec![variables.join("; ")],
        false => {
            with.push(args.command.clone());
            vec![variables.join("; "), with.join("; ")]
        }
    };
    let judged = |line| Access::new(Permission::TERMINAL_EXECUTE, Target::Command(line));
    lines.into_iter().map(judged).collect()
}

fn started(record: Record, events: Vec<Event>) -> Started {
    Started {
        session_id: record.id,
        pid: record.pid,
        state: "running",
        cwd: record.cwd,
        ran: Where {
            backend: record.backend,
            sandbox: record.sandbox,
            lacking: record.lacking,
            bounds: record.bounds,
            identity: record.identity,
        },
        events,
    }
}

fn ended(line: &str, ran: Ran, (output, whole): (String, Option<Whole>), events: Vec<Event>) -> Ended {
    let unset = ran.exit_code == 127 && output.ends_with(": unbound variable");
    let exit_code_meaning = match ran.ending {
        // With set -u a shell ends with a code that means something else.
        Ending::Exited if unset => {
            Some("a variable that is not set was used, and set -u ends the shell".to_owned())
        }
        Ending::Exited => exit_note(line, ran.exit_code, ran.signal),
        Ending::TimedOut(limit) if ran.unsure => {
            Some(format!("given up after {} seconds", limit.as_secs_f64()))
        }
        Ending::TimedOut(limit) => Some(format!("ended after {} seconds", limit.as_secs_f64())),
        Ending::Interrupted => None,
    };
    Ended {
        note: circumstances(&ran, &output),
        output,
        whole,
        exit_code: ran.exit_code,
        exit_code_meaning,
        cwd: ran.cwd.display().to_string(),
        ran: Where::from(ran.place),
        events,
    }
}

register_tool!(Terminal);
