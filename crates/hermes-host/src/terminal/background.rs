//! Commands in the background: started here, looked after by id.

use std::time::Duration;

use hermes_core::{Access, CallContext, ErrorCode, Permission, Target, ToolError, Verdict};

use super::arranged::Arranged;
use super::door::Terminals;
use super::ending::EndThere;
use super::job::{Background, Command};
use super::processes::{Judged, Notice, Record, Status};
use crate::places::{QUARANTINE, Taken, taken};
use crate::process::Log;

/// How long a command in the background may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// What the custodian takes at once.
const INPUT_PART: usize = 512 * 1024;
/// Between two looks at whether it has ended.
const SHORTEST_LOOK: Duration = Duration::from_millis(5);
const LONGEST_LOOK: Duration = Duration::from_millis(100);

impl Terminals {
    /// Starts a command and leaves it running. It starts where the session's shell stands, with what it exported.
    pub async fn start(
        &self,
        command: &Command,
        background: &Background,
        cx: &CallContext,
    ) -> Result<Record, ToolError> {
        let own_place = self.of(&cx.session().id);
        let inner = &*own_place.inner;
        let state = inner.state(cx).await?;
        own_place.learn_home(cx).await;
        let id = format!("proc_{}", short_id());
        let Arranged { prepared, cwd, there, announced, .. } =
            own_place.arrange(command, &state, (&id, None), cx).await?;
        let record = Record::new(id, command, background, &prepared.place, &cwd, cx);
        let record = inner.processes.start(record, &prepared.launch).await?;
        announced.begun();
        let program = inner.processes.program(&record);
        // Nobody typed this: it is what comes before the command.
        for part in prepared.input.chunks(INPUT_PART) {
            if let Err(reason) = program.type_in(part) {
                let _ = program.stop(Duration::ZERO);
                return Err(unreachable(&record, &reason));
            }
        }
        // From here on it is ended by its id.
        there.disarm();
        Ok(record)
    }

    /// The session's commands in the background, the oldest first.
    pub fn processes(&self, cx: &CallContext) -> Vec<(Record, Status)> {
        self.with_status(self.inner.processes.of_session(&cx.session().id))
    }

    /// Everybody's, for the person at the machine.
    pub fn all_processes(&self) -> Vec<(Record, Status)> {
        self.with_status(self.inner.processes.all())
    }

    fn with_status(&self, records: Vec<Record>) -> Vec<(Record, Status)> {
        let status = |record: Record| {
            let status = self.inner.processes.status(&record);
            (record, status)
        };
        records.into_iter().map(status).collect()
    }

    /// One of the session's, and what has become of it.
    pub fn process(&self, id: &str, cx: &CallContext) -> Result<(Record, Status), ToolError> {
        let record = self.inner.processes.get(&cx.session().id, id)?;
        let status = self.inner.processes.status(&record);
        Ok((record, status))
    }

    /// What it printed, as far as that is kept.
    pub fn log(&self, record: &Record) -> Log {
        self.inner.processes.log(record)
    }

    /// What it put where nothing may be, and what was taken away at its end.
    pub fn taken(&self, record: &Record) -> Vec<Taken> {
        taken(&self.inner.hermes_home.join(QUARANTINE), &record.id)
    }

    /// Waits for its end, at most so long.
    pub async fn wait_for(&self, record: &Record, limit: Duration, cx: &CallContext) -> Status {
        let deadline = tokio::time::Instant::now() + limit;
        let mut look = SHORTEST_LOOK;
        loop {
            let status = self.inner.processes.status(record);
            let now = tokio::time::Instant::now();
            if status != Status::Running || now >= deadline || cx.cancel().is_cancelled() {
                if status != Status::Running {
                    self.inner.processes.told(record);
                }
                return status;
            }
            tokio::select! {
                () = cx.cancel().cancelled() => {}
                () = tokio::time::sleep(look.min(deadline - now)) => look = (look * 2).min(LONGEST_LOOK),
            }
        }
    }

    /// Ends it and everything it started.
    pub async fn end(&self, record: &Record, cx: &CallContext) -> Result<Status, ToolError> {
        permitted(record, cx)?;
        let there = self.of(&record.session);
        let had_ended = is_known_to_have_ended(self.inner.processes.status(record));
        // Where its client has ended it may go on itself; where it ends, its client says how.
        let is_done = EndThere::new(there, &record.session, &record.id).now().await;
        let record = &self.as_ended(record, is_done);
        let limit = if there.inner.is_local() { Duration::ZERO } else { GRACE };
        let status = self.wait_for(record, limit, cx).await;
        let is_unsure = is_done == Some(false) && !had_ended;
        if status != Status::Running && !is_unsure {
            return Ok(status);
        }
        let told = self.inner.processes.program(record).stop(GRACE);
        let status = self.wait_for(record, GRACE + Duration::from_secs(8), cx).await;
        if is_unsure {
            return Err(unanswered(record));
        }
        match told {
            // It has ended by itself: nobody listens any more, and its end is written down a moment later.
            Err(_) if status != Status::Running => Ok(status),
            told => told.map(|()| status).map_err(|reason| unreachable(record, &reason)),
        }
    }

