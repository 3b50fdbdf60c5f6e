//! From the head of an HTTP answer to a message, a stream of messages, or what is wrong.

use std::borrow::Cow;

use hermes_core::ToolError;
use hermes_host::http::header::{CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use hermes_host::http::{Response, StatusCode};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, StreamableHttpError, StreamableHttpPostResponse,
};
use serde::Deserialize;
use serde_json::Value;

use super::client::{EVENT_STREAM, JSON, request_id};
use super::events::{answering, events};
use super::lost_session::speaks_of_lost_session;
use crate::client::execution;
use crate::client::fault::Fault;
use crate::client::sent::Sent;
use crate::lines::{mended, with_all_digits};

pub(super) type Failure = StreamableHttpError<ToolError>;

/// How much of an error page is looked at.
const MAX_ERROR: usize = 16 * 1024;

/// Reads the answer to a posted message. What goes wrong is noted for the request that it was.
pub(super) async fn read(
    answer: Response,
    message: &ClientJsonRpcMessage,
    in_session: bool,
    max_event: usize,
    sent: &Sent,
) -> Result<StreamableHttpPostResponse, Failure> {
    let id = request_id(message);
    // What else a server says by 404 shows whether it is about the session or is the answer to this request.
    if let Some((failure, fault)) = refusal(&answer, false) {
        sent.failed(id, fault);
        return Err(failure);
    }
    let status = answer.status;
    if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
        return match id {
            None => Ok(StreamableHttpPostResponse::Accepted),
            // There is no other place where the answer could come.
            Some(id) => {
                let said = format!("HTTP {status} in place of an answer");
                sent.failed(Some(id), Fault::Unanswered(said.clone()));
                Err(Failure::UnexpectedServerResponse(Cow::Owned(said)))
            }
        };
    }
    let session = header(&answer, "mcp-session-id");
    let kind = header(&answer, CONTENT_TYPE.as_str()).unwrap_or_default().to_ascii_lowercase();
    if status.is_success() && kind.starts_with(EVENT_STREAM) {
        let stream = match id {
            Some(id) => answering(answer.body, max_event, id, sent.clone()),
            None => events(answer.body, max_event, None),
        };
        return Ok(StreamableHttpPostResponse::Sse(stream, session));
    }
    let is_json = kind.starts_with(JSON);
    let body = answer.body.bytes().await.map_err(|error| {
        sent.failed(id.clone(), Fault::Unanswered(error.message.clone()));
        Failure::Client(error)
    })?;
    let parsed = message_in(&body, id.as_ref());
    match (status.is_success(), parsed) {
        (true, Ok(parsed)) if id.is_some() && answers_another(&parsed, id.as_ref()) => {
            sent.failed(id, Fault::Nonsense("it answers another request".to_owned()));
            Err(Failure::UnexpectedServerResponse("an answer to another request".into()))
        }
        // What is the answer is the answer, whatever it is labelled.
        (true, Ok(parsed)) if is_json || answers(&parsed, id.as_ref()) => {
            Ok(StreamableHttpPostResponse::Json(parsed, session))
        }
        // Nothing was asked, so nothing need be answered.
        (true, _) if id.is_none() => Ok(StreamableHttpPostResponse::Accepted),
        (true, parsed) => {
            let said = match parsed {
                Err(error) if is_json => error.to_string(),
                _ => format!("it is of the type '{}' and no message", hermes_core::text::visible(&kind)),
            };
            sent.failed(id, Fault::Nonsense(said.clone()));
            Err(Failure::UnexpectedServerResponse(Cow::Owned(said)))
        }
        (false, parsed) => {
            let is_answer = parsed.as_ref().is_ok_and(|parsed| names(parsed, id.as_ref()));
            let error = match parsed {
                Ok(JsonRpcMessage::Error(error)) => Some(error),
                _ => None,
            };
            let names_none = error.as_ref().is_none_or(|error| error.id.is_none());
            let is_lost = match status {
                StatusCode::NOT_FOUND => true,
                StatusCode::BAD_REQUEST => names_none && speaks_of_lost_session(&body),
                _ => false,
            };
            if in_session && is_lost && !is_answer {
                sent.failed(id, Fault::SessionEnded);
                return Err(Failure::SessionExpired);
            }
            refused(status, error.map(|error| error.error), &body, message, session, sent)
        }
    }
}

/// The message in a body.
pub(super) fn message_in(body: &[u8], asked: Option<&RequestId>) -> serde_json::Result<ServerJsonRpcMessage> {
    let body = &*with_all_digits(body);
    let one = one_of(body, asked);
    let read = serde_json::from_slice(&execution::kept(&one)).or_else(|error| match mended(&one) {
        Some(mended) => serde_json::from_slice(&execution::kept(&mended)),
        None => Err(error),
    });
    read.map(|message| under_our_id(message, asked))
}

/// The message, where it speaks of this request under an id that only looks like ours, under ours.
pub(super) fn under_our_id(
    mut message: ServerJsonRpcMessage,
    asked: Option<&RequestId>,
) -> ServerJsonRpcMessage {
    if let Some(asked) = asked.filter(|asked| names(&message, Some(asked))) {
        match &mut message {
            JsonRpcMessage::Response(response) => response.id = asked.clone(),
            JsonRpcMessage::Error(error) => error.id = Some(asked.clone()),
            _ => {}
        }
    }
    message
}

