//! MCP servers that come, go and change while a process runs: the configuration is looked at again when its file
//! changes. A file that cannot be read changes nothing.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use hermes_plugins::{Watch, Watched};

use super::mcp::Servers;
use super::mcp_meeting::Meeting;
use super::settings::define_servers;
use super::surroundings::{GlobalOptions, Surroundings};
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

/// The files that say which servers there are, as they were.
type Stamps = Vec<Option<(SystemTime, u64)>>;

/// Follows the files until the servers are gone.
pub(super) fn follow_servers(meeting: &Arc<Meeting>, surroundings: &Surroundings) {
    let meeting = Arc::downgrade(meeting);
    let options = surroundings.options.clone();
    let trusted = surroundings.home.root().join("trusted");
    let files = vec![surroundings.home.config_file(), surroundings.project.path.clone(), trusted];
    let Ok(mut watch) = Watch::new() else { return };
    tokio::spawn(async move {
        let mut seen = stamps(&files);
        loop {
            let mut watched = Watched::default();
            files.iter().for_each(|file| watched.file(file));
            // What changed before a folder was watched is seen by one more look.
            if !watch.set(watched) {
                watch.changed().await;
            }
            let now = stamps(&files);
            let Some(meeting) = meeting.upgrade() else { return };
            if now != seen {
                seen = now;
                if let Err(failure) = look(&meeting, &options) {
                    let told = format!("MCP servers stay as they are: {}", failure.message);
                    warn(Style::for_stderr(ColorChoice::Auto), "warning:", &told);
                }
            }
        }
    });
}

fn look(meeting: &Meeting, options: &GlobalOptions) -> Result<(), Failure> {
    let surroundings = Surroundings::discover(options)?;
    define_servers(meeting.runtime.toolsets(), surroundings.config())?;
    meeting.hub.set(Servers::told(&surroundings));
    meeting.go_on();
    Ok(())
}

fn stamps(files: &[PathBuf]) -> Stamps {
    let stamp = |file: &PathBuf| {
        let file = std::fs::metadata(file).ok()?;
        Some((file.modified().ok()?, file.len()))
    };
    files.iter().map(stamp).collect()
}
