//! The answer, read piece by piece under its limits.

use std::time::Duration;

use hermes_core::ToolError;
use hermes_core::egress::Origin;
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::fault;

/// The head of an answer, with its body still to be read.
#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Where the answer came from, after redirects.
    pub url: String,
    pub origin: Origin,
    pub body: Body,
}

/// A body under way. Dropping it closes the exchange.
#[derive(Debug)]
pub struct Body {
    pub(super) inner: reqwest::Response,
    pub(super) method: Method,
    pub(super) origin: Origin,
    pub(super) deadline: Option<Instant>,
    pub(super) idle: Duration,
    pub(super) max: u64,
    pub(super) read: u64,
    pub(super) cancel: CancellationToken,
}

impl Body {
    /// The next piece; `None` at the end.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, ToolError> {
        let patience = match self.deadline {
            Some(deadline) => self.idle.min(deadline.saturating_duration_since(Instant::now())),
            None => self.idle,
        };
        let piece = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return Err(fault::cancelled(&self.method)),
            piece = timeout(patience, self.inner.chunk()) => piece,
        };
        let piece = piece
            .map_err(|_| fault::late(&self.method, &self.origin))?
            .map_err(|error| fault::failed(error, &self.method, &self.origin))?;
        let Some(piece) = piece else { return Ok(None) };
        self.read = self.read.saturating_add(piece.len() as u64);
        Ok(Some(piece.to_vec()))
    }

    /// The whole body; more than the limit is an error.
    pub async fn bytes(mut self) -> Result<Vec<u8>, ToolError> {
        let announced = self.inner.content_length().unwrap_or(0);
        if announced > self.max {
            return Err(fault::too_large(&self.origin, self.max));
        }
        let mut all = Vec::with_capacity(usize::try_from(announced.min(64 * 1024)).unwrap_or(0));
        while let Some(piece) = self.chunk().await? {
            if self.read > self.max {
                return Err(fault::too_large(&self.origin, self.max));
            }
            all.extend_from_slice(&piece);
        }
        Ok(all)
    }

    /// The body up to the limit, and whether there was more.
    pub async fn head(mut self) -> Result<(Vec<u8>, bool), ToolError> {
        let mut all = Vec::new();
        while let Some(piece) = self.chunk().await? {
            let room = usize::try_from(self.max).unwrap_or(usize::MAX).saturating_sub(all.len());
            all.extend(piece.iter().take(room));
            if self.read > self.max {
                return Ok((all, true));
            }
        }
        Ok((all, false))
    }
}