/// Of a list of messages, as servers of 2025-03-26 may send it, the one that is alone in it or answers what was asked;
/// anything else as it is.
pub(super) fn one_of<'a>(body: &'a [u8], asked: Option<&RequestId>) -> Cow<'a, [u8]> {
    if body.trim_ascii_start().first() != Some(&b'[') {
        return Cow::Borrowed(body);
    }
    let Ok(messages) = serde_json::from_slice::<Vec<Value>>(body) else { return Cow::Borrowed(body) };
    let is_answer = |message: &&Value| {
        let id = message.get("id").and_then(|id| RequestId::deserialize(id).ok());
        message.get("method").is_none() && id.is_some() && id.as_ref() == asked
    };
    let one = match &messages[..] {
        [message] => Some(message),
        several => several.iter().find(is_answer),
    };
    one.map_or(Cow::Borrowed(body), |message| Cow::Owned(message.to_string().into_bytes()))
}

/// Whether a message is the answer to this request.
pub(super) fn answers(message: &ServerJsonRpcMessage, asked: Option<&RequestId>) -> bool {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id) == asked,
        JsonRpcMessage::Error(error) => error.id.is_some() && error.id.as_ref() == asked,
        _ => false,
    }
}

/// Whether a message speaks of this request. Who does so has read it, and may have done it: some servers answer a number
/// by the text of it.
pub(super) fn names(message: &ServerJsonRpcMessage, asked: Option<&RequestId>) -> bool {
    let named = match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        _ => None,
    };
    named.zip(asked).is_some_and(|(named, asked)| named.to_string() == asked.to_string())
}

/// Whether a message is the answer to another request than this one: on this connection nothing more can come.
pub(super) fn answers_another(message: &ServerJsonRpcMessage, asked: Option<&RequestId>) -> bool {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id) != asked,
        JsonRpcMessage::Error(error) => error.id.is_some() && error.id.as_ref() != asked,
        _ => false,
    }
}

/// A status that says all there is to say.
pub(super) fn refusal(answer: &Response, in_session: bool) -> Option<(Failure, Fault)> {
    let challenge = header(answer, WWW_AUTHENTICATE.as_str());
    match answer.status {
        StatusCode::UNAUTHORIZED => {
            let fault = Fault::NeedsLogin { challenge: challenge.clone().unwrap_or_default(), sent: true };
            Some((Failure::AuthRequired(AuthRequiredError::new(challenge.unwrap_or_default())), fault))
        }
        StatusCode::FORBIDDEN if challenge.is_some() => {
            let challenge = challenge.unwrap_or_default();
            let fault = Fault::NeedsLogin { challenge: challenge.clone(), sent: true };
            let scope = rmcp::transport::auth::WWWAuthenticateParams::parse(&challenge, &base(answer)?).scope;
            Some((Failure::InsufficientScope(InsufficientScopeError::new(challenge, scope)), fault))
        }
        StatusCode::NOT_FOUND if in_session => Some((Failure::SessionExpired, Fault::SessionEnded)),
        status if status.is_redirection() => {
            let said = match header(answer, LOCATION.as_str()) {
                Some(to) => format!(
                    "it moved to {} (HTTP {}); the address in the configuration should be the final one",
                    hermes_core::text::visible(&to),
                    status.as_u16()
                ),
                None => format!(
                    "it answered HTTP {}; the address in the configuration should be the final one",
                    status.as_u16()
                ),
            };
            Some((Failure::UnexpectedServerResponse(Cow::Owned(said.clone())), Fault::Redirected(said)))
        }
        _ => None,
    }
}

fn refused(
    status: StatusCode,
    error: Option<ErrorData>,
    body: &[u8],
    message: &ClientJsonRpcMessage,
    session: Option<String>,
    sent: &Sent,
) -> Result<StreamableHttpPostResponse, Failure> {
    let page = String::from_utf8_lossy(body.get(..MAX_ERROR).unwrap_or(body));
    let said = format!("HTTP {status}: {}", hermes_core::text::visible(page.trim()));
    let JsonRpcMessage::Request(request) = message else {
        return Err(Failure::UnexpectedServerResponse(Cow::Owned(said)));
    };
    // An old server does not know this question; its way of saying so is up to it.
    let is_probe = matches!(request.request, ClientRequest::DiscoverRequest(_));
    match error {
        Some(error) => {
            let answer = JsonRpcMessage::error(error, Some(request.id.clone()));
            Ok(StreamableHttpPostResponse::Json(answer, session))
        }
        None if is_probe => {
            let answer =
                JsonRpcMessage::error(ErrorData::invalid_request(said, None), Some(request.id.clone()));
            Ok(StreamableHttpPostResponse::Json(answer, None))
        }
        None => {
            sent.failed(
                Some(request.id.clone()),
                Fault::Status { status: status.as_u16(), said: said.clone() },
            );
            Err(Failure::UnexpectedServerResponse(Cow::Owned(said)))
        }
    }
}

pub(super) fn header(answer: &Response, name: &str) -> Option<String> {
    answer.headers.get(name)?.to_str().ok().map(str::to_owned)
}

fn base(answer: &Response) -> Option<url::Url> {
    url::Url::parse(&answer.url).ok()
}

#[cfg(test)]
pub(super) mod once_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_messages_the_answer_is_read() {
        let asked = RequestId::Number(7);
        let told = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
        let answer = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[]}}"#;
        for (body, is_read) in [
            (format!("[{told},{answer}]"), true),
            (format!(" [{answer}]"), true),
            (answer.to_owned(), true),
            (format!("[{told},{told}]"), false),
            (format!("[{told},{}]", answer.replace('7', "8")), false),
        ] {
            let message = message_in(body.as_bytes(), Some(&asked));
            assert_eq!(message.is_ok_and(|message| answers(&message, Some(&asked))), is_read, "{body}");
        }
    }
}
