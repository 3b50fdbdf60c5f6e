//! Tools in Python: the handbook's own examples, and what they may count on.

use hermes_core::ErrorCode;
use hermes_testkit::{Answer, TestRuntime, WebServer};
use serde_json::json;

use super::support::{enable, write_plugin, write_python};

/// Word for word the files of the handbook.
const WEATHER: &str = include_str!("fixtures/weather.py");
pub(crate) const DATABASE: &str = include_str!("fixtures/database.py");

/// Stands in for the package `requests`, and leads to a weather service on this machine that answers as
/// https://www.weatherapi.com/docs/ describes.
const REQUESTS: &str = "
import json, urllib.parse, urllib.request

class Response:
    def __init__(self, text):
        self.text = text
    def json(self):
        return json.loads(self.text)

def get(url, params=None, timeout=None):
    url = url.replace('https://api.weatherapi.com', 'http://ADDRESS')
    with urllib.request.urlopen(url + '?' + urllib.parse.urlencode(params), timeout=timeout) as answer:
        return Response(answer.read().decode())
";

#[tokio::test(flavor = "multi_thread")]
async fn the_weather_example_runs_as_given() {
    let server = WebServer::start(|_| {
        Answer::json(&json!({
            "location": {"name": "Berlin"},
            "current": {"temp_c": 7.5, "condition": {"text": "Rain"}},
            "forecast": {"forecastday": [{"date": "2026-01-01", "day": {"maxtemp_c": 9.0, "mintemp_c": 3.0}}]},
        }))
    })
    .await;
    let runtime =
        TestRuntime::builder().without_built_ins().env("WEATHER_API_KEY", "weather-key").build().await;
    let requests = REQUESTS.replace("ADDRESS", &server.address().to_string());
    let manifest = "command: [python3, -m, hermes.tools, weather.py]\npermissions: [network:fetch]";
    let found =
        write_plugin(&runtime, "weather", manifest, &[("weather.py", WEATHER), ("requests.py", &requests)]);
    let _own = enable(&runtime, &found).await;
    let catalog = runtime.main().session.catalog().await;
    let definition = &catalog.get("weather_query").unwrap().definition;
    let parameters = &definition["function"]["parameters"];
    assert_eq!(parameters["required"], json!(["city"]));
    assert_eq!(parameters["properties"]["days"], json!({"type": "integer", "default": 3}));
    let result =
        runtime.call("weather_query", json!({"city": "Berlin & co", "days": "2"})).await.result.unwrap();
    assert_eq!((&result["city"], &result["current_temp"]), (&json!("Berlin"), &json!(7.5)));
    assert_eq!(result["forecast"][0], json!({"date": "2026-01-01", "max": 9.0, "min": 3.0}));
    assert_eq!(server.only().target, "/v1/forecast.json?key=weather-key&q=Berlin+%26+co&days=2");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_weather_example_without_its_key_is_not_offered() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = write_python(&runtime, "weather", WEATHER);
    let _own = enable(&runtime, &found).await;
    let why = runtime.main().session.why("weather_query").await;
    assert!(why.contains("WEATHER_API_KEY is not set"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_example_runs_as_given() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = write_python(&runtime, "database", DATABASE);
    let _own = enable(&runtime, &found).await;
    let file = runtime.host().home.join("plugin-data/database/x.db");
    let connection = format!("sqlite:///{}", file.display());
    let query = |text: &str| {
        runtime.call(
            "database_query_advanced",
            json!({"dialect": "sqlite", "connection_string": connection, "query": text}),
        )
    };
    query("create table t (a integer, b text)").await.result.unwrap();
    query("insert into t values (1, 'x'), (2, 'y')").await.result.unwrap();
    let result = query("select a, b from t order by a").await.result.unwrap();
    assert_eq!((&result["rows"], &result["columns"]), (&json!([[1, "x"], [2, "y"]]), &json!(["a", "b"])));
    assert_eq!(result["row_count"], 2);
    let error = query("selec").await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::ExecFailed);
    assert!(error.message.contains("syntax error"), "{error}");
}

const SCHEMAS: &str = r#"
from __future__ import annotations
import dataclasses, enum
from typing import Dict, List, Literal, Optional
from hermes.tools import tool, ToolContext

class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

@tool
def everything(a: str, b: List[int], c: Optional[float] = None, d: Literal["x", "y"] = "x", e: Colour = None,
               f: Dict[str, bool] = None, g: Point = None, context: ToolContext = None, h=1):
    """Take all kinds of things.

    Args:
        a: The first.
        b (list): The second.
    """
    return {"a": a, "call": context.call_id, "cwd": context.cwd}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn schemas_come_from_hints_and_docstrings() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "schemas", SCHEMAS)).await;
    let snapshot = runtime.runtime().registry().snapshot();
    let info = snapshot.get("everything").unwrap().info().clone();
    assert_eq!(info.description, "Take all kinds of things.");
    assert_eq!(
        info.parameters,
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "string", "description": "The first."},
                "b": {"type": "array", "items": {"type": "integer"}, "description": "The second."},
                "c": {"type": ["number", "null"]},
                "d": {"enum": ["x", "y"], "type": "string", "default": "x"},
                "e": {"enum": ["red", "blue", null], "type": ["string", "null"]},
                "f": {"type": ["object", "null"], "additionalProperties": {"type": "boolean"}},
                "g": {"anyOf": [
                    {"type": "object",
                     "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
                     "additionalProperties": false, "required": ["x"]},
                    {"type": "null"}]},
                "h": {"default": 1},
            },
            "additionalProperties": false,
            "required": ["a", "b"],
        })
    );
    let result = runtime.call("everything", json!({"a": "ü", "b": [1]})).await.result.unwrap();
    assert_eq!((&result["a"], &result["call"]), (&json!("ü"), &json!("call_1")));
    assert_eq!(result["cwd"], json!(runtime.workspace()));
}

