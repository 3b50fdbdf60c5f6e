//! Tools of the user's own: what they cost over what they wrap.

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use hermes_core::egress::Reach;
use hermes_core::{Owner, ToolCall};
use hermes_host::home::Home;
use hermes_host::{Host, Http};
use hermes_plugins::plugin::{self, Found, Place};
use hermes_plugins::yaml::{Consent, YamlFile, load, tools};
use hermes_plugins::{Change, OwnTools};
use hermes_policy::urls::UrlPolicy;
use hermes_runtime::Session;
use hermes_testkit::{Answer, WebServer};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::house;
use crate::measure::{self, Time};
use crate::process::{Cost, cost_of, hermes};
use crate::table::{Table, Unit};

const CALLS: usize = 200;
/// How often a tool and what it wraps are measured in turn, so that both meet the same machine.
const TURNS: usize = 5;
const PROCESSES: usize = 5;

/// A tool whose handler does nothing, so that what is left is the way there and back.
const PYTHON: &str = "
from hermes.tools import tool

@tool(effect='none')
def nothing(n: int = 0):
    'Does nothing.'
    return {'ok': True}

@tool(effect='none')
async def nothing_async(n: int = 0):
    'Does nothing, in a loop.'
    return {'ok': True}
";

pub fn run(table: &mut Table) {
    bombs_in_processes(table);
    bombs(table);
    let folder = tempfile::tempdir().expect("a folder");
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    reactor.block_on(async {
        let server = WebServer::start(|_| Answer::json(&json!({"ok": true}))).await;
        let mut host = house::host(folder.path());
        host.http = Http::new(Arc::new(UrlPolicy { allow_private: true, ..UrlPolicy::default() }));

        let session = yaml_session(folder.path(), &host, &server);
        let (mut through, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            through.push(calls(&session, "ask").await);
            server.forget();
            // Second, because the door chooses the crypto library that both clients use.
            bare.push(bare_client(&server).await);
        }
        let (through, bare) = (measure::least(through), measure::least(bare));
        table.time("a YAML request", through).target(bare.wall + 100e3).against("a bare client", bare.wall);
        table
            .add("a YAML request over a bare client, in cpu time", through.cpu - bare.cpu, Unit::Nanoseconds)
            .target(100e3);

        let session = python_session(folder.path(), &host).await;
        for (name, what) in [("nothing", "a Python function"), ("nothing_async", "a Python coroutine")] {
            let time = calls(&session, name).await;
            table.time(format!("{what} that does nothing, warm"), time).target(300e3);
        }
        session.runtime().shut_down().await;
    });
}

/// Texts made to exhaust their reader: the one that takes longest, beside a text that is only large.
fn bombs(table: &mut Table) {
    let http = Http::new(Arc::new(UrlPolicy::default()));
    let judge = |url: &str, reach: Reach| http.origin(url, reach).map_err(|error| error.message);
    let tool = "  - {name: t, description: d, type: command, command: [ls]}\n";
    let honest = format!("tools:\n{}", tool.repeat(100));
    let honest = measure::quick(|| load("tools.yaml", &honest, &judge).is_ok());
    let worst = hermes_testkit::yaml_bombs().into_iter().map(|(name, text, _)| {
        (name, measure::quick(|| assert!(load("tools.yaml", &text, &judge).is_err(), "{name}")))
    });
    if let Some((name, time)) = worst.max_by(|(_, one), (_, other)| one.wall.total_cmp(&other.wall)) {
        let row = table.time(format!("refuse the worst of all bombs: {name}"), time);
        row.target(100e6).against("a hundred honest tools", honest.wall);
    }
}

/// The same bombs as files, each refused by a process of its own: how long it ran and the most it held.
fn bombs_in_processes(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, file) = (hermes(), folder.path().join("bomb.yaml"));
    let mut worst = Cost { time: Time { wall: 0.0, cpu: 0.0 }, max_resident: 0.0, output_bytes: 0 };
    for (_, text, _) in hermes_testkit::yaml_bombs() {
        std::fs::write(&file, text).expect("a file");
        let mut refused = Command::new("sh");
        // The exit code of a file that is refused.
        refused.args(["-c", "\"$0\" tool validate \"$1\"; test $? -eq 5"]).arg(program).arg(&file);
        let cost = cost_of(PROCESSES, refused.env("HERMES_HOME", folder.path()));
        if cost.time.wall > worst.time.wall {
            worst.time = cost.time;
        }
        worst.max_resident = worst.max_resident.max(cost.max_resident);
    }
    table.time("hermes tool validate, on the slowest of all bombs", worst.time).target(100e6);
    table
        .add("hermes tool validate, on the largest of all bombs, resident", worst.max_resident, Unit::Bytes)
        .target(f64::from(64 << 20));
}

/// The same request by the client underneath, with nothing around it.
async fn bare_client(server: &WebServer) -> Time {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url = server.url("/x?n=1");
    measure::many(
        CALLS,
        || (),
        |()| async {
            for _ in 0..CALLS {
                let answer = client.get(&url).send().await.expect("an answer");
                std::hint::black_box(answer.bytes().await.expect("a body"));
            }
            server.forget();
        },
    )
    .await
}

async fn calls(session: &Session, name: &str) -> Time {
    measure::many(
        CALLS,
        || (),
        |()| async {
            for _ in 0..CALLS {
                let call = ToolCall::new("call", name, json!({"n": 1}));
                let outcome = session.call(call, &CancellationToken::new()).await;
                std::hint::black_box(outcome.result.expect("a result"));
            }
        },
    )
    .await
}

fn yaml_session(folder: &std::path::Path, host: &Host, server: &WebServer) -> Session {
    let file = folder.join("tools.yaml");
    let text = format!(
        "tools: [{{name: ask, description: d, type: http_wrapper, allow_private: true, endpoint: '{}', parameters: [{{name: n, type: integer}}]}}]",
        server.url("/x")
    );
    std::fs::write(&file, text).expect("a file");
    let specs = YamlFile::read(&file, "tools.yaml", host).expect("tools");
    let runtime = house::runtime(host, Vec::new(), None);
    runtime
        .registry()
        .replace_all(Owner::Yaml("bench".into()), tools(specs, host, &Consent::to_everything()));
    house::session_under("full_developer", &runtime, "bench")
}

async fn python_session(folder: &std::path::Path, host: &Host) -> Session {
    let home = Home::at(host.home.clone());
    let place = host.home.join("plugins/bench");
    std::fs::create_dir_all(&place).expect("a folder");
    std::fs::write(place.join("plugin.yaml"), "id: bench\ncommand: [python3, -m, hermes.tools, tools.py]\n")
        .expect("a manifest");
    std::fs::write(place.join("tools.py"), PYTHON).expect("a file");
    let found = Found { id: "bench".to_owned(), folder: place, place: Place::User };
    plugin::enable(&found, host, &home, folder).await.expect("a plugin that works");
    let runtime = house::runtime(host, Vec::new(), None);
    let mut own = OwnTools::new(host.clone(), home, folder.to_owned());
    for change in own.look(Instant::now()).await.expect("a look") {
        if let Change::Tools(owner, tools, _) = change {
            runtime.registry().replace_all(owner, tools);
        }
    }
    house::session_under("full_developer", &runtime, "bench")
}
