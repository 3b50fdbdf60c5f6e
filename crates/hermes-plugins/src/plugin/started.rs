//! A plugin's program with its three streams in hand.

use hermes_host::process::{Child, Launch, Level};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::task::JoinHandle;

use super::words::LastWords;

/// Fresh from its start: nobody has said anything but to standard error, which is listened to.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) stdin: Sender,
    pub(super) stdout: Receiver,
    pub(super) words: LastWords,
    pub(super) listening: JoinHandle<()>,
    pub(super) level: Level,
}

impl Started {
    pub(super) async fn from(launch: &Launch) -> Result<Started, String> {
        let mut child = Child::start(launch).await?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err("its streams are not there".to_owned());
        };
        let words = LastWords::default();
        let listening = tokio::spawn(words.clone().listen(stderr));
        let level = child.level().0;
        Ok(Started { child, stdin, stdout, words, listening, level })
    }
}
