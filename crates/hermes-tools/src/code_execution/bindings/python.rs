//! The module `hermes_tools` for Python.

use hermes_core::ToolInfo;

use super::signature::Signature;

const HEAD: &str = r#""""The tools of this session. Each returns the tool's result as a dict, or raises ToolError."""
import json as _json, os as _os, shlex as _shlex, time as _time

_answers = _os.fdopen(_os.dup(0), "rb")
_questions = _os.fdopen(_os.dup(int(_os.environ.pop("HERMES_ASK", "0"))), "wb")
_null = _os.open("/dev/null", _os.O_RDONLY)
_os.dup2(_null, 0)
_os.close(_null)


class ToolError(Exception):
    """A tool that failed: its text, and the code in .code."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def call(tool, /, **arguments):
    """Calls any tool by name."""
    given = {name: value for name, value in arguments.items() if value is not None}
    _questions.write(_json.dumps({"tool": tool, "arguments": given}).encode() + b"\n")
    _questions.flush()
    line = _answers.readline()
    if not line:
        raise ToolError("the session is gone", "cancelled")
    answer = _json.loads(line)
    if "error" in answer:
        raise ToolError(answer["error"], answer.get("code"))
    return answer["result"]


def json_parse(text):
    """Reads JSON, also from a text around it in a code fence."""
    text = text.strip()
    if text.startswith("```"):
        text = text.split("\n", 1)[-1].rsplit("```", 1)[0]
    return _json.loads(text)


def shell_quote(text):
    """The text as one word of a shell."""
    return _shlex.quote(str(text))


def retry(function, attempts=3, delay=1.0):
    """Calls the function until it works, with growing pauses; the last failure comes through."""
    for attempt in range(attempts):
        try:
            return function()
        except Exception:
            if attempt + 1 == attempts:
                raise
            _time.sleep(delay * 2 ** attempt)
"#;

/// The whole module.
pub(in crate::code_execution) fn python(tools: &[ToolInfo]) -> String {
    let mut module = HEAD.to_owned();
    for signature in tools.iter().filter_map(Signature::of) {
        let required = signature.required.iter().cloned();
        let optional = signature.optional.iter().map(|name| format!("{name}=None"));
        let parameters: Vec<String> = required.chain(optional).collect();
        let names = signature.required.iter().chain(&signature.optional);
        let passed: String = names.map(|name| format!(", {name}={name}")).collect();
        let Signature { name, summary, .. } = &signature;
        module.push_str(&format!(
            "\n\ndef {name}({}):\n    \"\"\"{summary}\"\"\"\n    return call(\"{name}\"{passed})\n",
            parameters.join(", ")
        ));
    }
    module
}
