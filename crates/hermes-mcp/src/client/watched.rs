//! A transport that tells everybody when it is gone, however it ends, and what a server says of a call under way before
//! the answer to it is seen.

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::DropGuard;

use super::hearing::Hearing;

pub(super) struct Watched<T> {
    pub(super) inner: T,
    pub(super) hearing: Hearing,
    pub(super) _closed: DropGuard,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    /// Progress and log go their way here, in the order they came: the SDK hands every notification to a task of its
    /// own, which the answer would overtake.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.inner.receive().await? {
                JsonRpcMessage::Notification(message) => match message.notification {
                    ServerNotification::ProgressNotification(report) => self.hearing.progress(report.params),
                    ServerNotification::LoggingMessageNotification(line) => self.hearing.log(line.params),
                    _ => return Some(JsonRpcMessage::Notification(message)),
                },
                message => return Some(message),
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
