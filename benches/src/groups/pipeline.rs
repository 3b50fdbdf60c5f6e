//! One call of a tool that does nothing, through the whole pipeline.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::ports::Journal;
use hermes_core::{ToolCall, ToolError};
use hermes_host::home::Home;
use hermes_host::state::{SqliteJournal, StateOptions};
use hermes_runtime::Session;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::table::Table;
use crate::{house, measure, peer};

const AT_ONCE: usize = 64;
const CALLS_EACH: usize = 200;

type Plain = Box<dyn Fn(Value) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync>;

pub fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    let plain = plain_call(&reactor);

    let without = session(folder.path(), None);
    let alone = sequential(&reactor, &without);
    table.time("journal off, one after another", alone).target(2e3).against("a plain boxed call", plain);
    let together = concurrent(&reactor, &without);
    table.time("journal off, 64 at once", together).target(2e3).against("a plain boxed call", plain);

    let journal = SqliteJournal::open(&Home::at(folder.path().join("home")), &StateOptions::default());
    let with = session(folder.path(), Some(Arc::new(journal.expect("a journal"))));
    let alone = sequential(&reactor, &with);
    table.time("journal on, one after another", alone).against("a plain boxed call", plain);
    let recorded = concurrent(&reactor, &with);
    table.time("journal on, 64 at once", recorded).target(20e3).against("a plain boxed call", plain);

    if let Some(theirs) = peer::dispatch(folder.path()) {
        table
            .time("hermes-agent, no journal, one after another", theirs)
            .against("ours, 64 at once", together);
    }
}

fn session(folder: &std::path::Path, journal: Option<Arc<dyn Journal>>) -> Session {
    let host = house::host(folder);
    let tools = vec![house::noop(&host)];
    house::session(&house::runtime(&host, tools, journal), "bench")
}

fn arguments() -> Value {
    // One value needs a repair, as in real life.
    json!({"path": "a.txt", "limit": "10", "all": false})
}

fn call() -> ToolCall {
    ToolCall::new("call_1", "noop", arguments())
}

/// What the handler would cost without a runtime: a boxed async function and a copy of the arguments.
fn plain_call(reactor: &tokio::runtime::Runtime) -> f64 {
    let plain: Plain = Box::new(|arguments| {
        Box::pin(async move {
            std::hint::black_box(arguments);
            Ok(json!({"ok": true}))
        })
    });
    let arguments = arguments();
    measure::each(|| reactor.block_on(plain(arguments.clone())))
}

fn sequential(reactor: &tokio::runtime::Runtime, session: &Session) -> f64 {
    let cancel = CancellationToken::new();
    reactor.block_on(measure::many(CALLS_EACH * 8, || async {
        for _ in 0..CALLS_EACH * 8 {
            let outcome = session.call(call(), &cancel).await;
            assert!(outcome.is_success(), "{outcome:?}");
        }
    }))
}

fn concurrent(reactor: &tokio::runtime::Runtime, session: &Session) -> f64 {
    reactor.block_on(measure::many(AT_ONCE * CALLS_EACH, || async {
        let tasks: Vec<_> = (0..AT_ONCE).map(|_| tokio::spawn(some_calls(session.clone()))).collect();
        for task in tasks {
            task.await.expect("a task that ends");
        }
    }))
}

async fn some_calls(session: Session) {
    let cancel = CancellationToken::new();
    for _ in 0..CALLS_EACH {
        assert!(session.call(call(), &cancel).await.is_success());
    }
}
