//! Code of a model in a process of its own, that may ask for tools over its standard input.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{Access, CallContext, Permission, ToolError};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use super::door::{Terminals, failed};
use super::follow::{Following, follow};
use super::job::{Place, Ran};
use crate::process::{Bounds, Child, Confinement, Launch, Level, Limits, Stream};

/// A request longer than this ends the conversation.
const LONGEST_REQUEST: u64 = 8 * 1024 * 1024;

/// Code to run.
#[derive(Clone, Debug)]
pub struct Code {
    /// The program and its flags; the path of the first file comes after them.
    pub interpreter: Vec<String>,
    /// Names and contents, all in one fresh folder. The first is the script.
    pub files: Vec<(String, String)>,
    pub timeout: Duration,
    /// Bytes of output to keep.
    pub most_output: usize,
    pub memory_bytes: u64,
}

/// Answers one line that the code wrote with one line.
pub trait Answer: Send {
    fn answer(&mut self, line: String) -> BoxFuture<'_, String>;
}

impl Terminals {
    /// Runs code behind the walls of the session's commands, without network.
    pub async fn run_code(
        &self,
        code: &Code,
        answers: &mut dyn Answer,
        cx: &CallContext,
    ) -> Result<Ran, ToolError> {
        if !cx.permit().covers(&Access::any(Permission::CODE_EXECUTE)) {
            return Err(ToolError::denied("the code was not permitted"));
        }
        let folder = Folder::make(&code.files).map_err(|error| {
            ToolError::internal("the code could not be written down").with_operator(error.to_string())
        })?;
        let launch = self.launch(code, &folder, cx).await?;
        let mut child = Child::start(&launch).await.map_err(|reason| failed(&reason))?;
        let (level, lacking) = child.level();
        let sandbox = if launch.confinement.is_some() { level } else { Level::Open };
        let place = Place {
            backend: "local",
            sandbox: sandbox.as_str(),
            lacking: lacking.map(str::to_owned),
            bounds: child.bounds().map(Bounds::as_str),
            identity: None,
        };
        let following =
            Following { mark: "no mark is looked for here", timeout: code.timeout, most: code.most_output };
        let conversing = converse(child.socket.take(), answers);
        let (ran, _) = follow(child, conversing, place, &following, cx).await?;
        Ok(Ran { cwd: cx.cwd().to_owned(), ..ran })
    }

    pub(super) async fn launch(
        &self,
        code: &Code,
        folder: &Folder,
        cx: &CallContext,
    ) -> Result<Launch, ToolError> {
        let (script, _) = code.files.first().ok_or_else(|| ToolError::invalid("there is no code"))?;
        let inner = &*self.inner;
        let mut argv = code.interpreter.clone();
        argv.push(folder.0.join(script).display().to_string());
        let mut env = inner.state(cx).await?.environment(inner.base());
        let own = folder.0.display().to_string();
        env.extend([("PYTHONPATH".to_owned(), own.clone()), ("HERMES_CODE".to_owned(), own)]);
        let walls = inner.walls(None, cx)?;
        let walls = walls.map(|walls| Confinement { network: false, ..walls.confinement });
        Ok(Launch {
            stdin: Stream::Socket,
            stderr: Stream::Merged,
            confinement: walls,
            limits: Limits { memory_bytes: Some(code.memory_bytes), ..Limits::default() },
            ..Launch::new(argv, cx.cwd()).with_env(env)
        })
    }
}

/// Answers until the code has no more questions.
async fn converse(socket: Option<UnixStream>, answers: &mut dyn Answer) {
    let Some(socket) = socket else { return };
    let (read, mut write) = socket.into_split();
    let mut lines = BufReader::new(read);
    loop {
        let mut line = String::new();
        let mut limited = (&mut lines).take(LONGEST_REQUEST);
        match limited.read_line(&mut line).await {
            Ok(length) if length > 0 && line.ends_with('\n') => {}
            _ => return,
        }
        let answer = answers.answer(line).await + "\n";
        if write.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// A folder with the code, for as long as it runs.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn make(files: &[(String, String)]) -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("hermes-code-{}", uuid::Uuid::new_v4().simple()));
        DirBuilder::new().mode(0o700).create(&path)?;
        let folder = Folder(path.canonicalize()?);
        for (name, content) in files {
            fs::write(folder.0.join(name), content)?;
        }
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
