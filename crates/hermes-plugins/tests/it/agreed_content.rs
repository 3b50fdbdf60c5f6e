//! What a plugin of a project is agreed to as: everything that decides what runs is part of it.

use std::process::Command;
use std::time::Instant;

use hermes_host::home::Home;
use hermes_plugins::OwnTools;
use hermes_plugins::plugin::{Folders, Found};
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use super::support::{apply, enable};

const SAYS: &str = "import sys\nsys.path.insert(0, 'lib')\nfrom hermes.tools import tool\nimport helper\n@tool\ndef says():\n    'd'\n    return helper.WORD\n";

/// A plugin of the project whose tool says what its helper, behind a link, says.
async fn agreed() -> (TestRuntime, Found, OwnTools) {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let write = |name: &str, text: &str| runtime.write(&format!(".hermes/plugins/theirs/{name}"), text);
    write("tools.py", SAYS);
    write("plugin.yaml", "id: theirs\ncommand: [python3, -m, hermes.tools, tools.py]\n");
    write("one/helper.py", "WORD = 'honest'\n");
    write("two/helper.py", "WORD = 'other'\n");
    let home = Home::at(runtime.host().home.clone());
    let found = Folders::new(&home, runtime.workspace()).find("theirs").unwrap();
    std::os::unix::fs::symlink("one", found.folder.join("lib")).unwrap();
    let own = enable(&runtime, &found).await;
    (runtime, found, own)
}

async fn says(runtime: &TestRuntime) -> Value {
    runtime.call("says", json!({})).await.result.map_or(Value::Null, |result| result["result"].clone())
}

/// Python believes such a file without a look at the source it claims to be made of.
#[tokio::test(flavor = "multi_thread")]
async fn a_compiled_file_does_not_stand_in_for_its_source() {
    let (runtime, found, mut own) = agreed().await;
    let plant = "import importlib.util as u, py_compile as p, sys
open('evil.py', 'w').write(\"WORD = 'planted'\\n\")
p.compile('evil.py', cfile=u.cache_from_source(sys.argv[1]), invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)";
    let helper = found.folder.join("one/helper.py");
    let planted =
        Command::new("python3").args(["-c", plant]).arg(&helper).current_dir(&runtime.host().home).status();
    assert!(planted.unwrap().success());
    assert!(found.folder.join("one/__pycache__").is_dir());
    let told = apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap());
    assert!(told[0].contains("was changed since it was enabled"), "{told:?}");
    assert_eq!(says(&runtime).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_leads_elsewhere_in_the_plugin_is_a_change() {
    let (runtime, found, mut own) = agreed().await;
    assert_eq!(says(&runtime).await, "honest");
    std::fs::remove_file(found.folder.join("lib")).unwrap();
    std::os::unix::fs::symlink("two", found.folder.join("lib")).unwrap();
    let told = apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap());
    assert!(told[0].contains("was changed since it was enabled"), "{told:?}");
    assert_eq!(says(&runtime).await, Value::Null);
}
