//! `hermes mcp serve`: a session of Hermes for any MCP client.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{ToolCall, ToolOutcome};
use hermes_host::home::Home;
use hermes_mcp::{Assistant, Backend, Desk, HttpOptions, Hub, Offer, ServeToken, serve_http, serve_stdio};
use hermes_runtime::Session;
use hermes_runtime::catalog::Listed;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::args::ServeArgs;
use crate::app::{App, Surroundings};
use crate::commands::interrupt::Interrupt;
use crate::failure::{Failure, exit};
use crate::render::{Style, warn};

/// How often a look is taken whether the session offers something else.
const LOOK: std::time::Duration = std::time::Duration::from_millis(500);

pub(super) async fn run(args: ServeArgs, surroundings: Surroundings, style: Style) -> Result<u8, Failure> {
    // Before anything is started: a port that is taken is found out at once.
    let door = match &args.http {
        Some(address) => Some(open(address, &args, &surroundings.home).await?),
        None => None,
    };
    let app = App::for_running(surroundings, false).await?.serving_clients();
    app.meet_all_servers();
    let interrupt = Interrupt::watch(None);
    let session = app.session(Some("mcp"));
    let epoch = session.catalog().await.epoch;
    let (changed, changes) = watch::channel(epoch);
    tokio::spawn(announce(session.clone(), Arc::clone(&app.mcp), changed));
    let served = Arc::new(Served { session, desk: app.desk.clone(), changes });
    let stop = interrupt.token.clone();
    let ended = match door {
        Some((listener, options)) => {
            let address = listener.local_addr().map_err(Failure::io("the address"))?;
            let at = format!("http://{address}/mcp");
            warn(style, "listening", &format!("at {at}; clients show the token of {}", options.1.display()));
            serve_http(listener, served, options.0, stop).await
        }
        None => serve_stdio(served, stop).await,
    };
    app.shut_down().await;
    ended.map_err(Failure::usage)?;
    Ok(if interrupt.was_by_user() { exit::INTERRUPTED } else { exit::OK })
}

/// The socket, who may come in, and the file with the token.
async fn open(
    address: &str,
    args: &ServeArgs,
    home: &Home,
) -> Result<(TcpListener, (HttpOptions, PathBuf)), Failure> {
    let wrong = || Failure::usage(format!("--http takes a port or an address with a port, not '{address}'"));
    let address = match address.parse::<u16>() {
        Ok(port) => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        Err(_) => address.parse().map_err(|_| wrong())?,
    };
    let (token, file) = match &args.token_file {
        Some(file) => {
            let text = std::fs::read_to_string(file).map_err(Failure::io(&file.display().to_string()))?;
            (ServeToken::chosen(&text).map_err(Failure::usage)?, file.clone())
        }
        None => {
            home.ensure()?;
            (ServeToken::of(home).map_err(Failure::io("the token"))?, ServeToken::file(home))
        }
    };
    let listener = TcpListener::bind(address).await.map_err(Failure::io(&address.to_string()))?;
    let options =
        HttpOptions { token: Some(token), hosts: args.hosts.clone(), origins: args.origins.clone() };
    Ok((listener, (options, file)))
}

/// Tells when the session offers something else than before.
async fn announce(session: Session, servers: Arc<Hub>, changed: watch::Sender<u64>) {
    while !changed.is_closed() {
        tokio::time::sleep(LOOK).await;
        let looked = Arc::clone(&servers);
        let _ = tokio::task::spawn_blocking(move || looked.look_again()).await;
        let epoch = session.catalog().await.epoch;
        changed.send_if_modified(|known| std::mem::replace(known, epoch) != epoch);
    }
}

/// The session as a client sees it.
struct Served {
    session: Session,
    desk: Desk,
    changes: watch::Receiver<u64>,
}

impl Backend for Served {
    fn offers(&self) -> BoxFuture<'_, Vec<Offer>> {
        Box::pin(async {
            let catalog = self.session.catalog().await;
            // What a model is shown: with many tools, those that find the others.
            let offer = |(tool, definition): (&Listed, Value)| {
                let info = tool.entry.info();
                let definition = definition.get("function").unwrap_or(&definition);
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
            catalog.visible().zip(catalog.definitions()).map(offer).collect()
        })
    }

    fn call(
        &self,
        call: ToolCall,
        client: Arc<dyn Assistant>,
        cancel: CancellationToken,
    ) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            let _standing = self.desk.stand_behind(&call.id, client);
            self.session.call(call, &cancel).await
        })
    }

    fn stored<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, Option<Arc<Value>>> {
        Box::pin(async move {
            let id = handle.strip_prefix(hermes_core::handle::SCHEME)?;
            let results = self.session.options().ports.results.as_ref()?;
            results.get(self.session.id(), id).await.ok().flatten()
        })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }
}
