//! The HTTP door against real servers on loopback.

use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::egress::{Origin, Reach};
use hermes_core::{
    AccessRequest, Approval, Approver, CallContext, Decision, ErrorCode, Owner, Permission, Policy,
    SessionIdentity, ToolError, Verdict, authorise,
};
use hermes_host::Http;
use hermes_host::http::{Credential, HeaderName, Limits, Lookup, Method, Redirects, Request};
use hermes_policy::urls::UrlPolicy;
use hermes_testkit::{Answer, WebServer};
use tokio_util::sync::CancellationToken;

struct Yes;

impl Policy for Yes {
    fn decide(&self, _: &AccessRequest<'_>) -> Decision {
        Decision::new(Verdict::Allow, "test", "test")
    }
}

impl Approver for Yes {
    fn ask<'a>(&'a self, _: &'a AccessRequest<'a>, _: &'a Decision) -> BoxFuture<'a, Approval> {
        unreachable!("nothing is asked")
    }
}

/// The context of a call that was granted exactly these hosts.
async fn granted(origins: &[&Origin]) -> CallContext {
    let access: Vec<_> = origins.iter().map(|origin| origin.access(Permission::NETWORK_FETCH)).collect();
    let request = AccessRequest {
        call_id: "c",
        tool: "t",
        toolset: "t",
        owner: &Owner::BuiltIn,
        session: "s",
        actor: "user",
        cwd: Path::new("/"),
        shell: None,
        access: &access,
        arguments: &serde_json::Value::Null,
        effects: &[],
    };
    let permit = authorise(&Yes, &Yes, &request).await.unwrap();
    let session = SessionIdentity { id: "s".into(), actor: "user".into(), cwd: "/".into() };
    CallContext::new("c".into(), Arc::new(session), permit, Default::default(), Default::default())
}

/// A name server that answers as the test says.
pub(crate) struct Lying(pub(crate) &'static str, pub(crate) Vec<IpAddr>);

impl Lookup for Lying {
    fn lookup<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let answer = if name == self.0 { self.1.clone() } else { Vec::new() };
        Box::pin(std::future::ready(Ok(answer)))
    }
}

pub(crate) fn open() -> Http {
    Http::new(Arc::new(UrlPolicy { allow_private: true, ..UrlPolicy::default() }))
}

fn strict() -> Http {
    Http::new(Arc::new(UrlPolicy::default()))
}

pub(crate) async fn sent(http: &Http, request: Request) -> Result<(u16, Vec<u8>), ToolError> {
    let response = http.send_for_operator(request, CancellationToken::new()).await?;
    let status = response.status.as_u16();
    Ok((status, response.body.bytes().await?))
}

pub(crate) fn get(url: impl Into<String>) -> Request {
    Request::new(Method::GET, url)
}

#[tokio::test]
async fn a_request_goes_out_as_it_was_made() {
    let server = WebServer::start(|_| Answer::text(201, "hello")).await;
    let mut request = Request::new(Method::POST, server.url("/a%2Fb?x=1%262"));
    request.headers.insert("x-mine", "1".parse().unwrap());
    request.body = Some(b"body".to_vec());
    assert_eq!(sent(&open(), request).await.unwrap(), (201, b"hello".to_vec()));
    let seen = server.only();
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("POST", "/a%2Fb?x=1%262"));
    assert_eq!((seen.header("x-mine"), seen.body.as_slice()), (Some("1"), &b"body"[..]));
}

