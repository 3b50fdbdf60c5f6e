//! What keeps Python tools from being used is told with its place; what they ask for is asked.

use hermes_plugins::plugin::{Found, inspect};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::support::{enable, write_plugin, write_python};

async fn refused(runtime: &TestRuntime, found: &Found) -> String {
    match inspect(found, runtime.host(), runtime.workspace()).await {
        Err(why) => why,
        Ok(_) => panic!("{} was taken", found.id),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_has_its_file_and_line() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let tool = "from hermes.tools import tool, BaseTool\n";
    for (text, expected) in [
        ("x = 1\ndef (:\n".to_owned(), "tools.py:2:5: SyntaxError: "),
        ("import os\nimport no_such_module\n".to_owned(), "tools.py:2: ModuleNotFoundError: No module named"),
        ("def f():\n    return 1 / 0\n\nf()\n".to_owned(), "tools.py:2: ZeroDivisionError: division by zero"),
        ("x = 1\n".to_owned(), "tools.py: no tools; decorate a function with @tool"),
        (
            format!("{tool}@tool(name='a')\ndef f(): 'd'\n@tool(name='a')\ndef g(): 'd'\n"),
            "tools.py:4: a second tool is called a; the first is at tools.py:2",
        ),
        (
            format!(
                "{tool}\n@tool(parameters={{'type': 'object', 'properties': {{'a': {{'type': 'strng'}}}}}})\ndef f(a): 'd'\n"
            ),
            "tools.py:3: the parameters of f at /properties/a/type: ",
        ),
        (
            format!(
                "{tool}class A(BaseTool):\n    name = 'a'\n    description = 'd'\n    parameters = {{'properties': {{'b': {{'items': {{'pattern': '('}}}}}}}}\n"
            ),
            "tools.py:2: the parameters of a at /properties/b/items/pattern: the pattern cannot be used",
        ),
        (
            format!("{tool}@tool(timeout_seconds=301)\ndef f(): 'd'\n"),
            "tools.py:2: timeout_seconds of f must be",
        ),
        (format!("{tool}@tool(permissions=['file:writ'])\ndef f(): 'd'\n"), "it asks for \"file:writ\""),
    ] {
        let why = refused(&runtime, &write_python(&runtime, "odd", &text)).await;
        assert!(why.contains(expected), "{text}\nexpected: {expected}\nfound: {why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_without_tools_is_none() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let script =
        "read line\nprintf '%s\\n' '{\"id\":1,\"result\":{\"protocol\":1,\"tools\":[]}}'\nread line\n";
    let found = write_plugin(&runtime, "empty", "command: [sh, plugin.sh]", &[("plugin.sh", script)]);
    assert!(refused(&runtime, &found).await.contains("it offers no tools"));
}

const WRITING: &str = r#"
import pathlib, sqlite3
from hermes.tools import BaseTool, ToolContext, tool

@tool(permissions=["file:write"])
def writes(text: str, context: ToolContext):
    "Writes where the call is made."
    pathlib.Path(context.cwd, "note").write_text(text)
    return "written"

class Notes(BaseTool):
    name = "notes"
    description = "Asks a database beside the call."

    async def run(self, params, context):
        connection = await self._get_connection(params["database"], "sqlite")
        result = await self._execute_query(connection, params["query"], "sqlite")
        return {"rows": result.rows}

class Unnamed(BaseTool):
    description = "Has a life without a name."

    def setup(self):
        self.state = "set up"

    def run(self, params, context):
        return self.state

class AlsoUnnamed(Unnamed):
    pass
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_file_asks_for_permissions_by_its_tools() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = write_python(&runtime, "writing", WRITING);
    let state = inspect(&found, runtime.host(), runtime.workspace()).await.unwrap();
    assert_eq!(state.asked.permissions, ["file:write"]);
    let _own = enable(&runtime, &found).await;
    runtime.call("writes", json!({"text": "x"})).await.result.unwrap();
    assert_eq!(std::fs::read_to_string(runtime.workspace().join("note")).unwrap(), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relative_database_lies_where_the_call_is_made_and_bytes_arrive() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "writing", WRITING)).await;
    for database in ["sqlite:///notes.db", "notes.db"] {
        let query = async |text: &str| {
            runtime.call("notes", json!({"database": database, "query": text})).await.result.unwrap()
        };
        query("create table if not exists t (a blob)").await;
        query("insert into t values (x'00ff')").await;
        assert_eq!(query("select a from t limit 1").await["rows"], json!([[{"base64": "AP8="}]]));
    }
    assert!(runtime.workspace().join("notes.db").is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_without_names_have_lives_of_their_own() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let _own = enable(&runtime, &write_python(&runtime, "writing", WRITING)).await;
    for name in ["Unnamed", "AlsoUnnamed"] {
        assert_eq!(
            runtime.call(name, json!({})).await.result.unwrap(),
            json!({"result": "set up"}),
            "{name}"
        );
    }
}