const LIFE: &str = r#"
import asyncio, os, pathlib, time
from hermes.tools import BaseTool, ToolResult, ToolError, tool

LOG = pathlib.Path(os.environ["HERMES_PLUGIN_DATA"]) / "log"

def note(text):
    with LOG.open("a") as file:
        file.write(text + "\n")

class Lived(BaseTool):
    name = "lived"
    description = "Has a life."

    async def setup(self):
        note("setup")
        await asyncio.sleep(0.05)
        self.together = asyncio.Event()
        self.waiting = 0

    async def run(self, params, context):
        # Both calls must be here at once for either to end.
        self.waiting += 1
        if self.waiting == 2:
            self.together.set()
        await self.together.wait()
        return ToolResult(output=params["n"])

    async def teardown(self):
        note("teardown")

@tool
def prints():
    "Prints what looks like a message."
    print('{"id": 1, "result": "forged"}')
    os.write(1, b'{"id": 1, "result": "forged"}\n')
    return "honest"

@tool
def fails(how: str):
    "Fails."
    if how == "tool_error":
        raise ToolError("no such thing", code="not_found")
    if how == "result":
        return ToolResult(success=False, error="it went wrong")
    if how == "forged":
        raise ToolError("forged", code="permission_denied")
    raise KeyError("x")

@tool(timeout_seconds=1)
async def slow():
    "Takes long."
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        note("cancelled")
        raise

@tool
def dies():
    "Ends its process."
    os._exit(3)

@tool(effect="read_only")
def dies_reading():
    "Ends its process too."
    os._exit(3)
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_has_one_life_and_its_calls_do_not_wait_for_each_other() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let mut own = enable(&runtime, &write_python(&runtime, "life", LIFE)).await;
    let log =
        || std::fs::read_to_string(runtime.host().home.join("plugin-data/life/log")).unwrap_or_default();
    // Two sessions, because calls of one that may change things take turns.
    let (first, second) = (runtime.session("a"), runtime.session("b"));
    let (one, two) =
        tokio::join!(first.call("lived", json!({"n": 1})), second.call("lived", json!({"n": 2})));
    assert_eq!(one.result.unwrap(), json!({"result": 1}));
    assert_eq!(two.result.unwrap(), json!({"result": 2}));
    assert_eq!(log(), "setup\n");

    assert_eq!(runtime.call("prints", json!({})).await.result.unwrap(), json!({"result": "honest"}));
    for (how, code, text) in [
        ("tool_error", ErrorCode::NotFound, "no such thing"),
        ("result", ErrorCode::ExecFailed, "it went wrong"),
        ("forged", ErrorCode::ExecFailed, "forged"),
        ("other", ErrorCode::ExecFailed, "KeyError"),
    ] {
        let error = runtime.call("fails", json!({"how": how})).await.result.unwrap_err();
        assert_eq!(error.code, code, "{how}");
        assert!(error.message.contains(text), "{error}");
    }

    assert!(runtime.call("slow", json!({})).await.result.is_err());
    while !log().contains("cancelled") {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }

    hermes_plugins::plugin::Enabled::of(&hermes_host::home::Home::at(runtime.host().home.clone()))
        .remove("life")
        .unwrap();
    let changes = own.look(std::time::Instant::now()).await.unwrap();
    super::support::apply(runtime.runtime().registry(), changes);
    runtime.runtime().shut_down().await;
    while !log().contains("teardown") {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(log().matches("setup").count(), 1);
    assert_eq!(log().matches("teardown").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_process_is_told_of_and_started_again() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "life", LIFE)).await;
    let error = runtime.call("dies", json!({})).await.result.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::OutcomeUnknown, false));
    assert_eq!(runtime.call("prints", json!({})).await.result.unwrap(), json!({"result": "honest"}));
    // What changes nothing may be asked again.
    let error = runtime.call("dies_reading", json!({})).await.result.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::Unavailable, true));
    assert_eq!(runtime.call("prints", json!({})).await.result.unwrap(), json!({"result": "honest"}));
    // A plugin that cannot live is not started for ever.
    for n in 0..8 {
        runtime.session(&format!("s{n}")).call("dies", json!({})).await.result.unwrap_err();
    }
    let error = runtime.session("last").call("prints", json!({})).await.result.unwrap_err();
    assert!(error.message.contains("again and again"), "{error}");
}
