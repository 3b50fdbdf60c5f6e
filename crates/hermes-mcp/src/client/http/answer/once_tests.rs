//! A call leaves once, whatever the server answers when it has run.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_core::egress::{Blocked, EgressGuard, Origin, Reach};
use hermes_host::Http;
use hermes_host::http::HeaderMap;
use rmcp::model::{CallToolRequest, CallToolRequestParams, PingRequest};
use rmcp::transport::streamable_http_client::StreamableHttpClient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::client::http::{GuardedClient, Pings};

const ID: RequestId = RequestId::Number(7);

/// Lets everything pass.
struct Open;

impl EgressGuard for Open {
    fn url(&self, url: &str, _: Reach) -> Result<Origin, Blocked> {
        let url = url::Url::parse(url).map_err(|error| Blocked::new("url", error.to_string()))?;
        let host = url.host_str().unwrap_or_default().to_owned();
        Ok(Origin { secure: false, host, port: url.port().unwrap_or(80) })
    }

    fn address(&self, _: IpAddr, _: Reach) -> Result<(), Blocked> {
        Ok(())
    }

    fn redirect(&self, from: &str, location: &str) -> Result<String, Blocked> {
        let to = url::Url::parse(from).and_then(|from| from.join(location));
        to.map(String::from).map_err(|error| Blocked::new("url", error.to_string()))
    }
}

/// A server that answers as it is told to, and a client of it.
pub(in crate::client::http) struct Web {
    pub(in crate::client::http) client: GuardedClient,
    base: String,
    /// The paths that were posted to, each with what was posted.
    posted: Arc<Mutex<Vec<(String, String)>>>,
}

impl Web {
    /// `answer` hears the path and all of the request.
    pub(in crate::client::http) async fn start(
        answer: impl Fn(&str, &str) -> String + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let posted = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&posted);
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = whole_request(&mut stream).await;
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let answer = answer(&path, &request);
                noted.lock().unwrap().push((path, request));
                stream.write_all(answer.as_bytes()).await.unwrap();
                open.push(stream);
            }
        });
        let http = Http::new(Arc::new(Open));
        let patience = Duration::from_secs(60);
        let client = GuardedClient::new(
            http,
            HeaderMap::new(),
            Sent::default(),
            Pings::default(),
            patience,
            CancellationToken::new(),
        );
        Web { client, base, posted }
    }

    pub(in crate::client::http) async fn post(
        &self,
        request: ClientRequest,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let message = JsonRpcMessage::request(request, ID);
        let url = format!("{}/old", self.base).into();
        self.client.post_message(url, message, Some("session".into()), None, HashMap::new()).await
    }

    pub(in crate::client::http) async fn open_stream(&self) -> Result<(), Failure> {
        let url = format!("{}/old", self.base).into();
        self.client.get_stream(url, Some("session".into()), None, None, HashMap::new()).await.map(drop)
    }

    /// The paths that requests of a kind were posted to since it was last asked.
    pub(in crate::client::http) fn posted(&self, method: &str) -> Vec<String> {
        let posted = std::mem::take(&mut *self.posted.lock().unwrap());
        posted.into_iter().filter(|(_, request)| request.contains(method)).map(|(path, _)| path).collect()
    }
}

/// Reads all of a request.
async fn whole_request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.unwrap();
        if read == 0 {
            return text;
        }
        text.push_str(&String::from_utf8_lossy(&piece[..read]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            return text;
        }
    }
}

pub(in crate::client::http) fn call() -> ClientRequest {
    ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new("pay")))
}

pub(in crate::client::http) fn page(status: &str, extra: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{extra}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

#[tokio::test]
async fn a_call_that_is_redirected_is_not_made_again() {
    for status in [300, 301, 302, 303, 304, 307, 308] {
        for location in ["Location: /old\r\n", "Location: http://192.0.2.1/\r\n", ""] {
            let web = Web::start(move |_, _| page(&format!("{status} Elsewhere"), location, "")).await;
            assert!(web.post(call()).await.is_err(), "{status} {location}");
            assert_eq!(web.posted("tools/call"), ["/old"], "{status} {location}");
            let fault = web.client.sent.settle(&ID).1.unwrap();
            assert!(matches!(fault, Fault::Redirected(_)), "{status} {location}: {fault:?}");
            let error = fault.into_error("web", false);
            assert_eq!(error.code, ErrorCode::OutcomeUnknown, "{status} {location}");
            assert!(error.message.contains("should be the final one"), "{}", error.message);
        }
    }
}

#[tokio::test]
async fn a_call_goes_at_once_to_where_other_requests_were_led() {
    let web = Web::start(|path, _| match path {
        "/old" => page("307 Elsewhere", "Location: /new\r\n", ""),
        _ => page("200 OK", "", r#"{"jsonrpc":"2.0","id":7,"result":{"content":[]}}"#),
    })
    .await;
    web.post(ClientRequest::PingRequest(PingRequest::default())).await.unwrap();
    assert_eq!(web.posted("ping"), ["/old", "/new"]);
    web.post(call()).await.unwrap();
    assert_eq!(web.posted("tools/call"), ["/new"]);
}

/// A server that knows the session until it is called in it.
fn forgetting(
    answer: impl Fn() -> String + Send + 'static,
) -> impl Fn(&str, &str) -> String + Send + 'static {
    let is_forgotten = AtomicBool::new(false);
    move |_, request| {
        is_forgotten.fetch_or(request.contains("tools/call"), Ordering::Relaxed);
        match is_forgotten.load(Ordering::Relaxed) {
            true => answer(),
            false => page("200 OK", "", r#"{"jsonrpc":"2.0","id":"session","result":{}}"#),
        }
    }
}

#[tokio::test]
async fn what_a_404_says_of_the_call_is_its_answer_and_anything_else_is_about_the_session() {
    let error = |id: &str| {
        let error = r#"{"code":-32001,"message":"Session not found"}"#;
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
    };
    for (body, is_answer) in [
        (error("7"), true),
        (error("\"7\""), true),
        (error("null"), false),
        (error("\"server-error\""), false),
        ("no such page".to_owned(), false),
        (String::new(), false),
    ] {
        let shown = body.clone();
        let web = Web::start(forgetting(move || page("404 Not Found", "", &body))).await;
        let answer = web.post(call()).await;
        let fault = web.client.sent.settle(&ID).1;
        assert_eq!(fault, (!is_answer).then_some(Fault::SessionEnded), "{shown}");
        let is_error = matches!(&answer, Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), _)) if error.id == Some(ID));
        assert_eq!(is_error, is_answer, "{shown}");
    }
}

