//! Evaluates code in an interpreter that stays.

use std::time::Duration;

use hermes_core::text;
use hermes_host::Terminals;
use hermes_host::terminal::{Code, Repl as Interpreter};
use hermes_kit::prelude::*;
use serde_json::Value;

use super::drivers::{NODE, PYTHON};
use crate::ran::{STOP_GRACE, Where};

const SECONDS: u64 = 30;
const MAX_SECONDS: u64 = 600;
const MEMORY_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// Characters of a result, and of an output.
const MOST_RESULT: usize = 10_000;
const MOST_OUTPUT: usize = 50_000;

/// Evaluate code in an interpreter that keeps its variables between calls, to explore step by step. The value of a
/// last expression comes back as result. Each name is an interpreter of its own. In node a promise is waited for, but
/// await stands only within a function: (async () => await f())(). For one script from beginning to end use execute_code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do.
    #[serde(default)]
    action: Action,
    /// The code, for eval.
    #[schemars(length(max = 100_000))]
    code: Option<String>,
    /// Which interpreter; main where nothing is said.
    session_id: Option<String>,
    /// The language of a new interpreter.
    language: Option<Language>,
    /// Seconds that the code may take, 30 where nothing is said. It is interrupted then, and the interpreter stays.
    #[schemars(range(min = 1, max = 600))]
    timeout: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    #[default]
    Eval,
    Reset,
    Close,
    List,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Python,
    Node,
    // The same, as execute_code calls it.
    Javascript,
}

/// What an interpreter answers with.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Output {
    #[serde(default)]
    session_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    execution_count: Option<u64>,
    /// The session's interpreters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sessions: Option<Vec<String>>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    ran: Option<Where>,
}

pub struct Repl {
    terminals: Terminals,
}

impl Tool for Repl {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        timeout: Duration::from_secs(MAX_SECONDS + 30),
        stop_grace: STOP_GRACE,
        exposure: Exposure::Deferrable,
        emoji: "🔁",
        needs: &[Need::Interpreter(&["python3", "node"])],
        tags: &["python", "node", "interactive", "interpreter"],
        ..ToolMeta::new("repl", "code_execution", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        Repl { terminals: host.terminals.clone() }
    }

    fn access(&self, _args: &Args) -> Vec<Access> {
        vec![Access::any(Permission::CODE_EXECUTE)]
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let name = args.session_id.clone().unwrap_or_else(|| "main".to_owned());
        match args.action {
            Action::List => {
                let sessions = Some(self.terminals.repls(cx));
                return Ok(Output { session_id: name, sessions, ..Output::default() });
            }
            Action::Reset | Action::Close => {
                let there = self.terminals.close_repl(&name, cx);
                if !there && args.action == Action::Close {
                    return Err(ToolError::not_found(format!("there is no interpreter '{name}'")));
                }
                return Ok(Output { session_id: name, ..Output::default() });
            }
            Action::Eval => {}
        }
        let code = args.code.ok_or_else(|| ToolError::invalid("code is missing"))?;
        let driver = args.language.unwrap_or_default().driver();
        let seconds = args.timeout.unwrap_or(SECONDS);
        let line = json!({"code": code, "seconds": seconds}).to_string();
        let repl = Interpreter { name: &name, code: &driver, exactly: args.language.is_some() };
        let evaluated = self.terminals.evaluate(&repl, &line, Duration::from_secs(seconds), cx).await?;
        let answer: Output = serde_json::from_str(&evaluated.answer).map_err(|error| {
            ToolError::new(ErrorCode::ExecFailed, format!("the interpreter is confused: {error}"))
        })?;
        let printed = String::from_utf8_lossy(&evaluated.printed.head).into_owned()
            + &String::from_utf8_lossy(&evaluated.printed.tail);
        let output = text::printed(&(answer.output.unwrap_or_default() + &printed));
        Ok(Output {
            session_id: name,
            output: Some(cut(output.trim_end(), MOST_OUTPUT)),
            result: answer.result.map(|result| cut(&result, MOST_RESULT)),
            ran: Some(Where::from(evaluated.place)),
            ..answer
        })
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "an expression",
                json!({"code": "x = 20\nx + 1"}),
                json!({"result": "21", "output": "", "execution_count": 1}),
            ),
            Example::succeeds("nothing runs yet", json!({"action": "list"}), json!({"sessions": []})),
            Example::fails(
                "nothing to close",
                json!({"action": "close", "session_id": "other"}),
                ErrorCode::NotFound,
            ),
        ]
    }
}

impl Language {
    fn driver(self) -> Code {
        let (program, flags, name, text): (_, &'static [&'static str], _, _) = match self {
            Language::Python => ("python3", &["-u"], "driver.py", PYTHON),
            Language::Node | Language::Javascript => ("node", &[], "driver.js", NODE),
        };
        Code {
            program,
            flags,
            files: vec![(name.to_owned(), text.to_owned())],
            timeout: Duration::from_secs(MAX_SECONDS),
            most_output: MOST_OUTPUT,
            memory_bytes: MEMORY_BYTES,
        }
    }
}

fn cut(whole: &str, most: usize) -> String {
    match text::head_tail(whole, most) {
        Some((head, tail)) => format!("{head}\n[… left out …]\n{tail}"),
        None => whole.to_owned(),
    }
}

register_tool!(Repl);
