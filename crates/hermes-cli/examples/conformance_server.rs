//! The MCP server of Hermes with the tools that MCP's conformance suite calls by name, instead of a session of
//! Hermes. `cargo xtask conformance` runs the suite against it.
//!
//! usage: conformance_server PORT

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{Effect, ErrorCode, ToolCall, ToolError, ToolOutcome};
use hermes_mcp::{Assistant, Backend, Elicitation, Elicited, HttpOptions, Offer, Progress, serve_http};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// One red pixel, and a sound without samples.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

struct Fixture {
    changes: watch::Receiver<u64>,
    stored: Mutex<Vec<Arc<Value>>>,
}

impl Fixture {
    /// Data behind a handle, as a session stores what no text can hold.
    fn attach(&self, kind: &str, mime_type: &str, data: &str, uri: Option<&str>) -> Value {
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        stored.push(Arc::new(json!({"type": kind, "mime_type": mime_type, "data": data})));
        let handle = format!("{}{}", hermes_core::handle::SCHEME, stored.len() - 1);
        json!({"type": kind, "mime_type": mime_type, "uri": uri, "handle": handle})
    }

    async fn run(&self, call: &ToolCall, client: &dyn Assistant) -> Result<Value, ToolError> {
        let text = |key: &str| call.arguments.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let result = match call.name.as_str() {
            "test_simple_text" => json!({"result": "This is a simple text response for testing."}),
            "test_image_content" => json!({"attachments": [self.attach("image", "image/png", PNG, None)]}),
            "test_audio_content" => json!({"attachments": [self.attach("audio", "audio/wav", WAV, None)]}),
            "test_embedded_resource" => {
                let resource =
                    self.attach("resource", "text/plain", "aGVsbG8=", Some("test://embedded-resource"));
                json!({ "attachments": [resource] })
            }
            "test_multiple_content_types" => {
                let image = self.attach("image", "image/png", PNG, None);
                let uri = Some("test://mixed-content-resource");
                let resource = self.attach("resource", "application/json", "e30=", uri);
                json!({"result": "Multiple content types test:", "attachments": [image, resource]})
            }
            "test_error_handling" => {
                let said = "This tool intentionally returns an error for testing";
                return Err(ToolError::new(ErrorCode::ExecFailed, said));
            }
            "test_tool_with_progress" => {
                for done in [0.0, 50.0, 100.0] {
                    client.progress("", Progress { done, total: Some(100.0), message: None });
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                json!({"result": "done"})
            }
            "test_sampling" | "test_input_required_result_sampling" => {
                let prompt = match text("prompt") {
                    empty if empty.is_empty() => "What is the capital of France?".to_owned(),
                    prompt => prompt,
                };
                let content = json!({"type": "text", "text": prompt});
                let request = json!({"messages": [{"role": "user", "content": content}], "maxTokens": 100});
                let answer = client
                    .sample("", request)
                    .await
                    .map_err(|error| ToolError::new(ErrorCode::Unavailable, error))?;
                let said = answer.pointer("/content/text").and_then(Value::as_str).unwrap_or_default();
                json!({"result": format!("LLM response: {said}")})
            }
            "test_elicitation" => {
                let field = |about: &str| json!({"type": "string", "description": about});
                let fields =
                    json!({"username": field("User's response"), "email": field("User's email address")});
                elicit(client, &text("message"), fields, json!(["username", "email"])).await?
            }
            "test_elicitation_sep1034_defaults" => {
                let fields = json!({
                    "name": {"type": "string", "default": "John Doe"},
                    "age": {"type": "integer", "default": 30},
                    "score": {"type": "number", "default": 95.5},
                    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                    "verified": {"type": "boolean", "default": true},
                });
                elicit(client, "Please check", fields, json!([])).await?
            }
            "test_elicitation_sep1330_enums" => {
                let plain = json!(["option1", "option2", "option3"]);
                let titled = json!([
                    {"const": "value1", "title": "First Option"},
                    {"const": "value2", "title": "Second Option"},
                    {"const": "value3", "title": "Third Option"},
                ]);
                let fields = json!({
                    "untitledSingle": {"type": "string", "enum": plain},
                    "titledSingle": {"type": "string", "oneOf": titled},
                    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                                   "enumNames": ["Option One", "Option Two", "Option Three"]},
                    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
                    "titledMulti": {"type": "array", "items": {"anyOf": titled}},
                });
                elicit(client, "Please choose", fields, json!([])).await?
            }
            "test_input_required_result_elicitation" => {
                let fields = json!({"name": {"type": "string"}});
                elicit(client, "What is your name?", fields, json!(["name"])).await?
            }
            _ => json!({"result": "ok"}),
        };
        Ok(result)
    }
}

async fn elicit(
    client: &dyn Assistant,
    message: &str,
    fields: Value,
    required: Value,
) -> Result<Value, ToolError> {
    if !client.shows_forms() {
        return Err(ToolError::new(ErrorCode::Unavailable, "the client shows no forms"));
    }
    let schema = json!({"type": "object", "properties": fields, "required": required});
    let asked = Elicitation::Form { message: message.to_owned(), schema };
    Ok(json!({"result": match client.elicit("", asked).await {
        Elicited::Accepted(content) => format!("User response: action: accept, content: {}", content.unwrap_or_default()),
        Elicited::Declined => "User response: action: decline".to_owned(),
        Elicited::Cancelled => "User response: action: cancel".to_owned(),
    }}))
}

const TOOLS: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
];

/// The schema that the suite wants to find again, word for word.
fn rich_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
            "street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

impl Backend for Fixture {
    fn offers(&self) -> BoxFuture<'_, Vec<Offer>> {
        let offer = |name: &str, parameters: Value| Offer {
            name: name.to_owned(),
            description: format!("The suite's {name}"),
            parameters,
            effect: Effect::ReadOnly,
            idempotent: true,
        };
        let free = json!({"type": "object", "properties": {}});
        let headed = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}}});
        let mut offers: Vec<Offer> = TOOLS.iter().map(|name| offer(name, free.clone())).collect();
        offers.push(offer("json_schema_2020_12_tool", rich_schema()));
        offers.push(offer("test_custom_header", headed));
        Box::pin(std::future::ready(offers))
    }

    fn call(
        &self,
        call: ToolCall,
        client: Arc<dyn Assistant>,
        _: CancellationToken,
    ) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            let result = self.run(&call, &*client).await;
            let (call_id, tool) = (call.id, call.name);
            ToolOutcome { call_id, tool, result, notes: Vec::new(), duration: Duration::ZERO, ran: true }
        })
    }

    fn stored<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, Option<Arc<Value>>> {
        let number = handle.strip_prefix(hermes_core::handle::SCHEME).and_then(|id| id.parse::<usize>().ok());
        let stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        Box::pin(std::future::ready(number.and_then(|number| stored.get(number).cloned())))
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    let (_changed, changes) = watch::channel(0);
    let backend = Arc::new(Fixture { changes, stored: Mutex::default() });
    let options = HttpOptions { token: None, hosts: Vec::new(), origins: Vec::new() };
    serve_http(listener, backend, options, CancellationToken::new()).await?;
    Ok(())
}
