//! Clients over streamable HTTP. Only this machine is listened to unless the user says otherwise, every request must
//! show the token, and requests that a web page could make a browser send are turned away by their `Host` and
//! `Origin`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HOST, HeaderName, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use url::Origin;

use super::backend::Backend;
use super::handler::Handler;
use super::places::{Place, Places};
use super::received::Received;
use super::sent::Sent;
use super::served::Served;
use super::sessions::Sessions;
use super::token::ServeToken;

/// Connections at the same time.
const MAX_CONNECTIONS: usize = 256;
/// How long a client may take to send the head of a request.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// How long a client may take to send more of a request.
const BODY_LIMIT: Duration = Duration::from_secs(30);
const MAX_REQUEST: usize = 32 * 1024 * 1024;
/// How long nothing is taken where the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(50);
/// Which session a request belongs to.
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// Where the server is found.
const PATH: &str = "/mcp";

pub(super) type Answer = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Handler, Sessions>;

/// Who may come in.
pub struct HttpOptions {
    /// Without it, everybody who reaches the port is let in.
    pub token: Option<ServeToken>,
    /// Names under which the server may be asked, beside those of this machine.
    pub hosts: Vec<String>,
    /// Web pages that may ask, such as `https://example.com`. Without any, none may.
    pub origins: Vec<String>,
}

/// Serves until `stop` fires.
pub async fn serve_http(
    listener: TcpListener,
    backend: Arc<dyn Backend>,
    options: HttpOptions,
    stop: CancellationToken,
) -> Result<(), String> {
    let mut config = StreamableHttpServerConfig::default();
    config.allowed_hosts.extend(options.hosts);
    config.max_request_body_bytes = MAX_REQUEST;
    config.cancellation_token = stop.child_token();
    let served = Served::new(backend).await;
    let rounds = served.rounds.clone();
    let make = move || Ok(Handler::new(served.clone()));
    let service = Service::new(make, Arc::default(), config);
    let origins =
        options.origins.iter().map(|page| origin(page).ok_or(format!("'{page}' is no address of a page")));
    let door = Door { service, token: options.token, origins: origins.collect::<Result<_, String>>()? };
    let ended = door.open(&listener, &stop).await;
    rounds.end();
    ended
}

#[derive(Clone)]
struct Door {
    service: Service,
    token: Option<ServeToken>,
    origins: Arc<[Origin]>,
}

impl Door {
    async fn open(&self, listener: &TcpListener, stop: &CancellationToken) -> Result<(), String> {
        let places = Places::new(MAX_CONNECTIONS);
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => return Ok(()),
                accepted = listener.accept() => accepted,
            };
            // A connection that failed before it was one is the other side's trouble; too many are ours.
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(NO_ROOM).await;
                continue;
            };
            let place = tokio::select! {
                () = stop.cancelled() => return Ok(()),
                place = places.enter() => Arc::new(place),
            };
            let (door, stop) = (self.clone(), stop.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = door.attend(stream, &place) => {}
                    () = place.leave.cancelled() => {}
                    () = stop.cancelled() => {}
                }
            });
        }
    }

    async fn attend(self, stream: TcpStream, place: &Arc<Place>) {
        let _ = stream.set_nodelay(true);
        let answer = service_fn(move |request| {
            let (door, place) = (self.clone(), Arc::clone(place));
            async move { Ok::<_, Infallible>(door.answer(request, &place).await) }
        });
        let _ = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_LIMIT)
            .serve_connection(TokioIo::new(stream), answer)
            .await;
    }

    async fn answer(&self, request: Request<Incoming>, place: &Arc<Place>) -> Answer {
        if !is_plain(&request) {
            return refusal(StatusCode::BAD_REQUEST, "it says two things at once");
        }
        if request.uri().path() != PATH {
            return refusal(StatusCode::NOT_FOUND, "there is nothing here");
        }
        if !self.lets_in(&request) {
            return refusal(StatusCode::FORBIDDEN, "pages may not ask here");
        }
        let shown = header(&request, &AUTHORIZATION);
        if self.token.as_ref().is_some_and(|token| !token.is_shown_by(shown)) {
            let mut refused = refusal(StatusCode::UNAUTHORIZED, "show the token of this server");
            refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return refused;
        }
        // Only whoever may come in can be at work; the others stay as idle as if they said nothing.
        let Some(work) = place.work() else {
            return refusal(StatusCode::SERVICE_UNAVAILABLE, "too many connections");
        };
        let received = match Received::of(request, MAX_REQUEST, BODY_LIMIT).await {
            Ok(received) => received,
            Err((status, said)) => return refusal(status, said),
        };
        let answer = received.answered(self.service.handle(received.request()).await);
        answer.map(|body| Sent { body, _work: work }.boxed())
    }

    /// Whether a request comes from no page, from one that the user named, or from this very address, where there are
    /// none but this server's own. By which names it may be asked for is looked at after that.
    fn lets_in(&self, request: &Request<Incoming>) -> bool {
        if !request.headers().contains_key(ORIGIN) {
            return true;
        }
        let Some(page) = header(request, &ORIGIN).and_then(origin) else { return false };
        let own = header(request, &HOST).and_then(|host| origin(&format!("http://{host}")));
        self.origins.contains(&page) || own.is_some_and(|own| own == page)
    }
}

/// Whether a request says once who asks, from where, for whom. Of several one would be looked at, and another might count
/// elsewhere. An address in the first line counts more than `Host`, so there it must be the same.
fn is_plain(request: &Request<Incoming>) -> bool {
    let once = [HOST, ORIGIN, AUTHORIZATION, SESSION]
        .iter()
        .all(|name| request.headers().get_all(name).iter().count() <= 1);
    let named = request.uri().authority();
    once && named.is_none_or(|named| header(request, &HOST) == Some(named.as_str()))
}

/// Where a page is from; nothing for one that hides it.
fn origin(page: &str) -> Option<Origin> {
    url::Url::parse(page).ok().map(|page| page.origin()).filter(Origin::is_tuple)
}

fn header<'a>(request: &'a Request<Incoming>, name: &HeaderName) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

fn refusal(status: StatusCode, said: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(said.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}
