//! What Python tools are given is what their hints say, and what they return arrives whatever it is.

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use super::support::{enable, write_python};

const TYPED: &str = r#"
import asyncio, dataclasses, datetime, enum, time
from typing import Dict, List, Optional, Set, Tuple
from hermes.tools import BaseTool, ToolContext, ToolError, ToolResult, tool

class Unit(enum.Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"

@dataclasses.dataclass
class Place:
    city: str
    units: List[Unit] = dataclasses.field(default_factory=list)

@tool
def takes(unit: Unit, place: Place, more: Dict[str, Place], pair: Tuple[int, int], seen: Optional[Set[str]] = None,
          other: Unit = Unit.CELSIUS, context: ToolContext = None):
    "Takes values of its own types."
    return {
        "unit": unit.name,
        "units": [unit.name for unit in place.units],
        "cities": [place.city, more["there"].city],
        "kinds": [type(pair).__name__, type(seen).__name__],
        "other": other.name,
        "asked": context.call_id,
    }

@tool
def gives(what: str):
    "Gives what JSON does not know."
    return {
        "nan": lambda: {"a": [float("nan"), 1.5], "b": float("-inf")},
        "odd": lambda: [Unit.CELSIUS, Place("Bern"), {7}, datetime.date(2026, 1, 31)],
        "much": lambda: "x" * (17 << 20),
        "said": lambda: ToolResult(output={"a": 1}, metadata={"took": 2}),
        "failed": lambda: ToolResult(success=False, error="no", metadata={"took": 2}),
    }[what]()

@tool
def fails():
    "Fails with a code that nobody knows."
    raise ToolError("I am short and stout", code="teapot")

class Mixed(BaseTool):
    name = "mixed"
    description = "Opens in the loop and works in a thread."

    async def setup(self):
        self.loop = asyncio.get_running_loop()

    def run(self, params, context):
        # Blocks until the loop answers, which it can only if it is free.
        return {"answer": asyncio.run_coroutine_threadsafe(asyncio.sleep(0, "free"), self.loop).result()}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn values_are_made_what_the_hints_say() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "typed", TYPED)).await;
    let arguments = json!({
        "unit": "f",
        "place": {"city": "Bern", "units": ["c", "f"]},
        "more": {"there": {"city": "Basel"}},
        "pair": [1, 2],
        "seen": ["a", "a"],
    });
    let result = runtime.call("takes", arguments).await.result.unwrap();
    assert!(result["asked"].as_str().is_some_and(|id| !id.is_empty()), "{result}");
    assert_eq!((&result["unit"], &result["other"]), (&json!("FAHRENHEIT"), &json!("CELSIUS")));
    assert_eq!(result["units"], json!(["CELSIUS", "FAHRENHEIT"]));
    assert_eq!(result["cities"], json!(["Bern", "Basel"]));
    assert_eq!(result["kinds"], json!(["tuple", "set"]));
    let schema = runtime.runtime().registry().snapshot().get("takes").unwrap().info().parameters.clone();
    assert_eq!(schema["properties"]["other"]["default"], "c");
    assert_eq!(schema["properties"].get("context"), None);
    assert_eq!(runtime.call("mixed", json!({})).await.result.unwrap(), json!({"answer": "free"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_arrives() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "typed", TYPED)).await;
    let gives = async |what: &str| runtime.call("gives", json!({"what": what})).await.result;
    assert_eq!(gives("nan").await.unwrap(), json!({"a": [null, 1.5], "b": null}));
    let odd = gives("odd").await.unwrap()["result"].clone();
    assert_eq!(odd, json!(["c", {"city": "Bern", "units": []}, [7], "2026-01-31"]));
    let much = gives("much").await.unwrap_err();
    assert_eq!(much.code, ErrorCode::TooLarge);
    assert!(much.message.contains("17 MiB"), "{much}");
    assert_eq!(gives("said").await.unwrap(), json!({"a": 1, "metadata": {"took": 2}}));
    let failed = gives("failed").await.unwrap_err();
    assert_eq!((failed.message.as_str(), &failed.data["metadata"]), ("no", &json!({"took": 2})));
    let fails = runtime.call("fails", Value::Null).await.result.unwrap_err();
    assert_eq!((fails.code, fails.message.as_str()), (ErrorCode::ExecFailed, "I am short and stout"));
}
