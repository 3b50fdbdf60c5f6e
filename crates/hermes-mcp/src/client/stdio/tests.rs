//! What is read of a server's lines, and what leaves.

use futures_util::FutureExt;
use hermes_host::Clock;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientResult};
use tokio::io::AsyncReadExt;

use super::*;
use crate::secrets::Cover;

fn call(id: i64, tool: &'static str) -> TxJsonRpcMessage<RoleClient> {
    let request = CallToolRequest::new(CallToolRequestParams::new(tool));
    JsonRpcMessage::request(ClientRequest::CallToolRequest(request), RequestId::Number(id))
}

#[tokio::test]
async fn a_request_of_the_sdk_that_is_withdrawn_before_it_leaves_never_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("log"), Clock::system(), Cover::default());
    let (writer, mut reader) = tokio::io::duplex(16);
    let sent = Sent::default();
    let mut transport = StdioTransport::new(tokio::io::empty(), writer, sent.clone(), log);
    let leaving = [(1, "first"), (2, "second")].map(|(id, tool)| transport.queue(&call(id, tool)).unwrap());
    let withdrawn = [1, 2, 3].map(|id| sent.withdraw(&RequestId::Number(id)).0);
    assert_eq!(withdrawn, [true, false, false]);
    let early = transport.queue(&call(3, "third")).unwrap();
    let calls = transport.calls.clone();
    transport.close().await.unwrap();
    let mut text = String::new();
    reader.read_to_string(&mut text).await.unwrap();
    assert!(text.contains("first") && !text.contains("second") && !text.contains("third"), "{text}");
    // The SDK hears of it, so that it forgets them, too.
    let [first, second] = leaving;
    first.await.unwrap();
    second.await.unwrap_err();
    early.await.unwrap_err();
    assert_eq!(calls.only(), Some(RequestId::Number(1)));
    assert!(sent.is_empty(), "{sent:?}");
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_ends_its_call() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        br#"{"jsonrpc":"2.0","id":7}"#.as_slice(),
        br#"{"jsonrpc":"2.0","id":7,"result":{"content":7},"error":7}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"te"#,
    ] {
        let log = Log::at(folder.path().join("log"), Clock::system(), Cover::default());
        let input = [line, b"\n"].concat();
        let mut transport = StdioTransport::new(&*input.leak(), tokio::io::sink(), Sent::default(), log);
        let shown = String::from_utf8_lossy(line).into_owned();
        match transport.receive().await {
            Some(JsonRpcMessage::Error(error)) => {
                assert_eq!(error.id, Some(RequestId::Number(7)), "{shown}");
            }
            other => panic!("{shown}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn an_error_that_names_no_request_ends_the_one_call_that_could_not_be_read() {
    let folder = tempfile::tempdir().unwrap();
    for (code, has_left, ends) in [
        (-32700, true, true),
        (-32600, true, true),
        (-32700, false, false),
        (-32601, true, false),
        (-32602, true, false),
        (-32000, true, false),
    ] {
        let log = Log::at(folder.path().join("log"), Clock::system(), Cover::default());
        let input =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{{\"code\":{code},\"message\":\"no\"}}}}\n");
        // One that waits has no reader yet.
        let (writer, _reader) = tokio::io::duplex(16);
        let mut transport = StdioTransport::new(tokio::io::empty(), writer, Sent::default(), log.clone());
        let before = (!has_left).then(|| transport.outbox.as_ref().unwrap().send(vec![b' '; 64], || true));
        let leaving = transport.queue(&call(1, "t")).unwrap();
        let id = match transport.read(Frame::Line(input.into_bytes())) {
            Some(JsonRpcMessage::Error(error)) => error.id,
            other => panic!("{code}: {other:?}"),
        };
        assert_eq!(id, ends.then_some(RequestId::Number(1)), "{code} {has_left}");
        assert_eq!(log.recent().is_empty(), ends, "{code} {has_left}: what is about nobody is kept");
        drop((before, leaving));
    }
}

#[tokio::test]
async fn one_odd_place_costs_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let deep = ["[".repeat(500), "]".repeat(500)].concat();
    for odd in [&b"\"a\xff\xfeb\""[..], br#""\ud800""#, b"NaN", deep.as_bytes()] {
        let log = Log::at(folder.path().join("log"), Clock::system(), Cover::default());
        let line = [
            &br#"{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"odd":"#[..],
            odd,
            b"}}}\n",
        ];
        let input = line.concat();
        let mut transport = StdioTransport::new(&*input.leak(), tokio::io::sink(), Sent::default(), log);
        let received = transport.receive().await;
        assert!(matches!(received, Some(JsonRpcMessage::Response(_))), "{odd:?}: {received:?}");
    }
}

#[tokio::test]
async fn messages_of_one_line_come_one_by_one_and_marks_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("log"), Clock::system(), Cover::default());
    let input = b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n\
        [{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}]\n";
    let mut transport = StdioTransport::new(&input[..], tokio::io::sink(), Sent::default(), log);
    for expected in 1..=3 {
        match transport.receive().await {
            Some(JsonRpcMessage::Response(response)) => {
                assert_eq!(response.id, RequestId::Number(expected))
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(transport.receive().await.is_none());
}

#[tokio::test]
async fn a_server_that_asks_and_does_not_listen_is_not_read_from() {
    const ASKED: usize = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let log = Log::at(folder.path().join("log"), Clock::system(), Cover::default());
    let input = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(ASKED);
    let (writer, mut reader) = tokio::io::duplex(16);
    let mut transport = StdioTransport::new(&*input.into_bytes().leak(), writer, Sent::default(), log);
    let mut asked = 0;
    while let Some(received) = transport.receive().now_or_never() {
        assert!(matches!(received, Some(JsonRpcMessage::Request(_))), "{received:?} after {asked}");
        let pong = JsonRpcMessage::response(ClientResult::empty(()), RequestId::Number(1));
        drop(transport.queue(&pong).unwrap());
        asked += 1;
    }
    assert!((1_000..10_000).contains(&asked), "{asked} were read");
    // It goes on as soon as the server listens.
    let (received, read) = tokio::join!(transport.receive(), async {
        let mut heard = [0; 4096];
        reader.read_exact(&mut heard).await
    });
    assert!(read.is_ok() && matches!(received, Some(JsonRpcMessage::Request(_))), "{received:?}");
}
