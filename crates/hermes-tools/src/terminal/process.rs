//! Looks after commands in the background.

use std::time::Duration;

use hermes_core::text;
use hermes_host::Terminals;
use hermes_host::terminal::{Background, Command, Record, Status};
use hermes_kit::prelude::*;

use super::shown::{Described, Event, described, events};
use crate::printed::newest;

/// Characters shown of an output where nothing is said.
const PREVIEW: usize = 2_000;
/// Lines of a log where nothing is said, and at most.
const LINES: usize = 200;
const MOST_LINES: usize = 2_000;
/// The longest wait.
const MAX_SECONDS: u64 = 600;

/// Look after commands that terminal started in the background: list them, poll one for its state and newest
/// output, read its log, wait for its end, kill it with everything it started, write to its input (submit adds
/// the Enter key), close its input. start begins a new one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do.
    action: Action,
    /// Which command, for everything but list and start.
    session_id: Option<String>,
    /// For start: the command line.
    command: Option<String>,
    /// For write and submit: the text.
    data: Option<String>,
    /// For wait: seconds to wait at most, 60 where nothing is said.
    #[schemars(range(min = 1, max = 600))]
    timeout: Option<u64>,
    /// For log: the first line, counted from 1; the last lines where nothing is said.
    #[schemars(range(min = 1))]
    offset: Option<usize>,
    /// For log: how many lines, 200 where nothing is said.
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    List,
    Poll,
    // The same by another name.
    Status,
    Log,
    Wait,
    Kill,
    Write,
    Submit,
    Close,
    Start,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<Vec<Described>>,
    #[serde(flatten)]
    process: Option<Described>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    /// Of all that was printed, also of what is not kept any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_line: Option<usize>,
    /// Bytes at the beginning that are not kept any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Event>,
}

impl Output {
    /// What ended after it was looked at is not told as ended and shown as running.
    fn agree(&mut self) {
        for event in &self.events {
            let shown = self.processes.iter_mut().flatten().chain(&mut self.process);
            shown.for_each(|one| one.agree(event));
        }
    }
}

pub struct Process {
    terminals: Terminals,
}

impl Tool for Process {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        chapter_name: Some("process_manager"),
        timeout: Duration::from_secs(MAX_SECONDS + 30),
        parallel: Parallel::Shared,
        emoji: "⚙️",
        tags: &["background", "server", "job", "kill", "stdin"],
        ..ToolMeta::new("process", "terminal", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        Process { terminals: host.terminals.clone() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        let id = args.session_id.clone().unwrap_or_default();
        let manage = match args.action {
            Action::List => Access::any(Permission::PROCESS_MANAGE),
            Action::Start => {
                let line = args.command.clone().unwrap_or_default();
                return vec![Access::new(Permission::TERMINAL_EXECUTE, Target::InShell(line))];
            }
            _ => Access::name(Permission::PROCESS_MANAGE, id),
        };
        match args.action {
            // The text itself is judged together with what was typed before, by the door that knows it.
            Action::Write | Action::Submit => vec![manage, Access::any(Permission::TERMINAL_EXECUTE)],
            _ => vec![manage],
        }
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let mut output = self.act(&args, cx).await?;
        output.events = events(&self.terminals, cx);
        output.agree();
        Ok(output)
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds("nothing runs yet", json!({"action": "list"}), json!({"processes": []})),
            Example::succeeds(
                "begin something",
                json!({"action": "start", "command": "sleep 60"}),
                json!({"state": "running", "command": "sleep 60"}),
            ),
            Example::fails(
                "a command nobody started",
                json!({"action": "poll", "session_id": "proc_0"}),
                ErrorCode::NotFound,
            ),
        ]
    }
}

impl Process {
    async fn act(&self, args: &Args, cx: &CallContext) -> Result<Output, ToolError> {
        let terminals = &self.terminals;
        match args.action {
            Action::List => {
                let all = terminals.processes(cx);
                let processes = all
                    .into_iter()
                    .map(|(record, status)| described(&self.terminals, record, status))
                    .collect();
                return Ok(Output { processes: Some(processes), ..Output::default() });
            }
            Action::Start => {
                let line = args.command.clone().filter(|line| !line.trim().is_empty());
                let line = line.ok_or_else(|| ToolError::invalid("start needs a command"))?;
                let command = Command { line, ..Command::default() };
                let record = terminals.start(&command, &Background::default(), cx).await?;
                return Ok(Output {
                    process: Some(described(&self.terminals, record, Status::Running)),
                    ..Output::default()
                });
            }
            _ => {}
        }
        let missing = || ToolError::invalid("session_id is missing").with_hint("list shows them.");
        let id = args.session_id.as_deref().ok_or_else(missing)?;
        let (record, status) = terminals.process(id, cx)?;
        match args.action {
            Action::Log => return Ok(self.log(record, status, args)),
            Action::Wait => {
                let limit = Duration::from_secs(args.timeout.unwrap_or(60).min(MAX_SECONDS));
                let status = terminals.wait_for(&record, limit, cx).await;
                return Ok(self.preview(record, status));
            }
            Action::Kill => {
                let status = terminals.end(&record, cx).await?;
                return Ok(self.preview(record, status));
            }
            Action::Write | Action::Submit => {
                let text = args.data.clone().ok_or_else(|| ToolError::invalid("data is missing"))?;
                let end = if args.action == Action::Submit { "\n" } else { "" };
                terminals.type_in(&record, &(text + end), cx).await?;
            }
            Action::Close => terminals.close_input(&record, cx)?,
            Action::Poll | Action::Status | Action::List | Action::Start => {}
        }
        Ok(self.preview(record, status))
    }

    /// The newest output; where that is not all of it, the lines that it begins with and goes on to.
    fn preview(&self, record: Record, status: Status) -> Output {
        let log = self.terminals.log(&record);
        let text = text::printed(&String::from_utf8_lossy(&log.bytes));
        let (before, shown) = newest(text.trim_end(), PREVIEW);
        let dropped = usize::try_from(log.lines_before).unwrap_or(usize::MAX);
        let first = dropped.saturating_add(before.lines().count());
        let is_cut = log.begins > 0 || !before.is_empty();
        Output {
            process: Some(described(&self.terminals, record, status)),
            output: Some(shown.to_owned()),
            total_lines: is_cut.then_some(first.saturating_add(shown.lines().count())),
            first_line: is_cut.then_some(first.saturating_add(1)),
            ..Output::default()
        }
    }

    /// Lines of what is kept, the last ones where no first is asked for.
    fn log(&self, record: Record, status: Status, args: &Args) -> Output {
        let log = self.terminals.log(&record);
        let text = text::printed(&String::from_utf8_lossy(&log.bytes));
        let lines: Vec<&str> = text.lines().collect();
        let limit = args.limit.unwrap_or(LINES).min(MOST_LINES);
        let before = usize::try_from(log.lines_before).unwrap_or(usize::MAX);
        let wanted = |offset: usize| (offset - 1).saturating_sub(before);
        let first = args.offset.map_or(lines.len().saturating_sub(limit), wanted);
        let shown: Vec<&str> = lines.iter().skip(first).take(limit).copied().collect();
        Output {
            process: Some(described(&self.terminals, record, status)),
            output: Some(shown.join("\n")),
            total_lines: Some(before.saturating_add(lines.len())),
            first_line: (!shown.is_empty()).then_some(before.saturating_add(first + 1)),
            dropped_bytes: (log.begins > 0).then_some(log.begins),
            ..Output::default()
        }
    }
}

register_tool!(Process);
