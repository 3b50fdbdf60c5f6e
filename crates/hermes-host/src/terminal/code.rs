//! Code of a model in a process of its own, that may ask for tools.

use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{CallContext, ToolError};
use tokio::time::Instant;

use super::door::Terminals;
use super::follow::{Following, follow};
use super::interpreter::{Interpreter, Peer};
use super::job::{Ending, Ran};

/// Code to run.
#[derive(Clone, Debug)]
pub struct Code {
    /// The interpreter by its name, and its flags; the path of the first file comes after them.
    pub program: &'static str,
    pub flags: &'static [&'static str],
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
    /// Runs code where the session's commands run, to its end.
    pub async fn run_code(
        &self,
        code: &Code,
        answers: &mut dyn Answer,
        cx: &CallContext,
    ) -> Result<Ran, ToolError> {
        let Interpreter { child, peer, place, remains } = self.interpret(code, cx).await?;
        let following = Following {
            mark: None,
            timeout: code.timeout,
            // An interpreter on another machine may take a while to begin; the limit is for the code.
            begun: Instant::now(),
            most: code.most_output,
            there: &remains.there,
        };
        let followed = follow(child, converse(peer, answers), place, &following, cx).await;
        if followed.as_ref().is_ok_and(|(ran, _)| ran.ending == Ending::Exited) {
            remains.there.disarm();
        }
        let (ran, _) = followed?;
        Ok(Ran { cwd: cx.cwd().to_owned(), ..ran })
    }
}

/// Answers until the code has no more questions.
async fn converse(mut peer: Peer, answers: &mut dyn Answer) {
    while let Ok(Some(line)) = peer.hear().await {
        let answer = answers.answer(line).await + "\n";
        if peer.say(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}
