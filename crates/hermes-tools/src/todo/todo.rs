//! Keeps a task list for work in several steps.

use hermes_kit::prelude::*;

use super::items::{Change, Item, Status, apply};

/// Where the session state keeps the list.
const SLOT: &str = "todos";

/// Keep a task list for work that takes several steps. Call it without arguments to read the list. Write it
/// before you start, mark one item in_progress at a time, and mark items completed as soon as they are done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The items to write, in order. Leave it out to read the list.
    todos: Option<Vec<Change>>,
    /// Whether to change only the items named, by their id, and append new ones. Otherwise the whole list is
    /// replaced.
    #[serde(default)]
    merge: bool,
}

#[derive(Debug, Serialize)]
pub struct Output {
    todos: Vec<Item>,
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Summary {
    total: usize,
    pending: usize,
    in_progress: usize,
    completed: usize,
    cancelled: usize,
}

/// The list as it is stored; agents that re-inject open tasks read the same shape.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    todos: Vec<Item>,
}

pub struct Todo;

impl Tool for Todo {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        // Reading, changing and saving the list must not overlap with another call.
        parallel: Parallel::Exclusive,
        idempotent: true,
        emoji: "📋",
        tags: &["task", "plan", "list", "progress"],
        needs: &[Need::Port("session_state")],
        ..ToolMeta::new("todo", "todo", Effect::Session)
    };

    fn new(_host: &Host) -> Self {
        Todo
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let state = cx.ports().session_state()?;
        let session = &cx.session().id;
        let stored = match state.load(session, SLOT).await? {
            None => Stored::default(),
            Some(stored) => serde_json::from_value(stored).map_err(|error| {
                ToolError::internal("the task list could not be read").with_operator(error.to_string())
            })?,
        };
        let Some(changes) = args.todos else { return Ok(answer(stored.todos, Vec::new())) };
        let applied = apply(&stored.todos, changes, args.merge);
        let stored = Stored { todos: applied.items };
        state.save(session, SLOT, hermes_core::tool_result(&stored)?).await?;
        Ok(answer(stored.todos, applied.notes))
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "a plan of two steps",
                json!({"todos": [{"content": "Write the test", "status": "in_progress"}, {"content": "Make it pass"}]}),
                json!({"todos": [
                    {"id": "1", "content": "Write the test", "status": "in_progress"},
                    {"id": "2", "content": "Make it pass", "status": "pending"},
                ]}),
            ),
            Example::succeeds("reading an empty list", json!({}), json!({"todos": []})),
            Example::fails(
                "a status that does not exist",
                json!({"todos": [{"content": "x", "status": "doing"}]}),
                ErrorCode::InvalidArgument,
            ),
        ]
    }
}

fn answer(todos: Vec<Item>, notes: Vec<String>) -> Output {
    let count = |status| todos.iter().filter(|item| item.status == status).count();
    let summary = Summary {
        total: todos.len(),
        pending: count(Status::Pending),
        in_progress: count(Status::InProgress),
        completed: count(Status::Completed),
        cancelled: count(Status::Cancelled),
    };
    Output { todos, summary, note: (!notes.is_empty()).then(|| notes.join(" ")) }
}

register_tool!(Todo);
