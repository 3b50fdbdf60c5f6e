//! A request with all of its body. The SDK takes a body that is no message for one of another type; what is wrong with it is
//! told here.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, StatusCode};
use rmcp::model::{ErrorCode, RequestId};
use serde_json::{Value, json};

use super::http::Answer;
use crate::lines::with_all_digits;

pub(super) struct Received {
    head: Parts,
    body: Bytes,
}

impl Received {
    /// Waits for the body, as long as more of it comes now and then.
    pub(super) async fn of(
        request: Request<Incoming>,
        most: usize,
        pause: Duration,
    ) -> Result<Self, (StatusCode, &'static str)> {
        let (head, body) = request.into_parts();
        let mut body = Limited::new(body, most);
        let mut whole = Vec::new();
        loop {
            let Ok(frame) = tokio::time::timeout(pause, body.frame()).await else {
                return Err((StatusCode::REQUEST_TIMEOUT, "the rest of the request did not come"));
            };
            match frame {
                None => {
                    let exact = match with_all_digits(&whole) {
                        Cow::Owned(exact) => Some(exact),
                        Cow::Borrowed(_) => None,
                    };
                    return Ok(Received { head, body: exact.unwrap_or(whole).into() });
                }
                Some(Ok(frame)) => {
                    if let Some(more) = frame.data_ref() {
                        whole.extend_from_slice(more);
                    }
                }
                Some(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                    return Err((StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"));
                }
                Some(Err(_)) => return Err((StatusCode::BAD_REQUEST, "the request could not be read")),
            }
        }
    }

    pub(super) fn request(&self) -> Request<Full<Bytes>> {
        Request::from_parts(self.head.clone(), Full::new(self.body.clone()))
    }

    /// The answer, but for the one that says of JSON that it is none.
    pub(super) fn answered(&self, answer: Answer) -> Answer {
        match answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE && self.says_json() {
            true => no_message(&self.body),
            false => answer,
        }
    }

    /// As the SDK looks at it.
    fn says_json(&self) -> bool {
        let kind = self.head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.starts_with("application/json"))
    }
}

/// What is wrong with a body, in the words of JSON-RPC.
fn no_message(body: &[u8]) -> Answer {
    let read = serde_json::from_slice::<Value>(body);
    let (code, said) = match &read {
        Err(_) => (ErrorCode::PARSE_ERROR, "the body is not JSON"),
        Ok(Value::Array(_)) => {
            (ErrorCode::INVALID_REQUEST, "the body is a list; one message goes with each request")
        }
        Ok(_) => (ErrorCode::INVALID_REQUEST, "the body is no message of the protocol"),
    };
    let id =
        read.ok().and_then(|message| serde_json::from_value::<RequestId>(message.get("id")?.clone()).ok());
    let told = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": said}});
    let mut answer = Answer::new(Full::new(Bytes::from(told.to_string())).boxed());
    *answer.status_mut() = StatusCode::BAD_REQUEST;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}
