//! A runtime with the tools of one YAML text.

use std::sync::Arc;
use std::time::Instant;

use hermes_core::Owner;
use hermes_core::egress::Reach;
use hermes_core::yaml::Problem;
use hermes_host::home::Home;
use hermes_host::{Host, Http};
use hermes_plugins::plugin::{self, Found, Place};
use hermes_plugins::yaml::{Consent, ToolSpec, load, tools};
use hermes_plugins::{Change, OwnTools};
use hermes_policy::urls::UrlPolicy;
use hermes_runtime::registry::{Registry, Set};
use hermes_testkit::TestRuntime;

/// The host of a test runtime, with a door that keeps to the usual rules for URLs.
pub(crate) fn host(runtime: &TestRuntime) -> Host {
    let mut host = runtime.host().clone();
    host.http = Http::new(Arc::new(UrlPolicy::default()));
    host
}

pub(crate) fn read(text: &str) -> Result<Vec<ToolSpec>, Vec<Problem>> {
    let http = Http::new(Arc::new(UrlPolicy::default()));
    let judge = |url: &str, reach: Reach| http.origin(url, reach).map_err(|error| error.message);
    load("tools.yaml", text, &judge)
}

/// The problems of a text, as a user reads them.
pub(crate) fn problems(text: &str) -> Vec<String> {
    match read(text) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// A runtime that has exactly these tools.
pub(crate) async fn runtime_with(text: &str) -> TestRuntime {
    runtime_in(text, &[]).await
}

/// The same, with these variables set.
pub(crate) async fn runtime_in(text: &str, env: &[(&str, &str)]) -> TestRuntime {
    let mut builder = TestRuntime::builder().without_built_ins();
    for (name, value) in env {
        builder = builder.env(name, value);
    }
    let runtime = builder.build().await;
    let specs = read(text).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let made = tools(specs, &host(&runtime), &Consent::to_everything());
    let report = runtime.runtime().registry().replace_all(Owner::Yaml("test".into()), made);
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    runtime
}

/// A plugin in the user's folder, with its files.
pub(crate) fn write_plugin(runtime: &TestRuntime, id: &str, manifest: &str, files: &[(&str, &str)]) -> Found {
    let folder = runtime.host().home.join("plugins").join(id);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("plugin.yaml"), format!("id: {id}\n{manifest}\n")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    Found { id: id.to_owned(), folder, place: Place::User }
}

/// A plugin of one Python file, without any permission.
pub(crate) fn write_python(runtime: &TestRuntime, id: &str, text: &str) -> Found {
    write_plugin(runtime, id, "command: [python3, -m, hermes.tools, tools.py]", &[("tools.py", text)])
}

/// Enables a plugin and puts its tools into the registry.
pub(crate) async fn enable(runtime: &TestRuntime, found: &Found) -> OwnTools {
    let home = Home::at(runtime.host().home.clone());
    plugin::enable(found, runtime.host(), &home, runtime.workspace()).await.unwrap();
    let mut own = OwnTools::new(host(runtime), home, runtime.workspace().to_owned());
    let broken = apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap());
    assert!(broken.is_empty(), "{broken:?}");
    own
}

/// Applies what changed and returns what was broken.
pub(crate) fn apply(registry: &Registry, changes: Vec<Change>) -> Vec<String> {
    let (mut sets, mut broken) = (Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::Tools(owner, tools, may_take) => sets.push(Set { owner, tools, may_take }),
            Change::Gone(owner) => sets.push(Set::new(owner, Vec::new())),
            Change::Broken(_, why) => broken.push(why),
            Change::Stopped(owner, why) => {
                sets.push(Set::new(owner, Vec::new()));
                broken.push(why);
            }
        }
    }
    assert!(registry.replace_sets(sets).refused.is_empty());
    broken
}
