//! `hermes mcp serve`: a session of Hermes for any MCP client.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{ToolCall, ToolOutcome};
use hermes_mcp::{Backend, Offer, serve_stdio};
use hermes_runtime::Session;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::app::{App, Surroundings};
use crate::commands::interrupt::Interrupt;
use crate::failure::{Failure, exit};

/// How often a look is taken whether the session offers something else.
const LOOK: std::time::Duration = std::time::Duration::from_millis(500);

pub(super) async fn run(surroundings: Surroundings) -> Result<u8, Failure> {
    let app = App::for_running(surroundings, false).await?.never_prompting();
    app.meet_all_servers();
    let interrupt = Interrupt::watch(None);
    let session = app.session(Some("mcp"));
    let epoch = session.catalog().await.epoch;
    let (changed, changes) = watch::channel(epoch);
    tokio::spawn(announce(session.clone(), changed));
    let served = serve_stdio(Arc::new(Served { session, changes }), interrupt.token.clone()).await;
    app.shut_down().await;
    served.map_err(Failure::usage)?;
    Ok(if interrupt.was_by_user() { exit::INTERRUPTED } else { exit::OK })
}

/// Tells when the session offers something else than before.
async fn announce(session: Session, changed: watch::Sender<u64>) {
    while !changed.is_closed() {
        tokio::time::sleep(LOOK).await;
        let epoch = session.catalog().await.epoch;
        changed.send_if_modified(|known| std::mem::replace(known, epoch) != epoch);
    }
}

/// The session as a client sees it.
struct Served {
    session: Session,
    changes: watch::Receiver<u64>,
}

impl Backend for Served {
    fn offers(&self) -> BoxFuture<'_, Vec<Offer>> {
        Box::pin(async {
            let catalog = self.session.catalog().await;
            let offer = |tool: &hermes_runtime::catalog::Listed| {
                let info = tool.entry.info();
                let definition = tool.definition.get("function").unwrap_or(&tool.definition);
                let text = definition.get("description").and_then(Value::as_str);
                let parameters = definition.get("parameters").or_else(|| definition.get("input_schema"));
                Offer {
                    name: tool.shown_name.clone(),
                    description: text.unwrap_or_default().to_owned(),
                    parameters: parameters.cloned().unwrap_or_else(|| info.parameters.clone()),
                    effect: info.effect,
                    idempotent: info.idempotent,
                }
            };
            catalog.tools.iter().map(offer).collect()
        })
    }

    fn call(&self, call: ToolCall, cancel: CancellationToken) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move { self.session.call(call, &cancel).await })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }
}
