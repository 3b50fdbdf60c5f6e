//! Streams of events, none larger than a bound. A stream that ends before the answer it was opened for says so in
//! place of the answer, so that nobody waits for what cannot come.

use std::borrow::Cow;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use hermes_host::http::Body;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::SseError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use sse_stream::{Sse, SseStream};

use crate::client::execution;
use crate::client::fault::Fault;
use crate::client::sent::Sent;

pub(super) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// The events of a body.
pub(super) fn events(body: Body, max: usize) -> Events {
    let pieces = stream::unfold(Some((body, Size::default())), move |state| async move {
        let (mut body, mut size) = state?;
        match body.chunk().await {
            Ok(Some(piece)) if size.fits(&piece, max) => Some((Ok(Bytes::from(piece)), Some((body, size)))),
            Ok(Some(_)) => Some((Err(Broken::TooLarge(max)), None)),
            Ok(None) => None,
            Err(error) => Some((Err(Broken::Off(error.message)), None)),
        }
    });
    SseStream::from_bytes_stream(pieces).map(|event| event.map(with_everything_kept)).boxed()
}

/// The event with what the SDK would drop of its message.
fn with_everything_kept(mut event: Sse) -> Sse {
    let moved = event.data.as_deref().and_then(|data| match execution::kept(data.as_bytes()) {
        Cow::Owned(moved) => String::from_utf8(moved).ok(),
        Cow::Borrowed(_) => None,
    });
    event.data = moved.or(event.data);
    event
}

/// The events that bring the answer to a request.
pub(super) fn answering(body: Body, max: usize, id: RequestId, sent: Sent) -> Events {
    let waiting = Waiting { events: events(body, max), id, sent, answered: false, resumable: false };
    stream::unfold(Some(waiting), |state| async move {
        let mut waiting = state?;
        let end = match waiting.events.next().await {
            Some(Ok(event)) => {
                waiting.look(&event);
                return Some((Ok(event), Some(waiting)));
            }
            end => end.and_then(Result::err),
        };
        let too_large =
            end.as_ref().and_then(Broken::in_error).filter(|broken| matches!(broken, Broken::TooLarge(_)));
        if let Some(broken) = too_large {
            let fault = Fault::Nonsense(broken.to_string());
            return Some((Ok(waiting.gave_up(fault)), None));
        }
        match end {
            // The server promised that the rest can be asked for.
            end if waiting.answered || waiting.resumable => end.map(|error| (Err(error), None)),
            _ => {
                let fault = Fault::Unanswered("it closed the connection before it had answered".to_owned());
                Some((Ok(waiting.gave_up(fault)), None))
            }
        }
    })
    .boxed()
}

struct Waiting {
    events: Events,
    id: RequestId,
    sent: Sent,
    answered: bool,
    resumable: bool,
}

/// As much of a message as tells whether it is an answer.
#[derive(Deserialize)]
struct Head {
    id: Option<IgnoredAny>,
    method: Option<IgnoredAny>,
}

impl Waiting {
    fn look(&mut self, event: &Sse) {
        self.resumable |= event.id.as_ref().is_some_and(|id| !id.is_empty());
        let head = event.data.as_deref().and_then(|data| serde_json::from_str::<Head>(data).ok());
        self.answered |= head.is_some_and(|head| head.id.is_some() && head.method.is_none());
    }

    /// An error in place of the answer.
    fn gave_up(&self, fault: Fault) -> Sse {
        self.sent.failed(Some(self.id.clone()), fault);
        let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, "no answer came", None);
        let message: ServerJsonRpcMessage = JsonRpcMessage::error(error, Some(self.id.clone()));
        Sse::default().data(serde_json::to_string(&message).unwrap_or_default())
    }
}

/// Why a stream ended early.
#[derive(Debug)]
enum Broken {
    TooLarge(usize),
    Off(String),
}

impl Broken {
    fn in_error(error: &SseError) -> Option<&Broken> {
        match error {
            SseError::Body(cause) => cause.downcast_ref(),
            _ => None,
        }
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::TooLarge(max) => write!(f, "it has more than {max} bytes"),
            Broken::Off(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Broken {}

/// How much of the event under way has been read.
#[derive(Default)]
struct Size {
    bytes: usize,
    line_has_text: bool,
}

impl Size {
    /// Counts a piece; false once an event has grown beyond the bound. An empty line ends an event.
    fn fits(&mut self, piece: &[u8], max: usize) -> bool {
        for byte in piece {
            match byte {
                b'\n' if !self.line_has_text => self.bytes = 0,
                b'\n' => self.line_has_text = false,
                b'\r' => {}
                _ => self.line_has_text = true,
            }
            self.bytes += 1;
            if self.bytes > max {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_measured_to_its_empty_line() {
        let mut size = Size::default();
        for piece in [&b"data: 1234\n"[..], b"\ndata: 12", b"34\r\n\r\n", b"data: 1234\n\n"] {
            assert!(size.fits(piece, 16));
        }
        assert!(!size.fits(b"data: 12345678901234567", 16));
    }
}
