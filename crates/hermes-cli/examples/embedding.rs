//! A program with a tool of its own, calling it as a model would.

use std::{env, io::Write, sync::Arc};

use hermes_kit::prelude::*;
use hermes_runtime::{NobodyToAsk, Parts, Runtime, SessionOptions, ToolCall, registry::Registry};

/// Greet somebody by name.
#[derive(Deserialize, JsonSchema)]
struct Greet {
    /// Who to greet.
    name: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = Host::new(hermes_host::Env::of_process(), env::temp_dir());
    let greet = from_fn(&host, ToolMeta::new("greet", "example", Effect::None), async |args: Greet, _cx| {
        Ok(json!({"greeting": format!("Hello, {}!", args.name)}))
    });
    let runtime = Runtime::new(Parts::new(Registry::of_host([greet])?, Arc::new(host.workspace)));
    let (policy, nobody) = (Arc::new(hermes_policy::Rules::default()), Arc::new(NobodyToAsk));
    let session = runtime.session(SessionOptions::new(env::current_dir()?, policy, nobody));
    let calls = ["Ada", "Grace"].map(|name| ToolCall::new(name, "greet", json!({"name": name})));
    for outcome in session.call_all(calls.into(), &Default::default()).await {
        writeln!(std::io::stdout(), "{}", json!(outcome.to_wire_with_status()))?;
    }
    runtime.shut_down().await;
    Ok(())
}
