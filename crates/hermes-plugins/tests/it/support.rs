//! A runtime with the tools of one YAML text.

use std::sync::Arc;

use hermes_core::Owner;
use hermes_core::egress::Reach;
use hermes_core::yaml::Problem;
use hermes_host::{Host, Http};
use hermes_plugins::yaml::{Consent, ToolSpec, load, tools};
use hermes_policy::urls::UrlPolicy;
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