#[tokio::test]
async fn inner_addresses_are_closed_as_text_and_as_answers_of_a_name_server() {
    let server = WebServer::start(|_| Answer::text(200, "secret")).await;
    let error = sent(&strict(), get(server.url("/"))).await.unwrap_err();
    assert_eq!(
        (error.code, error.data["category"].as_str()),
        (ErrorCode::PermissionDenied, Some("loopback"))
    );

    // One public address beside the inner one does not help.
    let public: IpAddr = "93.184.216.34".parse().unwrap();
    let answers = vec![public, server.address().ip()];
    let http = Http::with_lookup(
        Arc::new(UrlPolicy::default()),
        Arc::new(Lying("rebind.test.example.com", answers)),
        vec![],
    );
    let url = format!("http://rebind.test.example.com:{}/", server.address().port());
    let error = sent(&http, get(url)).await.unwrap_err();
    assert_eq!(
        (error.code, error.data["category"].as_str()),
        (ErrorCode::PermissionDenied, Some("loopback"))
    );
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_name_is_connected_to_at_the_judged_address_and_keeps_its_name() {
    let server = WebServer::start(|_| Answer::text(200, "ok")).await;
    let guard = Arc::new(UrlPolicy { allow_private: true, ..UrlPolicy::default() });
    let http =
        Http::with_lookup(guard, Arc::new(Lying("inner.example.com", vec![server.address().ip()])), vec![]);
    let url = format!("http://inner.example.com:{}/x", server.address().port());
    assert_eq!(sent(&http, get(url)).await.unwrap().0, 200);
    let host = format!("inner.example.com:{}", server.address().port());
    assert_eq!(server.only().header("host"), Some(host.as_str()));
}

#[tokio::test]
async fn a_reach_that_the_operator_gave_ends_at_its_origin() {
    let inner = WebServer::start(|_| Answer::text(200, "inner")).await;
    let target = inner.url("/secret");
    let first = WebServer::start(move |_| Answer::redirect(302, &target)).await;
    let request = Request { reach: Reach::Local, ..get(first.url("/")) };
    let error = sent(&strict(), request).await.unwrap_err();
    assert_eq!(
        (error.code, error.data["category"].as_str()),
        (ErrorCode::PermissionDenied, Some("loopback"))
    );
    assert_eq!((first.seen().len(), inner.seen().len()), (1, 0));
}

#[tokio::test]
async fn a_host_outside_of_the_permit_is_not_asked_not_even_by_a_redirect() {
    let other = WebServer::start(|_| Answer::text(200, "other")).await;
    let target = other.url("/there");
    let first = WebServer::start(move |_| Answer::redirect(307, &target)).await;
    let http = open();
    let (here, there) = (
        http.origin(&first.url("/"), Reach::Public).unwrap(),
        http.origin(&other.url("/"), Reach::Public).unwrap(),
    );

    let error = http.send(&granted(&[&there]).await, get(first.url("/"))).await.unwrap_err();
    assert_eq!((error.code, first.seen().len()), (ErrorCode::PermissionDenied, 0));

    let error = http.send(&granted(&[&here]).await, get(first.url("/"))).await.unwrap_err();
    assert_eq!((error.code, other.seen().len()), (ErrorCode::PermissionDenied, 0));
    assert_eq!(error.data["redirected_to"], other.url("/there"));

    let response = http.send(&granted(&[&here, &there]).await, get(first.url("/"))).await.unwrap();
    assert_eq!((response.status.as_u16(), response.url), (200, other.url("/there")));
}

#[tokio::test]
async fn credentials_and_headers_stay_with_their_origin() {
    let other = WebServer::start(|_| Answer::text(200, "other")).await;
    let target = other.url("/there?q=1");
    let first = WebServer::start(move |seen| match seen.target.starts_with("/again") {
        true => Answer::redirect(302, &target),
        false => Answer::redirect(302, "/again"),
    })
    .await;
    let http = open();
    let home = http.origin(&first.url("/"), Reach::Public).unwrap();
    let credentials = [
        Credential::basic(home.clone(), "u", "p").unwrap(),
        Credential::bearer(home.clone(), "secret-token").unwrap(),
        Credential::header(home.clone(), HeaderName::from_static("x-key"), "secret-token").unwrap(),
        Credential::query(home.clone(), "api_key", "secret-token"),
    ];
    for credential in credentials {
        let mut request = get(first.url("/"));
        request.headers.insert("cookie", "session=1".parse().unwrap());
        request.credential = Some(credential);
        sent(&http, request).await.unwrap();
    }
    let with = |seen: &hermes_testkit::Seen| {
        seen.target.contains("api_key=secret-token")
            || seen.header("authorization").or(seen.header("x-key")).is_some()
    };
    let seen = first.seen();
    assert_eq!(seen.len(), 8);
    assert!(seen.iter().all(|seen| with(seen) && seen.header("cookie").is_some()), "{seen:#?}");
    let seen = other.seen();
    assert_eq!(seen.len(), 4);
    assert!(seen.iter().all(|seen| seen.target == "/there?q=1"), "{seen:#?}");
    assert!(seen.iter().all(|seen| !with(seen) && seen.header("cookie").is_none()), "{seen:#?}");
}

#[tokio::test]
async fn loops_end_and_a_redirect_can_be_had_as_it_is() {
    let server = WebServer::start(|_| Answer::redirect(302, "/again")).await;
    assert_eq!(sent(&open(), get(server.url("/"))).await.unwrap_err().code, ErrorCode::Network);
    assert_eq!(server.seen().len(), 11);
    let request = Request { redirects: Redirects::Return, ..get(server.url("/")) };
    assert_eq!(sent(&open(), request).await.unwrap().0, 302);
}

#[tokio::test]
async fn floods_are_cut_and_silence_ends() {
    let flood =
        WebServer::start(|_| Answer { repeat: 1 << 20, ..Answer::text(200, vec![b'x'; 16 * 1024]) }).await;
    let limits = Limits { max_body: 100_000, ..Limits::default() };
    let request = Request { limits, ..get(flood.url("/")) };
    assert_eq!(sent(&open(), request.clone()).await.unwrap_err().code, ErrorCode::TooLarge);
    let response = open().send_for_operator(request, CancellationToken::new()).await.unwrap();
    let (head, more) = response.body.head().await.unwrap();
    assert_eq!((head.len(), more), (100_000, true));

    // A listener that takes the connection and says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let limits = Limits { total: Some(Duration::from_millis(50)), ..Limits::default() };
    let asking = Request { limits, ..get(url.clone()) };
    assert_eq!(sent(&open(), asking).await.unwrap_err().code, ErrorCode::Timeout);
    // Nobody knows what became of a request that changes things.
    let changing = Request { limits, ..Request::new(Method::POST, url) };
    let error = sent(&open(), changing).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::OutcomeUnknown, false));
}

