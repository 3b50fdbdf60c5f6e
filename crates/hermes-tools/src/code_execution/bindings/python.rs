//! The module `hermes_tools` for Python.

use hermes_core::ToolInfo;

use super::signature::Signature;

const HEAD: &str = r#""""The tools of this session. Each returns the tool's result as a dict, or raises ToolError."""
import fcntl as _fcntl, json as _json, os as _os, shlex as _shlex, time as _time

try:
    from sitecustomize import answers as _answers, questions as _questions
except ImportError:
    raise ImportError("tools are called from the code itself, not from other programs that it starts") from None


class ToolError(Exception):
    """A tool that failed, with what the answer says: .message, .code, .retryable, and in .hint what to do about it."""

    def __init__(self, message, code=None, answer={}):
        super().__init__(message, code)
        more = {name: value for name, value in answer.items() if name not in ("id", "error", "code")}
        self.message, self.code = message, code
        self.retryable, self.hint, self.more = more.pop("retryable", False), more.pop("hint", None), more

    def __str__(self):
        return "%s\nhint: %s" % (self.message, self.hint) if self.hint else self.message


def call(tool, /, **arguments):
    """Calls any tool by name."""
    given = {name: value for name, value in arguments.items() if value is not None}
    mine = _os.urandom(8).hex()
    # The name comes first, so that it can be read even where the rest cannot; the empty line ends what somebody
    # who was killed may have begun.
    question = _json.dumps({"id": mine, "tool": tool, "arguments": given}, separators=(",", ":"))
    answer = _asked(mine, b"\n" + question.encode() + b"\n")
    if "error" in answer:
        raise ToolError(answer["error"], answer.get("code"), answer)
    return answer["result"]


def _asked(mine, question):
    # One at a time, of all threads and forked processes: whoever opens the file anew has a lock of its own.
    turn = _os.open(__file__, _os.O_RDONLY)
    try:
        _fcntl.flock(turn, _fcntl.LOCK_EX)
        while question:
            question = question[_os.write(_questions, question):]
        while True:
            try:
                answer = _json.loads(_line())
            except ValueError:
                continue
            # Any other is for somebody who was killed before it came.
            if isinstance(answer, dict) and answer.get("id") == mine:
                return answer
    finally:
        # Outright: a process that was forked meanwhile has the file open too.
        _fcntl.flock(turn, _fcntl.LOCK_UN)
        _os.close(turn)


def _line():
    line = bytearray()
    while not line.endswith(b"\n"):
        # There is one answer at a time, so nothing that comes is for anybody else.
        part = _os.read(_answers, 65536)
        if not part:
            raise ToolError("the session is gone", "cancelled")
        line += part
    return line.splitlines()[-1]


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

/// Read by Python before the script, so that this never has the way to the session as its standard input. Programs that it
/// starts have another, and their own standard input.
pub(in crate::code_execution) const STARTUP: &str = r#"import os

ask = os.environ.pop("HERMES_ASK", None)
if ask is not None:
    answers, questions = os.dup(0), os.dup(int(ask))
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
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
