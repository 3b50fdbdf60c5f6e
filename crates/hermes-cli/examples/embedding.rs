//! A program with a tool of its own, calling it as a model would.

use std::sync::Arc;

use hermes_core::{Owner, ToolCall};
use hermes_kit::prelude::*;
use hermes_runtime::{NobodyToAsk, Parts, Runtime, SessionOptions, registry::Registry};

/// Greet somebody by name.
#[derive(Deserialize, JsonSchema)]
struct Greet {
    /// Who to greet.
    name: String,
}

struct Greeter;

impl Tool for Greeter {
    type Args = Greet;
    type Output = serde_json::Value;
    const META: ToolMeta = ToolMeta::new("greet", "example", Effect::None);
    fn new(_host: &Host) -> Self {
        Greeter
    }
    async fn call(&self, args: Greet, _cx: &CallContext) -> Result<serde_json::Value, ToolError> {
        Ok(json!({"greeting": format!("Hello, {}!", args.name)}))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = Host::new(hermes_host::Env::of_process(), std::env::temp_dir());
    let registry = Registry::new([]);
    registry.register(Owner::Host, hermes_kit::erase::<Greeter>(&host))?;
    let runtime = Runtime::new(Parts::new(registry, Arc::new(host.workspace)));
    let policy = Arc::new(hermes_policy::Rules::default());
    let session =
        runtime.session(SessionOptions::new(std::env::current_dir()?, policy, Arc::new(NobodyToAsk)));
    let call = ToolCall::new("call_1", "greet", json!({"name": "Ada"}));
    let outcome = session.call(call, &Default::default()).await;
    serde_json::to_writer(std::io::stdout(), &outcome.to_wire_with_status())?;
    runtime.shut_down().await;
    Ok(())
}
