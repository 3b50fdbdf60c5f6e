//! What a named session has seen of files outlives the process, as the session itself does: whoever calls `hermes` once
//! for every step is not to overwrite what others changed between two of them.

use super::build::App;

const SLOT: &str = "seen_files";

impl App {
    /// Goes on with a session of an earlier process.
    pub(crate) async fn resuming(mut self, session: Option<&str>) -> Self {
        let (Some(name), Some(state)) = (session, &self.options.ports.session_state) else { return self };
        match state.load(name, SLOT).await {
            Ok(Some(seen)) => self.surroundings.host.workspace.resume(name, seen),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "what the session has seen of files is not known"),
        }
        self.resumed = Some(name.to_owned());
        self
    }

    /// Keeps what the next process of the session has to know.
    pub(crate) async fn leave_off(&self) {
        let (Some(name), Some(state)) = (&self.resumed, &self.options.ports.session_state) else { return };
        let seen = self.surroundings.host.workspace.seen_by(name);
        if let Err(error) = state.save(name, SLOT, seen).await {
            tracing::warn!(%error, "what the session has seen of files could not be kept");
        }
    }
}
