//! A call leaves once, whatever the server answers when it has run.

use std::collections::HashMap;
use std::net::IpAddr;
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
use crate::client::http::GuardedClient;

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
struct Web {
    client: GuardedClient,
    base: String,
    /// The paths that were posted to.
    posted: Arc<Mutex<Vec<String>>>,
}

impl Web {
    /// `answer` hears the path and all of the request.
    async fn start(answer: impl Fn(&str, &str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let posted = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&posted);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = whole_request(&mut stream).await;
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let answer = answer(&path, &request);
                noted.lock().unwrap().push(path);
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        let http = Http::new(Arc::new(Open));
        let patience = Duration::from_secs(60);
        let client =
            GuardedClient::new(http, HeaderMap::new(), Sent::default(), patience, CancellationToken::new());
        Web { client, base, posted }
    }

    async fn post(&self, request: ClientRequest) -> Result<StreamableHttpPostResponse, Failure> {
        let message = JsonRpcMessage::request(request, ID);
        let url = format!("{}/old", self.base).into();
        self.client.post_message(url, message, Some("session".into()), None, HashMap::new()).await
    }

    fn posted(&self) -> Vec<String> {
        std::mem::take(&mut self.posted.lock().unwrap())
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

fn call() -> ClientRequest {
    ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new("pay")))
}

fn page(status: &str, extra: &str, body: &str) -> String {
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
            assert_eq!(web.posted(), ["/old"], "{status} {location}");
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
    assert_eq!(web.posted(), ["/old", "/new"]);
    web.post(call()).await.unwrap();
    assert_eq!(web.posted(), ["/new"]);
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
        let web = Web::start(move |_, _| page("404 Not Found", "", &body)).await;
        let answer = web.post(call()).await;
        let fault = web.client.sent.settle(&ID).1;
        assert_eq!(fault, (!is_answer).then_some(Fault::SessionEnded), "{shown}");
        let is_error = matches!(&answer, Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), _)) if error.id == Some(ID));
        assert_eq!(is_error, is_answer, "{shown}");
    }
}

#[tokio::test]
async fn a_session_that_is_said_to_be_lost_is_asked_before_a_call_is_made_again() {
    for (is_lost, expected) in [(true, None), (false, Some(ErrorCode::OutcomeUnknown))] {
        for status in ["400 Bad Request", "404 Not Found"] {
            let web = Web::start(move |_, request| {
                let lost =
                    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found"}}"#;
                match is_lost || request.contains("tools/call") {
                    true => page(status, "", lost),
                    false => page("200 OK", "", r#"{"jsonrpc":"2.0","id":"session","result":{}}"#),
                }
            })
            .await;
            assert!(web.post(call()).await.is_err());
            let fault = web.client.sent.settle(&ID).1.unwrap();
            assert_eq!(fault == Fault::SessionEnded, is_lost, "{status}: {fault:?}");
            let error = fault.into_error("web", false).code;
            assert!(expected.is_none_or(|expected| error == expected), "{status}: {error:?}");
            assert!(web.client.sent.is_empty());
        }
    }
}
