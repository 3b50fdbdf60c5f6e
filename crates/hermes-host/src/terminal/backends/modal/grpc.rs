//! gRPC over the HTTP/2 client that is here anyway: a length before each message, the status in the trailers.
//! <https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>

use std::marker::PhantomData;
use std::time::Duration;

use http_body_util::BodyExt;
use prost::Message;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, TE};

use super::call::Call;

const CONNECT: Duration = Duration::from_secs(10);
/// A connection that says nothing is asked whether it is still there.
const ALIVE: Duration = Duration::from_secs(30);
/// Far above what the vendor sends in one piece.
const LONGEST: usize = 64 * 1024 * 1024;

pub(super) const DEADLINE_EXCEEDED: u32 = 4;
pub(super) const NOT_FOUND: u32 = 5;
pub(super) const ALREADY_EXISTS: u32 = 6;
pub(super) const PERMISSION_DENIED: u32 = 7;
pub(super) const UNAVAILABLE: u32 = 14;
pub(super) const UNAUTHENTICATED: u32 = 16;

/// Why there is no answer, as gRPC numbers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) code: u32,
    pub(super) message: String,
}

impl Status {
    fn unavailable(reason: impl ToString) -> Self {
        Status { code: UNAVAILABLE, message: reason.to_string() }
    }

    /// Whether the same may be asked again, because nothing is known of the first time.
    pub(super) fn passes(&self) -> bool {
        matches!(self.code, 1 | 2 | DEADLINE_EXCEEDED | 13 | UNAVAILABLE)
    }

    /// The status that headers or trailers carry; `None` where they carry none.
    fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let code = text("grpc-status")?.parse().unwrap_or(2);
        Some(Status { code, message: text("grpc-message").map(percent_decoded).unwrap_or_default() })
    }

    fn checked(self) -> Result<(), Self> {
        if self.code == 0 { Ok(()) } else { Err(self) }
    }
}

/// A server, and what is told with every call.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    client: reqwest::Client,
    origin: String,
    metadata: HeaderMap,
}

impl Channel {
    pub(super) fn new(origin: &str, metadata: &[(&'static str, &str)]) -> Result<Self, String> {
        // One crypto provider for the whole process; a second installation of the same is no news.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .http2_prior_knowledge()
            .http2_keep_alive_interval(ALIVE)
            .http2_keep_alive_while_idle(true)
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .build()
            .map_err(|error| error.to_string())?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc+proto"));
        headers.insert(TE, HeaderValue::from_static("trailers"));
        for (name, value) in metadata {
            let mut value = HeaderValue::from_str(value).map_err(|_| format!("{name} is not a header"))?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(Channel { client, origin: origin.trim_end_matches('/').to_owned(), metadata: headers })
    }

    /// Asks; answers come one after another.
    pub(super) async fn stream<C: Call>(&self, call: &C) -> Result<Answers<C::Answer>, Status> {
        let message = call.encode_to_vec();
        let length = u32::try_from(message.len()).map_err(Status::unavailable)?;
        let body = [&[0], &length.to_be_bytes()[..], &message].concat();
        let request = self.client.post(format!("{}{}", self.origin, C::PATH));
        let sent = request.headers(self.metadata.clone()).body(body).send().await;
        let response = sent.map_err(|error| Status::unavailable(root_cause(&error)))?;
        if !response.status().is_success() {
            return Err(Status::unavailable(format!("the server answered {}", response.status())));
        }
        // A call that fails at once, or has nothing to answer, has its status here.
        let status = Status::of(response.headers());
        let ended = status.is_some();
        status.map_or(Ok(()), Status::checked)?;
        let body = reqwest::Body::from(response);
        Ok(Answers { body, bytes: Vec::new(), ended, of: PhantomData })
    }

    /// Asks; one answer comes, within the time.
    pub(super) async fn call<C: Call>(&self, call: &C, limit: Duration) -> Result<C::Answer, Status> {
        let answer = async {
            let mut answers = self.stream(call).await?;
            let answer = answers.next().await?.ok_or_else(|| Status::unavailable("there is no answer"))?;
            while answers.next().await?.is_some() {}
            Ok(answer)
        };
        let late = || Status { code: DEADLINE_EXCEEDED, message: "there is no answer in time".to_owned() };
        tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| Err(late()))
    }
}

/// Answers as they come.
pub(super) struct Answers<T> {
    body: reqwest::Body,
    bytes: Vec<u8>,
    ended: bool,
    of: PhantomData<T>,
}

impl<T: Message + Default> Answers<T> {
    /// The next one; `None` once the server has said that all is well and over.
    pub(super) async fn next(&mut self) -> Result<Option<T>, Status> {
        loop {
            if let Some(message) = self.whole()? {
                return T::decode(message.as_slice()).map(Some).map_err(Status::unavailable);
            }
            if self.ended {
                return Ok(None);
            }
            let frame = self.body.frame().await.ok_or_else(|| Status::unavailable("it broke off"))?;
            match frame.map_err(|error| Status::unavailable(root_cause(&error)))?.into_data() {
                Ok(data) => self.bytes.extend(data),
                Err(frame) => {
                    let trailers = frame.into_trailers().unwrap_or_default();
                    Status::of(&trailers).unwrap_or_else(|| Status::unavailable("it broke off")).checked()?;
                    self.ended = true;
                }
            }
        }
    }

    fn whole(&mut self) -> Result<Option<Vec<u8>>, Status> {
        let Some(([compressed, length @ ..], rest)) = self.bytes.split_first_chunk::<5>() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        if *compressed != 0 || length > LONGEST {
            return Err(Status::unavailable("the server sent what was not asked for"));
        }
        let Some(message) = rest.get(..length).map(<[u8]>::to_vec) else { return Ok(None) };
        self.bytes.drain(..5 + length);
        Ok(Some(message))
    }
}

/// What lies below: the outer texts only name the address.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

/// Status texts are percent-encoded.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_texts_are_read() {
        assert_eq!(percent_decoded("no%20such app%C3%A9%"), "no such appé%");
        let mut headers = HeaderMap::new();
        assert_eq!(Status::of(&headers), None);
        headers.insert("grpc-status", HeaderValue::from_static("5"));
        headers.insert("grpc-message", HeaderValue::from_static("not%20there"));
        assert_eq!(Status::of(&headers), Some(Status { code: NOT_FOUND, message: "not there".to_owned() }));
    }
}
