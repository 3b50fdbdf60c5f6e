//! An interpreter with the code of a model, on this machine or where the session's commands run, and the way to
//! speak to it: lines of JSON, answered one by one.

use std::io;
use std::path::Path;

use hermes_core::{Access, CallContext, ErrorCode, Permission, ToolError};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use super::code::Code;
use super::code_folder::CodeFolder;
use super::door::{Terminals, failed};
use super::ending::EndThere;
use super::job::Place;
use super::state::nearest_folder;
use super::{script, walls};
use crate::process::{Bounds, Child, Confinement, Launch, Level, Limits, Stream};

/// A line longer than this ends the conversation.
const LONGEST_LINE: u64 = 8 * 1024 * 1024;

/// One that runs.
pub(super) struct Interpreter {
    pub(super) child: Child,
    pub(super) peer: Peer,
    pub(super) place: Place,
    pub(super) remains: Remains,
}

/// What is left of it when it has ended. Gone when dropped.
pub(super) struct Remains {
    pub(super) there: EndThere,
    pub(super) _here: Option<CodeFolder>,
}

/// The other end of the conversation.
pub(super) struct Peer {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    /// Whether programs on the way may say something too.
    noisy: bool,
}

impl Terminals {
    /// Starts an interpreter where the session's commands run: here behind their walls and without network, there
    /// behind what stands around every command.
    pub(super) async fn interpret(&self, code: &Code, cx: &CallContext) -> Result<Interpreter, ToolError> {
        if !cx.permit().covers(&Access::any(Permission::CODE_EXECUTE)) {
            return Err(ToolError::denied("the code was not permitted"));
        }
        let there = self.of(&cx.session().id);
        match there.inner.is_local() {
            true => there.interpret_here(code, cx).await,
            false => there.interpret_elsewhere(code, cx).await,
        }
    }

    /// Which of these programs can run code here; `None` where the code runs elsewhere, which only shows there.
    pub fn interpreters<'p>(&self, programs: &[&'p str]) -> Option<Vec<&'p str>> {
        let inner = &*self.inner;
        let elsewhere = !inner.is_local() || inner.sessions.values().any(|own| !own.inner.is_local());
        let is_there = |program: &&&str| inner.env.find_binary(program).is_some();
        (!elsewhere).then(|| programs.iter().filter(is_there).copied().collect())
    }

    async fn interpret_here(&self, code: &Code, cx: &CallContext) -> Result<Interpreter, ToolError> {
        let folder = CodeFolder::make(&self.inner.hermes_home, &code.files).map_err(|error| {
            ToolError::internal("the code could not be written down").with_operator(error.to_string())
        })?;
        let launch = self.launch(code, &folder, cx).await?;
        let mut child = Child::start(&launch).await.map_err(|reason| failed(&reason))?;
        let (level, lacking) = child.level();
        let sandbox = if launch.confinement.is_some() { level } else { Level::Open };
        let place = Place {
            backend: "local",
            sandbox: sandbox.as_str(),
            lacking: walls::lacking(level, lacking),
            bounds: child.bounds().map(Bounds::as_str),
            identity: None,
        };
        let socket =
            child.socket.take().ok_or_else(|| ToolError::internal("there is no way to speak to it"))?;
        let (reader, writer) = socket.into_split();
        let peer = Peer::new(reader, writer);
        let there = EndThere::new(self, &cx.session().id, "");
        Ok(Interpreter { child, peer, place, remains: Remains { there, _here: Some(folder) } })
    }

    async fn launch(&self, code: &Code, folder: &CodeFolder, cx: &CallContext) -> Result<Launch, ToolError> {
        let (script, _) = code.files.first().ok_or_else(|| ToolError::invalid("there is no code"))?;
        let inner = &*self.inner;
        let program =
            inner.env.find_binary(code.program).ok_or_else(|| missing(code.program, "on this machine"))?;
        let argv = std::iter::once(program.display().to_string())
            .chain(code.flags.iter().map(|flag| (*flag).to_owned()))
            .chain([folder.path().join(script).display().to_string()]);
        let state = inner.state(cx).await?;
        let mut env = state.environment(inner.base());
        // A script that was judged as a command runs where it was judged.
        let judged = cx.permit().shell().map(Path::to_owned);
        let cwd = judged.unwrap_or_else(|| nearest_folder(&inner.standing_folder(&state, cx)));
        let own = folder.path().display().to_string();
        let asked_by = "0".to_owned();
        env.extend([("PYTHONPATH", own.clone()), ("HERMES_CODE", own), ("HERMES_ASK", asked_by)].map(named));
        let mut walls = inner.walls(None, cx)?;
        if let Some(vacant) = walls.as_mut().and_then(|walls| walls.confinement.vacant.as_mut()) {
            vacant.name = script::new_mark();
        }
        let walls = walls.map(|walls| {
            let mut shown = walls.confinement.shown;
            shown.push(folder.path().to_owned());
            Confinement { network: false, shown, ..walls.confinement }
        });
        Ok(Launch {
            stdin: Stream::Socket,
            stderr: Stream::Merged,
            confinement: walls,
            limits: Limits { memory_bytes: Some(code.memory_bytes), ..Limits::default() },
            ..Launch::new(argv, cwd).with_env(env)
        })
    }
}

fn named((name, value): (&str, String)) -> (String, String) {
    (name.to_owned(), value)
}

pub(super) fn missing(program: &str, place: &str) -> ToolError {
    let hint = format!("Have {program} installed there, or use another language.");
    ToolError {
        retryable: false,
        ..ToolError::new(ErrorCode::Unavailable, format!("'{program}' is not {place}"))
    }
    .with_hint(hint)
}

impl Peer {
    pub(super) fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Peer { reader: BufReader::new(Box::new(reader)), writer: Box::new(writer), noisy: false }
    }

    pub(super) fn noisy(self) -> Self {
        Peer { noisy: true, ..self }
    }

    /// The next line with its end; nothing where there is no more.
    pub(super) async fn hear(&mut self) -> io::Result<Option<String>> {
        loop {
            let mut line = Vec::new();
            (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut line).await?;
            if line.len() as u64 == LONGEST_LINE {
                return Err(io::Error::other(format!("it said more than {LONGEST_LINE} bytes at once")));
            }
            if line.last() != Some(&b'\n') {
                return Ok(None);
            }
            // An empty line only ends what somebody began and could not finish.
            if line == b"\n" || self.noisy && line.first() != Some(&b'{') {
                continue;
            }
            let text =
                String::from_utf8(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            return Ok(Some(text));
        }
    }

    pub(super) async fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes).await?;
        self.writer.flush().await
    }
}
