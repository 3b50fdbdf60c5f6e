//! A program with a tool of its own, calling it as a model would.

use std::sync::Arc;

use hermes_core::{Owner, ToolCall};
use hermes_host::Env;
use hermes_kit::prelude::*;
use hermes_policy::{Pattern, Rules};
use hermes_runtime::registry::Registry;
use hermes_runtime::{NobodyToAsk, Parts, Runtime, SessionOptions};

/// Greet somebody by name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Who to greet.
    name: String,
}

#[derive(Serialize)]
struct Output {
    greeting: String,
}

struct Greet;

impl Tool for Greet {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta::new("greet", "example", Effect::None);

    fn new(_host: &Host) -> Self {
        Greet
    }

    async fn call(&self, args: Args, _cx: &CallContext) -> Result<Output, ToolError> {
        Ok(Output { greeting: format!("Hello, {}!", args.name) })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = Host::new(Env::of_process(), std::env::temp_dir());
    let registry = Registry::new([]);
    registry.register(Owner::Host, hermes_kit::erase::<Greet>(&host))?;
    let runtime = Runtime::new(Parts::new(registry, Arc::new(host.workspace.clone())));

    let policy = Rules { name: "mine".to_owned(), allow: vec![Pattern::parse("*")?], ..Rules::default() };
    let options = SessionOptions::new(std::env::current_dir()?, Arc::new(policy), Arc::new(NobodyToAsk));
    let session = runtime.session(options);

    let call = ToolCall::new("call_1", "greet", json!({"name": "Ada"}));
    let outcome = session.call(call, &Default::default()).await;
    std::io::Write::write_all(
        &mut std::io::stdout(),
        json!(outcome.to_wire_with_status()).to_string().as_bytes(),
    )?;
    runtime.shut_down().await;
    Ok(())
}