const LOST: &str = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found"}}"#;

#[tokio::test]
async fn a_session_that_ends_with_a_call_does_not_show_that_the_call_was_not_made() {
    for status in ["400 Bad Request", "404 Not Found"] {
        let web = Web::start(forgetting(move || page(status, "", LOST))).await;
        assert!(web.post(call()).await.is_err());
        assert_eq!(web.client.sent.settle(&ID).1, Some(Fault::SessionEnded), "{status}");
        // It is said of the one call, and not of the session.
        let one_call = move |_: &str, request: &str| match request.contains("tools/call") {
            true => page(status, "", LOST),
            false => page("200 OK", "", r#"{"jsonrpc":"2.0","id":"session","result":{}}"#),
        };
        let web = Web::start(one_call).await;
        assert!(web.post(call()).await.is_err());
        let fault = web.client.sent.settle(&ID).1.unwrap();
        assert!(matches!(fault, Fault::Unanswered(_)), "{status}: {fault:?}");
        for fault in [fault, Fault::SessionEnded] {
            assert_eq!(fault.into_error("web", false).code, ErrorCode::OutcomeUnknown, "{status}");
        }
        assert!(web.client.sent.is_empty());
    }
}

#[tokio::test]
async fn nobody_says_that_a_session_is_known_who_did_not_hear_it() {
    let endless = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: at work\n\n".to_owned();
    let told = page("200 OK", "", r#"{"jsonrpc":"2.0","id":"session","result":{}}"#);
    for (ping, is_known) in [
        (endless, false),
        (page("401 Unauthorized", "", ""), false),
        (page("500 Broken", "", ""), false),
        (told, true),
    ] {
        let shown = ping.clone();
        let web = Web::start(move |_, request| match request.contains("tools/call") {
            true => page("404 Not Found", "", ""),
            false => ping.clone(),
        })
        .await;
        // It need not be asked before.
        web.client.heard.now();
        let answer = tokio::time::timeout(Duration::from_secs(10), web.post(call())).await;
        assert!(answer.expect("it is not waited for").is_err());
        let Some(Fault::Unanswered(said)) = web.client.sent.settle(&ID).1 else { panic!("{shown}") };
        assert_eq!(said.ends_with(", but it does"), is_known, "{shown}: {said}");
        assert!(web.client.sent.is_empty());
    }
}

#[tokio::test]
async fn who_knows_no_ping_is_called_all_the_same() {
    let unknown = r#"{"jsonrpc":"2.0","id":"session","error":{"code":-32601,"message":"Method not found"}}"#;
    for (status, body, is_new) in [
        ("400 Bad Request", unknown, false),
        ("404 Not Found", unknown, false),
        ("400 Bad Request", "what?", false),
        // Nothing is said of why, but the session is too new to be lost.
        ("404 Not Found", "", true),
    ] {
        let web = Web::start(move |_, request| match request.contains("ping") {
            true => page(status, "", body),
            false => page("200 OK", "", r#"{"jsonrpc":"2.0","id":7,"result":{"content":[]}}"#),
        })
        .await;
        if is_new {
            web.client.heard.now();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        web.post(call()).await.unwrap();
        assert_eq!(web.posted("tools/call"), ["/old"], "{status} {body}");
    }
}

/// The SDK asks again with new tokens.
#[tokio::test]
async fn a_call_that_was_given_up_while_it_was_held_does_not_leave_with_new_tokens() {
    let pings = std::sync::atomic::AtomicUsize::new(0);
    let web = Web::start(move |_, _| match pings.fetch_add(1, Ordering::Relaxed) {
        0 => page("401 Unauthorized", "", ""),
        _ => page("200 OK", "", r#"{"jsonrpc":"2.0","id":"session","result":{}}"#),
    })
    .await;
    assert_eq!(web.client.sent.withdraw(&ID), (false, None), "its caller is told that it did not leave");
    assert!(matches!(web.post(call()).await, Err(Failure::Client(_))));
    assert!(web.post(call()).await.is_err());
    assert_eq!(web.posted("tools/call"), [""; 0]);
}

#[tokio::test]
async fn a_call_does_not_leave_in_a_session_or_under_a_login_that_is_gone() {
    for (status, expected) in [
        ("404 Not Found", Fault::SessionGone),
        ("400 Bad Request", Fault::SessionGone),
        ("401 Unauthorized", Fault::NeedsLogin { challenge: String::new(), sent: false }),
    ] {
        let web = Web::start(move |_, _| page(status, "", LOST)).await;
        assert!(web.post(call()).await.is_err());
        assert_eq!(web.client.sent.settle(&ID), (false, Some(expected)), "{status}");
        assert_eq!(web.posted("tools/call"), [""; 0], "{status}");
        assert!(web.client.sent.is_empty());
    }
}
