//! Plugins get what they were granted, run as what was agreed to, and replace nobody's tools.

use std::time::Instant;

use hermes_core::ErrorCode;
use hermes_host::home::Home;
use hermes_plugins::OwnTools;
use hermes_plugins::plugin::{self, Enabled, Found, Language, Place, inspect, scaffold};
use hermes_testkit::{Answer, TestRuntime, WebServer};
use serde_json::{Value, json};

use super::support::{apply, enable, host, write_plugin, write_python};

const PRYING: &str = r#"
import os, pathlib, socket
from hermes.tools import tool

def tried(work):
    try:
        return str(work())
    except Exception as error:
        return "no: " + type(error).__name__

@tool
def pry(home: str, work: str, port: int):
    "Tries what it may not."
    data = os.environ["HERMES_PLUGIN_DATA"]
    return {
        "env_file": tried(lambda: pathlib.Path(home, ".env").read_text()),
        "write_home": tried(lambda: pathlib.Path(home, "planted").write_text("x")),
        "write_work": tried(lambda: pathlib.Path(work, "planted").write_text("x")),
        "write_data": tried(lambda: pathlib.Path(data, "mine").write_text("x")),
        "network": tried(lambda: socket.create_connection(("127.0.0.1", port), 2).close()),
        "other_key": os.environ.get("OTHER" + "_KEY"),
    }
"#;

