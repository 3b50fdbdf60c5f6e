//! The journal and the results of a home that cannot be written now. Calls that change nothing go on and say so;
//! the others are refused before they run. Every call tries again, so that nobody has to start anew once there is
//! room.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::ToolError;
use hermes_core::ports::{Journal, JournalRecord, ResultStore};
use serde_json::Value;
use tokio::sync::OnceCell;

/// How something is opened. Touches the disk.
type Open<T> = Arc<dyn Fn() -> Result<T, ToolError> + Send + Sync>;

/// Something that is opened at its first use after its home can be written.
pub(super) struct Reopening<T> {
    open: Open<T>,
    opened: OnceCell<T>,
}

impl<T: Send + Sync + 'static> Reopening<T> {
    /// Opens it now if that can be done; why not, otherwise.
    pub(super) fn new(
        open: impl Fn() -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> (Self, Option<ToolError>) {
        let (opened, failure) = match open() {
            Ok(opened) => (OnceCell::new_with(Some(opened)), None),
            Err(error) => (OnceCell::new(), Some(error)),
        };
        (Reopening { open: Arc::new(open), opened }, failure)
    }

    async fn opened(&self) -> Result<&T, ToolError> {
        let again = || async {
            let open = Arc::clone(&self.open);
            tokio::task::spawn_blocking(move || open()).await.map_err(|error| {
                ToolError::internal("it could not be opened").with_operator(error.to_string())
            })?
        };
        self.opened.get_or_try_init(again).await
    }
}

impl<J: Journal + 'static> Journal for Reopening<J> {
    fn append(&self, record: JournalRecord) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move { self.opened().await?.append(record).await })
    }
}

impl<S: ResultStore + 'static> ResultStore for Reopening<S> {
    fn put<'a>(&'a self, session: &'a str, value: &'a Value) -> BoxFuture<'a, Result<String, ToolError>> {
        Box::pin(async move { self.opened().await?.put(session, value).await })
    }

    fn get<'a>(
        &'a self,
        session: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<Option<Arc<Value>>, ToolError>> {
        Box::pin(async move { self.opened().await?.get(session, id).await })
    }
}
