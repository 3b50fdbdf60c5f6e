//! Asks a person who is elsewhere: writes the question down and waits until another process answers.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::redact::Redactor;
use hermes_core::text::visible;
use hermes_core::{ErrorCode, ToolError};
use hermes_host::state::{ApprovalState, NewApproval, Offer, PendingApproval, PendingApprovals};

use super::asked::{Asked, blocking};
use super::hint::to_allow;
use super::person::{Answer, Person};
use super::record::record;
use crate::render::{Style, warn};

/// How often the answer is looked for.
const PAUSE: Duration = Duration::from_millis(75);

type Secrets = dyn Fn(&str) -> Vec<String> + Send + Sync;

pub(super) struct Queue {
    pub(super) open: Arc<dyn Fn() -> Result<PendingApprovals, ToolError> + Send + Sync>,
    pub(super) timeout: Duration,
    pub(super) style: Style,
    pub(super) redactor: Redactor,
    /// The arguments of a tool whose values no record may keep.
    pub(super) secret_arguments: Arc<Secrets>,
}

impl Person for Queue {
    fn put<'a>(&'a self, asked: &'a Asked<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            self.wait(asked).await.unwrap_or_else(|error| Answer::Silence {
                hint: format!("The question could not be kept ({error}). {}", to_allow(asked)),
            })
        })
    }
}

impl Queue {
    async fn wait(&self, asked: &Asked<'_>) -> Result<Answer, ToolError> {
        let open = Arc::clone(&self.open);
        let store = blocking(move || open()).await?;
        let new = self.question(asked);
        let deadline = tokio::time::Instant::now() + self.timeout;
        let mut waiting = Waiting::submit(&store, &new).await?;
        self.tell(asked, &waiting.id);
        loop {
            let found = waiting.look().await?;
            match found.state {
                ApprovalState::Approved if waiting.take().await? => {
                    let by = found.decided_by.unwrap_or_else(|| "somebody".to_owned());
                    return Ok(Answer::Yes { by: format!("{by}, approval {}", found.id), keep: None });
                }
                ApprovalState::Denied => {
                    waiting.done();
                    let by = found.decided_by.unwrap_or_else(|| "somebody".to_owned());
                    let why =
                        found.reason.map(|reason| format!(": {}", visible(&reason))).unwrap_or_default();
                    return Ok(Answer::No { by: format!("{by}{why}") });
                }
                ApprovalState::Pending if store.now_ms() < found.expires_ms => {}
                // Another call took the answer, or a question of an earlier run ended: this one needs its own.
                _ => match deadline.checked_duration_since(tokio::time::Instant::now()) {
                    Some(left) if left > PAUSE => {
                        waiting.done();
                        waiting = Waiting::submit(&store, &lasting(&new, left)).await?;
                        self.tell(asked, &waiting.id);
                    }
                    _ => return Ok(silence(asked, &found.id)),
                },
            }
            if tokio::time::Instant::now() >= deadline {
                return Ok(silence(asked, &found.id));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Says on standard error that somebody is waited for.
    fn tell(&self, asked: &Asked<'_>, id: &str) {
        let seconds = self.timeout.as_secs();
        let text =
            format!("{} needs approval {id}: hermes approvals show {id} ({seconds} s)", asked.request.tool);
        warn(self.style, "waiting:", &text);
    }

    fn question(&self, asked: &Asked<'_>) -> NewApproval {
        let request = asked.request;
        // A folder that is no text cannot be written down, so such a yes is for once.
        let storable = asked.once_only().is_none() && request.cwd.to_str().is_some();
        NewApproval {
            digest: asked.once.clone(),
            tool: request.tool.to_owned(),
            session: request.session.to_owned(),
            actor: request.actor.to_owned(),
            request: record(asked, &(self.secret_arguments)(request.tool), &self.redactor),
            offer: storable.then(|| Offer {
                suggestion: asked.suggestion.clone(),
                session: asked.session.clone(),
                project: request.cwd.to_owned(),
            }),
            lifetime_ms: millis(self.timeout),
        }
    }
}

fn lasting(new: &NewApproval, left: Duration) -> NewApproval {
    NewApproval { lifetime_ms: millis(left), ..new.clone() }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn silence(asked: &Asked<'_>, id: &str) -> Answer {
    Answer::Silence {
        hint: format!(
            "Nobody answered approval {id} in time. {}\n\
             Or make the call again and answer it with 'hermes approvals approve'.",
            to_allow(asked)
        ),
    }
}

/// A question that is withdrawn when its asker goes away before the answer.
struct Waiting {
    store: PendingApprovals,
    id: String,
    over: bool,
}

impl Waiting {
    async fn submit(store: &PendingApprovals, new: &NewApproval) -> Result<Self, ToolError> {
        let (store, new) = (store.clone(), new.clone());
        blocking(move || {
            let record = store.submit(&new)?;
            Ok(Waiting { store, id: record.id, over: false })
        })
        .await
    }

    async fn look(&self) -> Result<PendingApproval, ToolError> {
        let (store, id) = (self.store.clone(), self.id.clone());
        let found = blocking(move || store.look(&id)).await?;
        found.ok_or_else(|| ToolError::new(ErrorCode::NotFound, "the question is gone"))
    }

    /// Takes the yes, unless another call has.
    async fn take(&mut self) -> Result<bool, ToolError> {
        let (store, id) = (self.store.clone(), self.id.clone());
        let taken = blocking(move || store.take(&id)).await?;
        self.over |= taken;
        Ok(taken)
    }

    fn done(&mut self) {
        self.over = true;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.over {
            // One short write. If it fails, the question ends by its time.
            let _ = self.store.withdraw(&self.id, "whoever asked does not wait any more");
        }
    }
}
