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

use super::answer::{answers, answers_another, names, one_of, under_our_id};
use crate::client::execution;
use crate::client::fault::Fault;
use crate::client::sent::Sent;
use crate::lines::{answered_by, mended, with_all_digits};

pub(super) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// The events of a body. Where several messages come in one, the answer to what was asked is meant.
pub(super) fn events(body: Body, max: usize, asked: Option<RequestId>) -> Events {
    let pieces = stream::unfold(Some((body, Size::default())), move |state| async move {
        let (mut body, mut size) = state?;
        match body.chunk().await {
            Ok(Some(piece)) if size.fits(&piece, max) => Some((Ok(Bytes::from(piece)), Some((body, size)))),
            Ok(Some(_)) => Some((Err(Broken::TooLarge(max)), None)),
            Ok(None) => None,
            Err(error) => Some((Err(Broken::Off(error.message)), None)),
        }
    });
    SseStream::from_bytes_stream(pieces)
        .map(move |event| event.map(|event| with_everything_kept(event, asked.as_ref())))
        .boxed()
}

/// The event with what the SDK would drop of its message.
fn with_everything_kept(mut event: Sse, asked: Option<&RequestId>) -> Sse {
    if let Some(Cow::Owned(exact)) = event.data.as_deref().map(|data| with_all_digits(data.as_bytes())) {
        event.data = String::from_utf8(exact).ok();
    }
    let moved = event.data.as_deref().and_then(|data| {
        let one = one_of(data.as_bytes(), asked);
        let kept = match execution::kept(&one) {
            Cow::Owned(moved) => Some(moved),
            Cow::Borrowed(_) => None,
        };
        let changed = kept.or(if let Cow::Owned(one) = one { Some(one) } else { None });
        changed.and_then(|message| String::from_utf8(message).ok())
    });
    event.data = moved.or(event.data);
    event
}

/// The events that bring the answer to a request.
pub(super) fn answering(body: Body, max: usize, id: RequestId, sent: Sent) -> Events {
    let events = events(body, max, Some(id.clone()));
    let waiting = Waiting { events, id, sent, answered: false, resumable: false };
    stream::unfold(Some(waiting), |state| async move {
        let mut waiting = state?;
        let end = match waiting.events.next().await {
            Some(Ok(event)) => {
                let event = match waiting.readable(event) {
                    Ok(event) => event,
                    Err(fault) => return Some((Ok(waiting.gave_up(fault)), None)),
                };
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
            end if waiting.answered => end.map(|error| (Err(error), None)),
            // The server promised that the rest can be asked for. Where it does not keep that, this is all that is known.
            end if waiting.resumable => {
                waiting.sent.broke_off(waiting.id, Fault::Unanswered(BROKEN_OFF.to_owned()));
                end.map(|error| (Err(error), None))
            }
            _ => Some((Ok(waiting.gave_up(Fault::Unanswered(BROKEN_OFF.to_owned()))), None)),
        }
    })
    .boxed()
}

/// What is said of a stream that ended too early.
const BROKEN_OFF: &str = "it closed the connection before it had answered";

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
    id: Option<RequestId>,
    method: Option<IgnoredAny>,
}

impl Waiting {
    fn look(&mut self, event: &Sse) {
        self.resumable |= event.id.as_ref().is_some_and(|id| !id.is_empty());
        let head = event.data.as_deref().and_then(|data| serde_json::from_str::<Head>(data).ok());
        self.answered |= head.is_some_and(|head| head.id.as_ref() == Some(&self.id) && head.method.is_none());
    }

