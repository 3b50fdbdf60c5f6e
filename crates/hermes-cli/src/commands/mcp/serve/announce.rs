//! Tells when the session offers something else than before.

use std::sync::Arc;
use std::time::Duration;

use hermes_mcp::{Epochs, Front, Hub, Record};
use hermes_runtime::Session;
use tokio::sync::watch;

/// How often a look is taken whether other processes changed what is known.
const LOOK: Duration = Duration::from_millis(500);

/// Starts to look; the numbers grow when what they count has changed.
pub(super) async fn announce(
    session: Session,
    servers: Arc<Hub>,
    front: Arc<Front>,
) -> watch::Receiver<Epochs> {
    let tools = session.catalog().await.epoch;
    let (mut seen, mut settled) = (Seen::of(&servers, &front), servers.settled());
    let (changed, changes) = watch::channel(Epochs { tools, ..Epochs::default() });
    tokio::spawn(async move {
        while !changed.is_closed() {
            // What this process learns is told at once; what others wrote down has to be looked for.
            if tokio::time::timeout(LOOK, settled.changed()).await.is_err() {
                let looked = Arc::clone(&servers);
                let _ = tokio::task::spawn_blocking(move || looked.look_again()).await;
            }
            let mut now = Epochs { tools: session.catalog().await.epoch, ..*changed.borrow() };
            seen.look(&servers, &front, &mut now);
            changed.send_if_modified(|known| std::mem::replace(known, now) != now);
        }
    });
    changes
}

/// What the servers had beside tools when they were last looked at.
struct Seen {
    records: Vec<Option<Arc<Record>>>,
    prompts: Vec<hermes_mcp::Shown>,
    resources: [Vec<hermes_mcp::Shown>; 2],
}

impl Seen {
    fn of(servers: &Hub, front: &Front) -> Self {
        Seen {
            records: servers.servers().iter().map(|server| server.record()).collect(),
            prompts: front.prompts(),
            resources: [front.resources(), front.templates()],
        }
    }

    /// Counts what changed. Records that are the same objects hold the same lists.
    fn look(&mut self, servers: &Hub, front: &Front, epochs: &mut Epochs) {
        let same = |one: &Option<Arc<Record>>, other: &Option<Arc<Record>>| match (one, other) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let records: Vec<_> = servers.servers().iter().map(|server| server.record()).collect();
        if records.len() == self.records.len()
            && self.records.iter().zip(&records).all(|(known, now)| same(known, now))
        {
            return;
        }
        let now = Seen::of(servers, front);
        epochs.prompts += u64::from(now.prompts != self.prompts);
        epochs.resources += u64::from(now.resources != self.resources);
        *self = now;
    }
}