#[tokio::test]
async fn a_small_answer_that_unpacks_to_a_large_one_is_cut_too() {
    // 100,000 bytes of zeros, 1000 times over, as one gzip stream.
    let packed = gzip_of_zeros(100_000_000);
    assert!(packed.len() < 200_000);
    let server =
        WebServer::start(move |_| Answer::text(200, packed.clone()).header("content-encoding", "gzip")).await;
    let error = sent(&open(), get(server.url("/"))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::TooLarge);
}

#[tokio::test]
async fn a_cancelled_call_stops_waiting() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let request = get(format!("http://{}/", silent.local_addr().unwrap()));
    let cancel = CancellationToken::new();
    let (http, token) = (open(), cancel.clone());
    let waiting = tokio::spawn(async move { http.send_for_operator(request, token).await.map(|_| ()) });
    let _connection = silent.accept().await.unwrap();
    cancel.cancel();
    assert_eq!(waiting.await.unwrap().unwrap_err().code, ErrorCode::Cancelled);
}

#[tokio::test]
async fn a_closed_door_lets_nothing_pass() {
    let server = WebServer::start(|_| Answer::text(200, "")).await;
    assert_eq!(
        sent(&Http::closed(), get(server.url("/"))).await.unwrap_err().code,
        ErrorCode::PermissionDenied
    );
    assert!(server.seen().is_empty());
}

/// A gzip stream of so many zeros, packed by the program every system has.
fn gzip_of_zeros(count: usize) -> Vec<u8> {
    let script = format!("head -c {count} /dev/zero | gzip -9");
    let output = std::process::Command::new("sh").arg("-c").arg(script).output().unwrap();
    assert!(output.status.success());
    output.stdout
}