    /// The same, where the other side said that nothing of it is left, as one of which that is known.
    fn as_ended(&self, record: &Record, is_done: Option<bool>) -> Record {
        let mut record = record.clone();
        if is_done == Some(true) {
            self.inner.processes.ended_there(&mut record);
        }
        record
    }

    /// Ends anybody's, for the person at the machine.
    pub async fn end_any(&self, id: &str) -> Result<Record, ToolError> {
        let record = self.inner.processes.all().into_iter().find(|record| record.id == id);
        let record = record.ok_or_else(|| ToolError::not_found(format!("there is no process '{id}'")))?;
        let had_ended = is_known_to_have_ended(self.inner.processes.status(&record));
        let is_done = EndThere::new(self.of(&record.session), &record.session, &record.id).now().await;
        let record = self.as_ended(&record, is_done);
        if self.inner.processes.status(&record) == Status::Running
            && let Err(reason) = self.inner.processes.program(&record).stop(GRACE)
        {
            tokio::time::sleep(GRACE).await;
            // The same as above.
            if self.inner.processes.status(&record) == Status::Running {
                return Err(unreachable(&record, &reason));
            }
        }
        if is_done == Some(false) && !had_ended { Err(unanswered(&record)) } else { Ok(record) }
    }

    /// Gives text to its standard input. It may be a shell that reads it, so everything typed so far is judged as
    /// one command.
    pub async fn type_in(&self, record: &Record, text: &str, cx: &CallContext) -> Result<(), ToolError> {
        permitted(record, cx)?;
        self.still_runs(record)?;
        // What two calls type at once must not be judged apart.
        let _alone = self.inner.typing.lock().await;
        let Judged { run, rest } = self.inner.processes.typed(record, text)?;
        let rules = cx.conversation()?;
        let access = |line| Access::new(Permission::TERMINAL_EXECUTE, Target::Command(line));
        let run = run.into_iter().map(access).filter(|run| rules.verdict(run) != Verdict::Allow);
        let rest = rest.into_iter().map(access).filter(|rest| rules.verdict(rest) == Verdict::Deny);
        let not_allowed: Vec<Access> = run.chain(rest).collect();
        if !not_allowed.is_empty() {
            rules.authorise(not_allowed).await?;
        }
        self.inner.processes.type_in(record, text).map_err(|reason| self.out_of_reach(record, &reason))
    }

    /// Ends its standard input.
    pub fn close_input(&self, record: &Record, cx: &CallContext) -> Result<(), ToolError> {
        permitted(record, cx)?;
        let closed = self.inner.processes.program(record).close_input();
        closed.map_err(|reason| self.out_of_reach(record, &reason))
    }

    /// Nobody hears what is said to one that has ended.
    fn still_runs(&self, record: &Record) -> Result<(), ToolError> {
        match self.inner.processes.status(record) {
            Status::Running => Ok(()),
            Status::Exited(exit) => {
                Err(unreachable(record, &format!("it has ended, with exit code {}", exit.shell_code())))
            }
            Status::Lost => Err(unreachable(record, "it was lost, and does not run any more")),
            Status::OutOfSight => {
                Err(unreachable(record, "the connection to it was lost, and it may still run there"))
            }
        }
    }

    fn out_of_reach(&self, record: &Record, reason: &str) -> ToolError {
        self.still_runs(record).err().unwrap_or_else(|| unreachable(record, reason))
    }

    /// What has happened to the session's commands in the background that it was not told yet.
    pub fn notices(&self, cx: &CallContext) -> Vec<Notice> {
        self.inner.processes.notices(&cx.session().id)
    }
}

fn permitted(record: &Record, cx: &CallContext) -> Result<(), ToolError> {
    let access = Access::name(Permission::PROCESS_MANAGE, record.id.clone());
    if cx.permit().covers(&access) {
        Ok(())
    } else {
        Err(ToolError::denied("that process was not permitted"))
    }
}

fn unreachable(record: &Record, reason: &str) -> ToolError {
    ToolError::new(ErrorCode::ExecFailed, format!("{}: {reason}", record.id))
}

fn is_known_to_have_ended(status: Status) -> bool {
    matches!(status, Status::Exited(_))
}

/// What runs elsewhere may go on there without its client.
fn unanswered(record: &Record) -> ToolError {
    let text = format!("{}: the other side did not say that it ended, and it may still run there", record.id);
    ToolError::new(ErrorCode::OutcomeUnknown, text)
        .with_hint("Look there yourself once the other side can be reached: 'hermes backends check' tries.")
}

fn short_id() -> String {
    uuid::Uuid::new_v4().simple().to_string().chars().take(12).collect()
}
