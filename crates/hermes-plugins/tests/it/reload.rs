//! Files change while calls run: every call ends on the tool it started with, and none is lost.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hermes_host::home::Home;
use hermes_plugins::{GRACE, OwnTools, Registered, RegisteredFile, Watch, Watched};
use hermes_testkit::{Answer, TestRuntime, TestSession, WebServer};
use serde_json::{Value, json};

use super::support::{apply, enable, host, write_python};

/// A tool that says its version in three places of its request.
fn versioned(server: &WebServer, version: u64) -> String {
    format!(
        "tools: [{{name: t, description: 'version {version}', type: http_wrapper, allow_private: true,
          endpoint: '{}', query: {{v: '{version}'}}, headers: {{x-version: '{version}'}}}}]",
        server.url(&format!("/{version}"))
    )
}

struct Place {
    runtime: TestRuntime,
    file: PathBuf,
    own: OwnTools,
}

async fn place(text: &str) -> Place {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let file = runtime.write("tools.yaml", text);
    let home = Home::at(runtime.host().home.clone());
    Registered::of(&home).add(RegisteredFile::agreeing(file.clone(), &[])).unwrap();
    let own = OwnTools::new(host(&runtime), home, runtime.workspace().to_owned());
    Place { runtime, file, own }
}

impl Place {
    async fn look(&mut self) -> Vec<String> {
        self.look_at(Instant::now()).await
    }

    async fn look_at(&mut self, now: Instant) -> Vec<String> {
        apply(self.runtime.runtime().registry(), self.own.look(now).await.unwrap())
    }

    fn names(&self) -> Vec<String> {
        let snapshot = self.runtime.runtime().registry().snapshot();
        snapshot.entries().map(|entry| entry.info().name.clone()).collect()
    }
}

/// As careful editors write: whole, then renamed.
fn replace(file: &Path, text: &str) {
    let next = file.with_extension("new");
    std::fs::write(&next, text).unwrap();
    std::fs::rename(next, file).unwrap();
}

const CALLS_PER_SECOND: u32 = 1_000;

/// Calls at a fixed rate, whether those before are answered or not, and a reload with every `each`-th of them.
/// Every single answer is looked at.
async fn reloads_under_load(reloads: u64, each: u64) {
    let server = WebServer::start(|seen| {
        let path = seen.target.split('?').next().unwrap().trim_start_matches('/').to_owned();
        let query = seen.target.split("v=").nth(1).unwrap_or_default().to_owned();
        Answer::json(&json!([path, query, seen.header("x-version")]))
    });
    let server = Arc::new(server.await);
    let mut place = place(&versioned(&server, 0)).await;
    assert!(place.look().await.is_empty());
    let session = place.runtime.main().clone();
    let current = Arc::new(AtomicU64::new(0));
    let (due_reloads, mut due) = tokio::sync::mpsc::unbounded_channel();
    let reloading = {
        let (server, current) = (Arc::clone(&server), Arc::clone(&current));
        tokio::spawn(async move {
            while let Some(version) = due.recv().await {
                rewrite(&mut place, &server, version).await;
                // Whoever calls from now on gets this version or a later one.
                current.store(version, Ordering::SeqCst);
            }
            place
        })
    };
    let (mut calls, started) = (tokio::task::JoinSet::new(), tokio::time::Instant::now());
    let mut late = Duration::ZERO;
    for number in 0..reloads * each {
        let moment = started + (Duration::from_secs(1) / CALLS_PER_SECOND) * u32::try_from(number).unwrap();
        tokio::time::sleep_until(moment).await;
        late = late.max(moment.elapsed());
        if number % each == 0 {
            due_reloads.send(number / each + 1).unwrap();
        }
        calls.spawn(one_call(session.clone(), Arc::clone(&current)));
        while let Some(done) = calls.try_join_next() {
            done.unwrap();
        }
    }
    while let Some(done) = calls.join_next().await {
        done.unwrap();
    }
    let seconds = started.elapsed().as_secs_f64();
    drop(due_reloads);
    let place = reloading.await.unwrap();
    let last = place.runtime.call("t", json!({})).await.result.unwrap();
    let newest = reloads.to_string();
    assert_eq!(last["data"], json!([newest, newest, newest]));
    let made = reloads * each;
    assert_eq!(made + 1, server.seen().len() as u64, "a call was lost or made twice");
    let rate = made as f64 / seconds;
    println!("{reloads} reloads, {made} calls in {seconds:.1} s: {rate:.0} a second, at most {late:?} late");
}

async fn one_call(session: TestSession, current: Arc<AtomicU64>) {
    let oldest = current.load(Ordering::SeqCst);
    let result = session.call("t", json!({})).await.result.unwrap();
    let data = result["data"].as_array().unwrap();
    assert!(data.iter().all(|version| *version == data[0]), "mixed: {data:?}");
    let version: u64 = data[0].as_str().unwrap().parse().unwrap();
    assert!(version >= oldest, "an old version came back: {version} after {oldest}");
}

