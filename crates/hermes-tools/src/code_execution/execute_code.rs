//! Runs code that can call the session's tools.

use std::time::Duration;

use hermes_core::{SchemaOverride, SchemaView};
use hermes_host::Terminals;
use hermes_host::terminal::{Code, Ending, Ran};
use hermes_kit::prelude::*;

use super::bindings::{Answering, STARTUP, callable, javascript, python, shell};
use crate::printed::{Whole, printed};
use crate::ran::{STOP_GRACE, Where, left_running};
use crate::taken;

const SECONDS: u64 = 300;
const MAX_SECONDS: u64 = 600;
const MAX_CALLS: usize = 50;
const OUTPUT_BYTES: usize = 50_000;
const MEMORY_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// The exit code of what was killed.
const KILLED: i32 = 137;
/// What runs the languages.
const INTERPRETERS: [&str; 3] = ["python3", "node", "bash"];
/// Longer than this, the list of tools is left to the definitions.
const MOST_NAMED: usize = 40;

/// Run code that calls tools, to loop over many calls, combine their results and keep only what matters out of the
/// conversation. In Python: from hermes_tools import read_file, terminal; each returns a dict or raises ToolError.
/// Print what you want to see. It runs where the commands of terminal run, here without network; use tools for that.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The code.
    #[schemars(length(min = 1, max = 200_000))]
    code: String,
    /// Its language. JavaScript: const {read_file} = require("hermes_tools"), called with an object, returning a
    /// promise. Shell: hermes_tool NAME 'JSON'.
    #[serde(default)]
    language: Language,
    /// Seconds after which it is ended, 300 where nothing is said.
    #[schemars(range(min = 1, max = 600))]
    timeout: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Python,
    Javascript,
    // The same, as repl calls it.
    Node,
    Shell,
    // The same by its program.
    Bash,
}

#[derive(Debug, Serialize)]
pub struct Output {
    output: String,
    /// Where all of the output is, if it is more than is shown.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    whole: Option<Whole>,
    exit_code: i32,
    tool_calls_made: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    ran: Where,
}

pub struct ExecuteCode {
    terminals: Terminals,
}

impl Tool for ExecuteCode {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        chapter_name: Some("code_execute"),
        timeout: Duration::from_secs(MAX_SECONDS + 30),
        stop_grace: STOP_GRACE,
        // Its own calls wait for each other and for nothing else.
        parallel: Parallel::Shared,
        emoji: "🐍",
        tags: &["python", "script", "loop", "program"],
        needs: &[Need::Interpreter(&INTERPRETERS)],
        ..ToolMeta::new("execute_code", "code_execution", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        ExecuteCode { terminals: host.terminals.clone() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        let mut access = vec![Access::any(Permission::CODE_EXECUTE)];
        // A script of a shell is a command, and judged like one.
        if matches!(args.language, Language::Shell | Language::Bash) {
            access.push(Access::new(Permission::TERMINAL_EXECUTE, Target::InShell(args.code.clone())));
        }
        access
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let tools = cx.conversation()?.offered().await;
        let named = |name: &str, text: String| (name.to_owned(), text);
        let (program, flags, files): (_, &'static [&'static str], _) = match args.language {
            Language::Python => (
                "python3",
                &["-u"],
                vec![
                    named("script.py", args.code),
                    named("hermes_tools.py", python(&tools)),
                    named("sitecustomize.py", STARTUP.to_owned()),
                ],
            ),
            Language::Javascript | Language::Node => (
                "node",
                &[],
                vec![named("script.js", wrapped(&args.code)), named("hermes_tools.js", javascript(&tools))],
            ),
            Language::Shell | Language::Bash => ("bash", &[], vec![named("script.sh", shell(&args.code))]),
        };
        let code = Code {
            program,
            flags,
            files,
            timeout: Duration::from_secs(args.timeout.unwrap_or(SECONDS)),
            most_output: OUTPUT_BYTES,
            memory_bytes: MEMORY_BYTES,
        };
        let mut answering = Answering::new(cx, MAX_CALLS);
        let ran = self.terminals.run_code(&code, &mut answering, cx).await?;
        let (output, whole) = printed(&ran, cx).await;
        let note = match ran.ending {
            Ending::Exited if ran.exit_code == KILLED && memory_bounds(&ran).is_some() => memory_bounds(&ran),
            Ending::Exited => None,
            Ending::TimedOut(limit) => Some(format!("ended after {} seconds", limit.as_secs())),
            Ending::Interrupted => {
                let text = "the code had begun and was ended; what it did until then stays done";
                return Err(ToolError::new(ErrorCode::OutcomeUnknown, text).with_field("output", output));
            }
        };
        let notes: Vec<String> =
            note.into_iter().chain(left_running(&ran)).chain(taken::told(&ran.taken)).collect();
        Ok(Output {
            output,
            whole,
            exit_code: ran.exit_code,
            tool_calls_made: answering.made,
            note: (!notes.is_empty()).then(|| notes.join(". ")),
            ran: Where::from(ran.place),
        })
    }

    fn dynamic_schema(&self, view: &SchemaView<'_>) -> Option<SchemaOverride> {
        let names: Vec<&str> =
            view.offered.iter().map(String::as_str).filter(|name| callable(name)).collect();
        let mut description = hermes_kit::description_of::<Args>();
        match names.len() {
            0 => description.push_str(" No tool of this session can be called."),
            1..=MOST_NAMED => description.push_str(&format!(" Tools: {}.", names.join(", "))),
            _ => {}
        }
        if let Some(here) = self.terminals.interpreters(&INTERPRETERS) {
            let is_missing = |program: &&str| !here.contains(program);
            let missing: Vec<&str> = INTERPRETERS.into_iter().filter(is_missing).collect();
            if !missing.is_empty() {
                description.push_str(&format!(" Not on this machine: {}.", missing.join(", ")));
            }
        }
        Some(SchemaOverride { description: Some(description), parameters: None })
    }

    fn examples() -> Vec<Example> {
        let code = "from hermes_tools import read_file\nfor name in ('a.txt', 'b.txt'):\n    print(read_file(name)['total_lines'])";
        vec![
            Example::succeeds(
                "two files, one result",
                json!({"code": code}),
                json!({"output": "1\n2", "exit_code": 0, "tool_calls_made": 2}),
            )
            .with_files(&[("a.txt", "x\n"), ("b.txt", "x\ny\n")]),
            Example::succeeds(
                "a failure is data",
                json!({"code": "exit 7", "language": "shell"}),
                json!({"output": "", "exit_code": 7}),
            ),
        ]
    }
}

/// Nobody else kills what runs.
fn memory_bounds(ran: &Ran) -> Option<String> {
    let bounds = ran.place.bounds?;
    let megabytes = MEMORY_BYTES / 1024 / 1024;
    Some(format!("it was killed, as happens where more than {megabytes} MB of memory are taken ({bounds})"))
}

/// Top-level `await` works, and the tools are found beside the script.
fn wrapped(code: &str) -> String {
    format!(
        "module.paths.unshift(__dirname); require.main.paths.unshift(__dirname); const __require = require; \
        const __tools = __require('./hermes_tools.js'); \
        (async (require) => {{ {code}\n}})((name) => name === 'hermes_tools' ? __tools : __require(name))\
        .catch((error) => {{ console.error(error); process.exitCode = 1; }});"
    )
}

register_tool!(ExecuteCode);
