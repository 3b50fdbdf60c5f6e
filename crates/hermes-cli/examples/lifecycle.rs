//! A tool that opens something once, shares it between calls and closes it at the end.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hermes_host::Env;
use hermes_kit::prelude::*;
use hermes_policy::Rules;
use hermes_runtime::registry::Registry;
use hermes_runtime::{NobodyToAsk, Parts, Runtime, SessionOptions, ToolCall};

/// Count how often this was called.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {}

#[derive(Serialize)]
struct Output {
    count: u64,
}

struct Counter {
    count: AtomicU64,
}

impl Tool for Counter {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta::new("count", "example", Effect::Session);
    const HAS_LIFECYCLE: bool = true;

    fn new(_host: &Host) -> Self {
        Counter { count: AtomicU64::new(0) }
    }

    /// Once, before the first call; an error makes the tool unavailable and is tried again later.
    async fn setup(&self) -> Result<(), ToolError> {
        self.count.store(100, Ordering::SeqCst);
        Ok(())
    }

    async fn call(&self, _args: Args, _cx: &CallContext) -> Result<Output, ToolError> {
        Ok(Output { count: self.count.fetch_add(1, Ordering::SeqCst) + 1 })
    }

    /// Once, after the last call: when the tool is replaced or removed, or the runtime shuts down.
    async fn teardown(&self) {
        self.count.store(0, Ordering::SeqCst);
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = Host::new(Env::of_process(), std::env::temp_dir());
    let registry = Registry::of_host([hermes_kit::erase::<Counter>(&host)])?;
    let runtime = Runtime::new(Parts::new(registry, Arc::new(host.workspace.clone())));
    let options =
        SessionOptions::new(std::env::current_dir()?, Arc::new(Rules::default()), Arc::new(NobodyToAsk));
    let session = runtime.session(options);
    for n in 1..=2 {
        let call = ToolCall::new(format!("call_{n}"), "count", json!({}));
        let outcome = session.call(call, &Default::default()).await;
        writeln!(std::io::stdout(), "{}", json!(outcome.to_wire_with_status()))?;
    }
    runtime.shut_down().await;
    Ok(())
}