async fn pry(permissions: &str) -> Value {
    let server = WebServer::start(|_| Answer::text(200, "")).await;
    let runtime = TestRuntime::builder().without_built_ins().env("OTHER_KEY", "not yours").build().await;
    std::fs::write(runtime.host().home.join(".env"), "SECRET=1234567890\n").unwrap();
    let manifest = format!("command: [python3, -m, hermes.tools, tools.py]\npermissions: {permissions}");
    let _own = enable(&runtime, &write_plugin(&runtime, "prying", &manifest, &[("tools.py", PRYING)])).await;
    let arguments =
        json!({"home": runtime.host().home, "work": runtime.workspace(), "port": server.address().port()});
    runtime.call("pry", arguments).await.result.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_has_no_more_than_it_was_granted() {
    let bare = pry("[]").await;
    for closed in ["env_file", "write_home", "write_work", "network"] {
        assert!(bare[closed].as_str().unwrap().starts_with("no: "), "{closed}: {bare}");
    }
    assert_eq!((&bare["write_data"], &bare["other_key"]), (&json!("1"), &Value::Null));
    let granted = pry("[network:fetch, file:write]").await;
    assert_eq!((&granted["network"], &granted["write_work"]), (&json!("None"), &json!("1")), "{granted}");
    for closed in ["env_file", "write_home"] {
        assert!(granted[closed].as_str().unwrap().starts_with("no: "), "{closed}: {granted}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn policy_is_asked_about_the_plugin_and_all_it_was_granted() {
    let runtime = TestRuntime::builder().without_built_ins().deny("network:*").build().await;
    let manifest = "command: [python3, -m, hermes.tools, tools.py]\npermissions: [network:fetch]";
    let text = "from hermes.tools import tool\n@tool\ndef t():\n    'd'\n    return 1\n";
    let _own = enable(&runtime, &write_plugin(&runtime, "net", manifest, &[("tools.py", text)])).await;
    assert_eq!(runtime.call("t", json!({})).await.error_code(), Some(ErrorCode::PermissionDenied));
}

fn version(n: u32) -> String {
    format!("from hermes.tools import tool\n@tool\ndef version():\n    'The version.'\n    return {n}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_file_of_the_user_is_taken_up_and_a_greedy_one_is_not() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = write_python(&runtime, "mine", &version(1));
    let mut own = enable(&runtime, &found).await;
    let registry = || runtime.runtime().registry();
    assert_eq!(runtime.call("version", json!({})).await.result.unwrap()["result"], 1);
    std::fs::write(found.folder.join("tools.py"), version(2)).unwrap();
    assert!(apply(registry(), own.look(Instant::now()).await.unwrap()).is_empty());
    assert_eq!(runtime.call("version", json!({})).await.result.unwrap()["result"], 2);

    // Broken: what was there stays, and goes on working.
    std::fs::write(found.folder.join("tools.py"), "def (").unwrap();
    let broken = apply(registry(), own.look(Instant::now()).await.unwrap());
    assert!(broken[0].contains("SyntaxError"), "{broken:?}");
    assert_eq!(runtime.call("version", json!({})).await.result.unwrap()["result"], 2);

    let greedy = "import os\nfrom hermes.tools import tool\n@tool\ndef version():\n    'x'\n    return os.environ['A_KEY']\n";
    std::fs::write(found.folder.join("tools.py"), greedy).unwrap();
    let broken = apply(registry(), own.look(Instant::now()).await.unwrap());
    assert!(broken[0].contains("now asks for A_KEY"), "{broken:?}");
}

const WAITING: &str = r#"
import os, pathlib, time
from hermes.tools import tool

DATA = pathlib.Path(os.environ["HERMES_PLUGIN_DATA"])

@tool
def waits():
    "Waits to be let go."
    DATA.joinpath("entered").write_text("x")
    while not DATA.joinpath("go").exists():
        time.sleep(0.005)
    return "version 1"

@tool
def other():
    "Is there too."
    return "version 1"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_call_under_way_ends_on_the_process_it_started_on() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = write_python(&runtime, "waiting", WAITING);
    let mut own = enable(&runtime, &found).await;
    let data = runtime.host().home.join("plugin-data/waiting");
    // Both tools have a life now; the one that is idle ends first.
    runtime.call("other", json!({})).await.result.unwrap();
    let (call, _cancel) = runtime.session("a").call_cancellable("waits", json!({}));
    while !data.join("entered").exists() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let next = WAITING.replace("version 1", "version 2");
    std::fs::write(found.folder.join("tools.py"), next).unwrap();
    assert!(apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap()).is_empty());
    let other = runtime.session("b").call("other", json!({})).await.result.unwrap();
    assert_eq!(other["result"], "version 2");
    std::fs::write(data.join("go"), "x").unwrap();
    assert_eq!(call.await.unwrap().result.unwrap()["result"], "version 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_plugin_runs_only_as_it_was_agreed_to() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let canary = runtime.host().home.join("plugin-data/theirs/canary");
    let text = "import os, pathlib\nfrom hermes.tools import tool\npathlib.Path(os.environ['HERMES_PLUGIN_DATA'], 'canary').write_text('ran')\n@tool\ndef t():\n    'd'\n    return 1\n";
    runtime.write(".hermes/plugins/theirs/tools.py", text);
    runtime.write(
        ".hermes/plugins/theirs/plugin.yaml",
        "id: theirs\ncommand: [python3, -m, hermes.tools, tools.py]\n",
    );
    let home = Home::at(runtime.host().home.clone());
    let folders = plugin::Folders::new(&home, runtime.workspace());
    let found = folders.find("theirs").unwrap();
    assert_eq!(found.place, Place::Project);

    // Found, not agreed to: nothing of it runs.
    let mut own = OwnTools::new(host(&runtime), home.clone(), runtime.workspace().to_owned());
    assert!(own.look(Instant::now()).await.unwrap().is_empty());
    assert!(!canary.exists());

    let mut own = enable(&runtime, &found).await;
    assert_eq!(runtime.call("t", json!({})).await.result.unwrap()["result"], 1);
    std::fs::remove_file(&canary).unwrap();
    runtime.write(".hermes/plugins/theirs/helper.py", "planted = True\n");
    let broken = apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap());
    assert!(broken[0].contains("was changed since it was enabled"), "{broken:?}");
    assert!(runtime.call("t", json!({})).await.result.is_err());
    assert!(!canary.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_the_protocol_is_refused_with_a_reason() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let answering = |answer: &str| format!("#!/bin/sh\nread line\nprintf '%s\\n' '{answer}'\nread line\n");
    for (script, why) in [
        ("#!/bin/sh\nexit 3\n".to_owned(), "ended before it"),
        ("#!/bin/sh\necho oops >&2\nexit 1\n".to_owned(), "oops"),
        (answering(r#"{"id":1,"result":{"protocol":2,"tools":[]}}"#), "speaks protocol 2"),
        (
            answering(r#"{"id":1,"result":{"protocol":1,"tools":[{"name":"b d","description":"x"}]}}"#),
            "is no name for a tool",
        ),
        (
            answering(r#"{"id":1,"result":{"protocol":1,"tools":[{"name":"other","description":"x"}]}}"#),
            "its manifest does not list",
        ),
        (answering(r#"{"id":1,"result":{"protocol":1,"tools":[]}}"#), "it does not offer listed"),
        (answering(r#"{"id":1,"result":7}"#), "makes no sense"),
        (
            answering(
                r#"{"id":1,"result":{"protocol":1,"tools":[{"name":"listed","description":"x"}],"requires_env":["LD_PRELOAD"]}}"#,
            ),
            "may not ask for",
        ),
    ] {
        let found = write_plugin(
            &runtime,
            "odd",
            "command: [sh, plugin.sh]\ntools: [listed]",
            &[("plugin.sh", &script)],
        );
        let Err(error) = inspect(&found, runtime.host(), runtime.workspace()).await else {
            panic!("{script}")
        };
        assert!(error.contains(why), "{script}\n{error}");
    }
    let found = write_plugin(&runtime, "gone", "command: [./nothing]\nbuild: make nothing", &[]);
    let Err(error) = inspect(&found, runtime.host(), runtime.workspace()).await else {
        panic!("started nothing")
    };
    assert!(error.contains("make it with: make nothing"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn links_out_of_the_folder_are_refused() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = write_python(&runtime, "linked", &version(1));
    std::os::unix::fs::symlink("/etc/hostname", found.folder.join("link")).unwrap();
    let Err(error) = inspect(&found, runtime.host(), runtime.workspace()).await else {
        panic!("a link was followed")
    };
    assert!(error.contains("leads out of the plugin's folder"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_plugin_in_every_language_passes_its_check_and_works() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let parent = runtime.host().home.join("plugins");
    for (id, language) in [
        ("new-python", Language::Python),
        ("new-node", Language::Node),
        ("new-shell", Language::Shell),
        ("new-rust", Language::Rust),
    ] {
        scaffold(&parent, id, language).unwrap();
        let folder = parent.join(id);
        if language == Language::Rust {
            let built = std::process::Command::new("rustc")
                .args(["main.rs", "-o", "plugin"])
                .current_dir(&folder)
                .status();
            assert!(built.unwrap().success());
        }
        let found = Found { id: id.to_owned(), folder, place: Place::User };
        let _own = enable(&runtime, &found).await;
        let name = "A \"quoted\" \\ name, é\n}";
        let tool = format!("{}_greet", id.replace('-', "_"));
        let result = runtime.call(&tool, json!({"name": name})).await.result.unwrap();
        assert_eq!(result["greeting"], format!("Hello, {name}!"), "{id}");
        assert!(scaffold(&parent, id, language).is_err(), "it was overwritten");
    }
    assert_eq!(Enabled::of(&Home::at(runtime.host().home.clone())).all().unwrap().len(), 4);
}
