//! A link to a program of this machine: starts it, shakes hands, and says why it could not.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use hermes_host::private;
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, ClientLifecycleMode};

use super::child::{ServerProcess, Streams};
use super::connect::{Connecting, explain, is_stateless};
use super::fault::Fault;
use super::link::Link;
use super::stdio::StdioTransport;
use super::words::of_handshake;
use crate::config::{Endpoint, Era};

/// How long it may take to be known that a server ended which closed its output.
const TIME_TO_END: Duration = Duration::from_secs(2);
/// How long the standard error of a server that ended is read on.
const TIME_FOR_LAST_WORDS: Duration = Duration::from_millis(500);

impl Connecting<'_> {
    /// Most programs speak the revisions with a handshake. One that refuses it is asked the new way; how it spoke
    /// is remembered.
    pub(super) async fn reach_program(&self) -> Result<Link, Fault> {
        let (first, second) = match self.config.era {
            Era::Sessions => (ClientLifecycleMode::Initialize, None),
            Era::Stateless => (discover(), None),
            Era::Any if is_stateless(self.spoke.as_deref()) => {
                (discover(), Some(ClientLifecycleMode::Initialize))
            }
            Era::Any => (ClientLifecycleMode::Initialize, Some(discover())),
        };
        match (self.start_program(first).await, second) {
            (Err((_, true)), Some(second)) => {
                self.start_program(second).await.map_err(|(reason, _)| Fault::NotSent(reason))
            }
            (made, _) => made.map_err(|(reason, _)| Fault::NotSent(reason)),
        }
    }

    /// Starts the program and shakes hands. An error says whether another handshake may do better.
    async fn start_program(&self, mode: ClientLifecycleMode) -> Result<Link, (String, bool)> {
        let (mut process, streams) = self.program().await.map_err(|reason| (reason, false))?;
        let listening = tokio::spawn(self.log.clone().follow(streams.stderr));
        let discovering = matches!(mode, ClientLifecycleMode::Discover { .. });
        let begun = self.begin();
        let transport =
            StdioTransport::new(streams.stdout, streams.stdin, begun.sent.clone(), self.log.clone());
        let direct = transport.direct();
        match begun.shake_hands(transport, mode).await {
            Ok(mut link) => {
                link.process = Mutex::new(Some(process));
                // Without sessions a request says more, and the SDK knows what.
                link.direct = direct.filter(|_| !link.is_stateless());
                Ok(link)
            }
            Err(error) => {
                // The end of the process says more than the end of its output, and is known a moment later. One that
                // answered ends because it is no longer wanted.
                let limit = match &error {
                    ClientInitializeError::ConnectionClosed(_) => Some(TIME_TO_END),
                    ClientInitializeError::JsonRpcError(_)
                    | ClientInitializeError::NoCompatibleProtocolVersion { .. } => None,
                    _ => Some(Duration::ZERO),
                };
                let ended = match limit {
                    Some(limit) => process.ended_within(limit).await,
                    None => None,
                };
                let ended = ended.map(|status| format!("it ended with {status}"));
                process.end().await;
                // Its last words say why; something it left behind may hold its standard error open.
                let _ = tokio::time::timeout(TIME_FOR_LAST_WORDS, listening).await;
                // One that answered the handshake has said which revisions it knows.
                let refused = match &error {
                    ClientInitializeError::JsonRpcError(_) => true,
                    ClientInitializeError::NoCompatibleProtocolVersion { .. } => discovering,
                    _ => false,
                };
                Err((explain(ended.unwrap_or_else(|| of_handshake(&error)), self.log), refused))
            }
        }
    }

    async fn program(&self) -> Result<(ServerProcess, Streams), String> {
        let Endpoint::Stdio { command, args, env: extra, cwd } = &self.config.endpoint else {
            return Err("it is not a program of this machine".to_owned());
        };
        let workspace = self.config.root.display().to_string();
        let argument = |text: &String| if text == "." { Ok(workspace.clone()) } else { self.fill(text) };
        let args = args.iter().map(argument).collect::<Result<Vec<String>, String>>()?;
        let named = |(name, value): (&String, &String)| Ok((name.clone(), self.fill(value)?));
        let extra = extra.iter().map(named).collect::<Result<BTreeMap<_, _>, String>>()?;
        let command = self.fill(command)?;
        self.log.begin(&format!("[starting {command}]"));
        let room = match cwd {
            Some(cwd) => cwd.clone(),
            None => self.room()?,
        };
        ServerProcess::start(&command, &args, &extra, &room, &self.parts.env).await
    }

    /// A folder of the server's own. Programs such as `npx` and `python -m` run what lies where they are started, and
    /// whoever wrote the folder the user works in must not get to run anything by that.
    fn room(&self) -> Result<PathBuf, String> {
        let room = self.parts.rooms.join(&self.config.name);
        private::folder(&room).map_err(|error| format!("{}: {error}", room.display()))?;
        Ok(room)
    }
}

pub(super) fn discover() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] }
}