    /// The event as the SDK can read it. It would take the answer to another request for the end of this stream, and not
    /// know one under an id that only looks like ours.
    fn readable(&self, mut event: Sse) -> Result<Sse, Fault> {
        let Some(data) = event.data.as_deref().filter(|data| !data.is_empty()) else { return Ok(event) };
        let asked = Some(&self.id);
        match serde_json::from_str::<ServerJsonRpcMessage>(data) {
            Err(error) => return self.repaired(event, &error),
            // On this stream it can be about nothing else.
            Ok(JsonRpcMessage::Error(error)) if error.id.is_none() => {
                return Err(Fault::Unanswered(error.error.message.into_owned()));
            }
            Ok(message) if names(&message, asked) && !answers(&message, asked) => {
                event.data = serde_json::to_string(&under_our_id(message, asked)).ok();
            }
            Ok(message) if answers_another(&message, asked) => event.data = None,
            Ok(_) => {}
        }
        Ok(event)
    }

    /// The event, where it brings the answer with one that can be read: the SDK would drop any other and wait on.
    fn repaired(&self, mut event: Sse, error: &serde_json::Error) -> Result<Sse, Fault> {
        let data = event.data.as_deref().unwrap_or_default();
        let answers = match serde_json::from_str::<Head>(data) {
            Ok(head) => head.id.filter(|_| head.method.is_none()),
            Err(_) => answered_by(data.as_bytes()),
        };
        if answers.as_ref() != Some(&self.id) {
            return Ok(event);
        }
        let mended = mended(data.as_bytes()).map(|mended| execution::kept(&mended).into_owned());
        let mended = mended.and_then(|mended| String::from_utf8(mended).ok());
        event.data = mended.filter(|data| serde_json::from_str::<ServerJsonRpcMessage>(data).is_ok());
        if event.data.is_some() { Ok(event) } else { Err(Fault::Nonsense(error.to_string())) }
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
    use serde_json::Value;

    use super::*;

    #[test]
    fn an_event_is_measured_to_its_empty_line() {
        let mut size = Size::default();
        for piece in [&b"data: 1234\n"[..], b"\ndata: 12", b"34\r\n\r\n", b"data: 1234\n\n"] {
            assert!(size.fits(piece, 16));
        }
        assert!(!size.fits(b"data: 12345678901234567", 16));
    }

    #[test]
    fn long_integers_keep_their_digits_on_every_stream() {
        let answer =
            r#"{"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"n":1180591620717411303425}}}"#;
        let id = RequestId::Number(7);
        for (data, asked) in [(answer, None), (answer, Some(&id)), (&format!("[{answer}]"), Some(&id))] {
            let event = with_everything_kept(Sse::default().data(data), asked);
            assert!(event.data.unwrap().contains(r#""n":"1180591620717411303425""#), "{data}");
        }
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_known_as_such() {
        let waiting = Waiting {
            events: stream::empty().boxed(),
            id: RequestId::Number(7),
            sent: Sent::default(),
            answered: false,
            resumable: false,
        };
        let deep = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{}1{}}}"#, "[".repeat(500), "]".repeat(500));
        for (data, is_spoiled) in [
            (deep.as_str(), false),
            (r#"{"jsonrpc":"2.0","id":7,"result":{"odd":NaN}}"#, false),
            (r#"{"jsonrpc":"2.0","id":7,"result":{"half"#, true),
            (r#"{"jsonrpc":"2.0","id":7,"error":"no"}"#, true),
            (r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, false),
            (r#"{"jsonrpc":"2.0","id":8,"error":"no"}"#, false),
            (r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}"#, true),
            (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, false),
            ("", false),
        ] {
            let event = Sse::default().data(data);
            let read = waiting.readable(event);
            assert_eq!(read.is_err(), is_spoiled, "{data}");
            let is_message =
                |event: Sse| serde_json::from_str::<Value>(&event.data.unwrap_or_default()).is_ok();
            assert!(data.is_empty() || read.map_or(true, is_message), "{data}");
        }
        let said = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        for (id, expected) in [("7", Some("7")), ("\"7\"", Some("7")), ("8", None), ("\"8\"", None)] {
            let read = waiting.readable(Sse::default().data(said(id))).unwrap();
            assert_eq!(read.data, expected.map(said), "{id}");
        }
    }
}
