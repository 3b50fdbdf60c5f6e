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

use crate::measure::Time;
use crate::table::Table;
use crate::{house, measure, peer};

const AT_ONCE: usize = 64;
const CALLS: usize = 1_600;

type Plain = Box<dyn Fn(Value) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync>;

pub fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    let (name, base) = ("a plain boxed call", plain_calls(&reactor).wall);

    let without = session(folder.path(), None);
    let alone = sequential(&reactor, &without, right());
    table.time("journal off, one after another", alone).target(2e3).against(name, base);
    let repaired = sequential(&reactor, &without, repairable());
    table.time("journal off, one argument to repair", repaired).against(name, base);
    let together = concurrent(&reactor, &without);
    table.time("journal off, 64 at once", together).target(2e3).against(name, base);

    let journal = SqliteJournal::open(&Home::at(folder.path().join("home")), &StateOptions::default());
    let with = session(folder.path(), Some(Arc::new(journal.expect("a journal"))));
    let recorded = sequential(&reactor, &with, right());
    table.time("journal on, one after another", recorded).against(name, base);
    let recorded = concurrent(&reactor, &with);
    table.time("journal on, 64 at once", recorded).target(20e3).against(name, base);

    if let Some(theirs) = peer::dispatch(folder.path()) {
        table
            .time("hermes-agent, no journal, one after another", theirs)
            .against("ours, the same", alone.wall);
    }
}

fn session(folder: &std::path::Path, journal: Option<Arc<dyn Journal>>) -> Session {
    let host = house::host(folder);
    let tools = vec![house::noop(&host)];
    house::session(&house::runtime(&host, tools, journal), "bench")
}

fn right() -> Value {
    json!({"path": "a.txt", "limit": 10, "all": false})
}

fn repairable() -> Value {
    json!({"path": "a.txt", "limit": "10", "all": false})
}

fn calls(count: usize, arguments: &Value) -> Vec<ToolCall> {
    (0..count).map(|number| ToolCall::new(format!("call_{number}"), "noop", arguments.clone())).collect()
}

/// What the handler would cost without a runtime: a boxed async function and a copy of the arguments.
fn plain_calls(reactor: &tokio::runtime::Runtime) -> Time {
    let plain: Plain = Box::new(|arguments| {
        Box::pin(async move {
            std::hint::black_box(arguments);
            Ok(json!({"ok": true}))
        })
    });
    let (plain, arguments) = (&plain, &right());
    let work = |()| async move {
        for _ in 0..CALLS {
            std::hint::black_box(plain(arguments.clone()).await.expect("an answer"));
        }
    };
    reactor.block_on(measure::many(CALLS, || (), work))
}

fn sequential(reactor: &tokio::runtime::Runtime, session: &Session, arguments: Value) -> Time {
    let work = |calls| some_calls(session.clone(), calls);
    reactor.block_on(measure::many(CALLS, || calls(CALLS, &arguments), work))
}

fn concurrent(reactor: &tokio::runtime::Runtime, session: &Session) -> Time {
    let arguments = right();
    let batches = || (0..AT_ONCE).map(|_| calls(CALLS / 8, &arguments)).collect::<Vec<_>>();
    let work = |batches: Vec<Vec<ToolCall>>| async {
        let spawn = |calls| tokio::spawn(some_calls(session.clone(), calls));
        for task in batches.into_iter().map(spawn).collect::<Vec<_>>() {
            task.await.expect("a task that ends");
        }
    };
    reactor.block_on(measure::many(AT_ONCE * (CALLS / 8), batches, work))
}

async fn some_calls(session: Session, calls: Vec<ToolCall>) {
    let cancel = CancellationToken::new();
    for call in calls {
        let outcome = session.call(call, &cancel).await;
        assert!(outcome.is_success(), "{outcome:?}");
    }
}