/// Puts the next version in place, each time in another of the ways that editors have.
async fn rewrite(place: &mut Place, server: &WebServer, version: u64) {
    let text = versioned(server, version);
    match version % 3 {
        // Torn: cut short, then whole. A look in between must not take the tool away.
        0 => {
            std::fs::write(&place.file, &text[..text.len() / 2]).unwrap();
            assert_eq!(place.look().await.len(), 1);
            std::fs::write(&place.file, &text).unwrap();
        }
        1 => std::fs::write(&place.file, &text).unwrap(),
        _ => replace(&place.file, &text),
    }
    assert!(place.look().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_reloads_under_a_thousand_calls_a_second_lose_mix_and_fail_no_call() {
    reloads_under_load(1_000, 15).await;
}

#[tokio::test]
async fn a_broken_file_keeps_its_tools_and_is_told_of_once() {
    let server = WebServer::start(|_| Answer::text(200, "")).await;
    let mut place = place(&versioned(&server, 1)).await;
    assert!(place.look().await.is_empty());
    std::fs::write(&place.file, "tools: [{name: t, descripton: x}]").unwrap();
    let broken = place.look().await;
    assert_eq!(broken.len(), 1);
    assert!(broken[0].contains("tools.yaml:1:19: unknown key \"descripton\""), "{broken:?}");
    assert!(place.look().await.is_empty());
    assert_eq!(place.names(), ["t"]);
    std::fs::write(&place.file, versioned(&server, 2)).unwrap();
    assert!(place.look().await.is_empty());
    let snapshot = place.runtime.runtime().registry().snapshot();
    assert_eq!(snapshot.get("t").unwrap().info().description, "version 2");
}

#[tokio::test]
async fn a_vanished_file_is_waited_for_and_then_its_tools_go() {
    let server = WebServer::start(|_| Answer::text(200, "")).await;
    let mut place = place(&versioned(&server, 1)).await;
    let start = Instant::now();
    place.look_at(start).await;
    std::fs::remove_file(&place.file).unwrap();
    assert_eq!(place.look_at(start).await.len(), 1);
    assert!(place.own.is_waiting());
    assert!(place.look_at(start + GRACE / 2).await.is_empty());
    assert_eq!(place.names(), ["t"]);
    place.runtime.main().session.catalog().await;
    assert!(place.look_at(start + GRACE).await.is_empty());
    assert!(place.names().is_empty());
    assert!(!place.own.is_waiting());
    let generation = place.runtime.runtime().registry().generation();
    let gone = place.runtime.call("t", json!({})).await.result.unwrap_err();
    assert_eq!(gone.message, format!("the tool 't' was removed at generation {generation}"));
    std::fs::write(&place.file, versioned(&server, 2)).unwrap();
    place.look().await;
    assert_eq!(place.names(), ["t"]);
    Registered::of(&Home::at(place.runtime.host().home.clone())).remove(&place.file).unwrap();
    place.look().await;
    assert!(place.names().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_under_way_ends_on_the_tool_it_started_with() {
    let (release, gate) = std::sync::mpsc::channel::<()>();
    let gate = std::sync::Mutex::new(gate);
    let (entered, mut arrived) = tokio::sync::mpsc::unbounded_channel();
    let server = WebServer::start(move |seen| {
        let _ = entered.send(());
        if seen.target.starts_with("/1") {
            tokio::task::block_in_place(|| gate.lock().unwrap().recv().unwrap());
        }
        Answer::json(&json!(seen.header("x-version")))
    });
    let server = server.await;
    let mut place = place(&versioned(&server, 1)).await;
    place.look().await;
    let (call, _cancel) = place.runtime.call_cancellable("t", json!({}));
    arrived.recv().await.unwrap();
    std::fs::remove_file(&place.file).unwrap();
    let now = Instant::now();
    place.look_at(now).await;
    place.look_at(now + GRACE).await;
    assert!(place.names().is_empty());
    release.send(()).unwrap();
    assert_eq!(call.await.unwrap().result.unwrap()["data"], Value::from("1"));
}

#[tokio::test]
async fn a_watched_folder_tells_of_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.yaml");
    let mut watch = Watch::new().unwrap();
    let mut watched = Watched::default();
    watched.file(&file);
    watch.set(watched);
    std::fs::write(&file, "a").unwrap();
    watch.changed().await;
    std::fs::rename(&file, folder.path().join("b")).unwrap();
    watch.changed().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_deep_in_a_plugins_folder_is_told() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let text =
        "from hermes.tools import tool\nfrom parts.deep import N\n@tool\ndef n():\n    'N.'\n    return N\n";
    let found = write_python(&runtime, "deep", text);
    let part = found.folder.join("parts/deep.py");
    std::fs::create_dir(found.folder.join("parts")).unwrap();
    std::fs::write(&part, "N = 1\n").unwrap();
    let mut own = enable(&runtime, &found).await;
    let mut watch = Watch::new().unwrap();
    assert!(watch.set(own.watched()));
    assert!(!watch.set(own.watched()));
    assert_eq!(runtime.call("n", json!({})).await.result.unwrap()["result"], 1);
    std::fs::write(&part, "N = 2\n").unwrap();
    watch.changed().await;
    assert!(apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap()).is_empty());
    assert_eq!(runtime.call("n", json!({})).await.result.unwrap()["result"], 2);
    // A folder that is made later is watched from the next round on.
    std::fs::create_dir(found.folder.join("parts/more")).unwrap();
    watch.changed().await;
    assert!(watch.set(own.watched()));
}
