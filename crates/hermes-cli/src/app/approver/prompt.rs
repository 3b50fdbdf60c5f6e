//! Asks the person at this terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;

use super::asked::Asked;
use super::choice::{self, Choice};
use super::hint::to_allow;
use super::person::{Answer, Person};
use super::terminal::{Typed, forget_typed, read_line, say};
use super::terms::Terms;
use super::view::page;
use crate::render::Style;

const BY: &str = "user at the terminal";

pub(super) struct Prompt {
    pub(super) timeout: Duration,
    pub(super) style: Style,
}

/// How the conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    Once,
    Keep(Terms),
    Deny,
    Late,
}

/// A conversation, with nothing borrowed: it goes on another thread.
struct Conversation {
    page: String,
    /// The whole page, if the first one leaves something out. It must be seen before a yes.
    whole: Option<String>,
    once_only: bool,
    timeout: Duration,
    stop: Arc<AtomicBool>,
}

impl Person for Prompt {
    fn put<'a>(&'a self, asked: &'a Asked<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let first = page(asked, false, self.style);
            let whole = (first.hidden > 0).then(|| page(asked, true, self.style).text);
            let stop = Arc::new(AtomicBool::new(false));
            // Dropped with this future: then nobody reads from the terminal any more.
            let _stopper = Stopper(Arc::clone(&stop));
            let once_only = asked.once_only().is_some();
            let conversation =
                Conversation { page: first.text, whole, once_only, timeout: self.timeout, stop };
            let reply = tokio::task::spawn_blocking(move || conversation.hold()).await.unwrap_or(Reply::Deny);
            match reply {
                Reply::Once => Answer::Yes { by: BY.to_owned(), keep: None },
                Reply::Keep(terms) => Answer::Yes { by: BY.to_owned(), keep: Some(terms) },
                Reply::Deny => Answer::No { by: BY.to_owned() },
                Reply::Late => {
                    Answer::Silence { hint: format!("Nobody answered in time. {}", to_allow(asked)) }
                }
            }
        })
    }
}

impl Conversation {
    fn hold(mut self) -> Reply {
        let deadline = Instant::now() + self.timeout;
        say(&self.page);
        forget_typed();
        loop {
            let keys = match (self.whole.is_some(), self.once_only) {
                (true, _) => "v to see all of it, D",
                (false, true) => "o/D",
                (false, false) => "o/t/u/s/p/a/D",
            };
            say(&format!(
                "  Allow it? [{keys}] ({} s) ",
                deadline.saturating_duration_since(Instant::now()).as_secs()
            ));
            let choice = match read_line(deadline, &self.stop) {
                Typed::Line(line) => self.settle(choice::read(&line), deadline),
                Typed::End => Choice::Deny,
                Typed::Late => {
                    let stopped = Instant::now() < deadline;
                    say(if stopped { "\n  Stopped: denied.\n" } else { "\n  No answer in time: denied.\n" });
                    return Reply::Late;
                }
            };
            match choice {
                Choice::Deny => {
                    say("  Denied.\n");
                    return Reply::Deny;
                }
                Choice::View => {
                    if let Some(whole) = self.whole.take() {
                        self.page = whole;
                    }
                    say(&self.page);
                }
                Choice::Once | Choice::Keep(_) if self.whole.is_some() => {
                    say("  Part of it is not shown; type v first.\n")
                }
                Choice::Keep(_) if self.once_only => say("  Only once or deny is possible here.\n"),
                Choice::Once => return Reply::Once,
                Choice::Keep(terms) => return Reply::Keep(terms),
                Choice::Unclear(problem) => say(&format!("  {}.\n", hermes_core::text::visible(&problem))),
                Choice::Times | Choice::Until => say("  Nothing was chosen.\n"),
            }
        }
    }

    /// Asks for the number or the time that a choice needs.
    fn settle(&self, choice: Choice, deadline: Instant) -> Choice {
        let (question, read): (_, fn(&str) -> Choice) = match choice {
            Choice::Times => ("  How many times in all? ", choice::times),
            Choice::Until => ("  For how long, such as 10m or 2h? ", choice::until),
            other => return other,
        };
        say(question);
        match read_line(deadline, &self.stop) {
            Typed::Line(line) if line.trim().is_empty() => Choice::Deny,
            Typed::Line(line) => read(&line),
            Typed::End | Typed::Late => Choice::Deny,
        }
    }
}

struct Stopper(Arc<AtomicBool>);

impl Drop for Stopper {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
