//! The module `hermes_tools` for Node.

use hermes_core::ToolInfo;

use super::signature::Signature;

const HEAD: &str = r#"// The tools of this session. Each takes an object and returns a promise of the tool's result.
const net = require("net");
const { isMainThread } = require("worker_threads");

// There is one way to the session, and two who read from it would take each other's answers.
if (!isMainThread) throw new Error("tools are called from the main thread");

const peer = new net.Socket({ fd: 0 });
const ask = Number(process.env.HERMES_ASK);
const questions = ask ? new net.Socket({ fd: ask, readable: false, writable: true }) : peer;
delete process.env.HERMES_ASK;
const waiting = new Map();
let asked = 0;
let buffered = "";
peer.setEncoding("utf8");
peer.unref();
if (questions !== peer) questions.unref();
peer.on("data", (text) => {
  buffered += text;
  for (let end = buffered.indexOf("\n"); end >= 0; end = buffered.indexOf("\n")) {
    const answer = JSON.parse(buffered.slice(0, end));
    buffered = buffered.slice(end + 1);
    const { resolve, reject } = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) peer.unref();
    if ("error" in answer) reject(failed(answer));
    else resolve(answer.result);
  }
});
peer.on("close", () => {
  waiting.forEach(({ reject }) => reject(new Error("the session is gone")));
  waiting.clear();
});

// The text of an error is what is shown where nobody catches it.
function failed({ id, error, code, retryable, hint, ...more }) {
  const shown = new Error(hint ? error + "\nhint: " + hint : error);
  return Object.assign(shown, { text: error, code, retryable, hint, more });
}

function call(tool, args = {}) {
  return new Promise((resolve, reject) => {
    const id = String(++asked);
    waiting.set(id, { resolve, reject });
    peer.ref();
    questions.write(JSON.stringify({ id, tool, arguments: args }) + "\n");
  });
}

exports.call = call;
"#;

/// The whole module.
pub(in crate::code_execution) fn javascript(tools: &[ToolInfo]) -> String {
    let mut module = HEAD.to_owned();
    for Signature { name, summary, .. } in tools.iter().filter_map(Signature::of) {
        module.push_str(&format!("/* {summary} */\nexports.{name} = (args) => call(\"{name}\", args);\n"));
    }
    module
}
