//! Makes a link: starts the program, shakes hands.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use hermes_host::Env;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::child::ServerProcess;
use super::handler::Handler;
use super::link::Link;
use super::log::Log;
use super::stdio::{Sent, StdioTransport};
use crate::config::{Endpoint, ServerConfig, expand};

/// A new link, or why there is none.
pub(crate) async fn connect(config: &ServerConfig, env: &Env, log: &Log) -> Result<Link, String> {
    let limit = config.connect_timeout;
    match tokio::time::timeout(limit, shake_hands(config, env, log)).await {
        Ok(result) => result,
        Err(_) => Err(format!("it did not answer within {} s", limit.as_secs())),
    }
}

async fn shake_hands(config: &ServerConfig, env: &Env, log: &Log) -> Result<Link, String> {
    let Endpoint::Stdio { command, args, env: extra, cwd } = &config.endpoint;
    let fill = |text: &String| expand(text, env).map_err(|name| format!("the variable {name} is not set"));
    let args = args.iter().map(fill).collect::<Result<Vec<String>, String>>()?;
    let named = |(name, value): (&String, &String)| Ok((name.clone(), fill(value)?));
    let extra = extra.iter().map(named).collect::<Result<BTreeMap<_, _>, String>>()?;
    let command = fill(command)?;
    log.begin(&format!("[starting {command}]"));
    let (mut process, streams) = ServerProcess::start(&command, &args, &extra, cwd, env).await?;
    tokio::spawn(log.clone().follow(streams.stderr));

    let (sent, closed, tools_changed) = (Sent::default(), CancellationToken::new(), Arc::new(Notify::new()));
    let transport = StdioTransport::new(
        streams.stdout,
        streams.stdin,
        sent.clone(),
        log.clone(),
        closed.clone().drop_guard(),
    );
    let handler = Handler { log: log.clone(), tools_changed: Arc::clone(&tools_changed) };
    match handler.serve_with_lifecycle(transport, ClientLifecycleMode::Initialize).await {
        Ok(service) => {
            let process = Mutex::new(Some(process));
            Ok(Link { service, sent, process, tools_changed, closed })
        }
        Err(error) => {
            // The end of the process says more than the end of its output.
            tokio::task::yield_now().await;
            let ended = process.ended().map(|status| format!("it ended with {status}"));
            process.end().await;
            Err(explain(ended.unwrap_or_else(|| reason(&error)), log))
        }
    }
}

pub(super) fn reason(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_) => "it closed its output before the handshake".to_owned(),
        other => other.to_string(),
    }
}

/// A failure with the server's last words, which usually name the cause.
pub(crate) fn explain(what: String, log: &Log) -> String {
    match log.recent().last() {
        Some(words) => format!("{what}; its last words: {words}"),
        None => what,
    }
}
