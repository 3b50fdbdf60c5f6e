//! A client that started this program and speaks to it over standard input and output.

use std::sync::Arc;

use rmcp::ServiceExt;
use tokio_util::sync::CancellationToken;

use super::backend::Backend;
use super::handler::{Handler, Served};

/// Serves until the client closes the connection or `stop` fires.
pub async fn serve_stdio(backend: Arc<dyn Backend>, stop: CancellationToken) -> Result<(), String> {
    let streams = (tokio::io::stdin(), tokio::io::stdout());
    let serving = Handler::new(Served::new(backend).await).serve_with_ct(streams, stop);
    let running = serving.await.map_err(|error| error.to_string())?;
    running.waiting().await.map(drop).map_err(|error| error.to_string())
}
