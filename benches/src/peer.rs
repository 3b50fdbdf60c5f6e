//! hermes-agent, the Python program that is the measure of this one: only where `HERMES_PEER_PYTHON`
//! names a Python that has it.

use std::path::Path;
use std::process::Command;

use crate::measure::Time;

const DEFINITIONS: &str = "
import json, sys, model_tools
json.dump(model_tools.get_tool_definitions(quiet_mode=True), sys.stdout)
";

/// Prints the seconds of one call of a tool that does nothing, by the wall clock and by the processor's.
const DISPATCH: &str = "
import time, model_tools
from tools.registry import registry
schema = {'name': 'noop', 'description': 'Does nothing.', 'parameters': {'type': 'object', 'properties': {
    'path': {'type': 'string'}, 'limit': {'type': 'integer'}, 'all': {'type': 'boolean'}}}}
registry.register('noop', 'bench', schema, lambda args, **_: '{\"ok\": true}')
def run(count):
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(count):
        model_tools.handle_function_call('noop', {'path': 'a.txt', 'limit': 10, 'all': False})
    return (time.perf_counter() - wall) / count, (time.process_time() - cpu) / count
run(1000)
print(*sorted(run(1000) for _ in range(9))[4])
";

/// A command that prints the peer's tool definitions.
pub fn definitions(home: &Path) -> Option<Command> {
    command(DEFINITIONS, home)
}

/// The time of one call through the peer's dispatcher.
pub fn dispatch(home: &Path) -> Option<Time> {
    let output = command(DISPATCH, home)?.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let last = text.lines().last().unwrap_or_default();
    let seconds: Vec<f64> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [wall, cpu] = seconds[..] else {
        eprintln!("note: the peer did not answer: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    };
    Some(Time { wall: wall * 1e9, cpu: cpu * 1e9 })
}

fn command(script: &str, home: &Path) -> Option<Command> {
    let python = std::env::var_os("HERMES_PEER_PYTHON")?;
    let mut command = Command::new(python);
    command.args(["-c", script]).env("HERMES_HOME", home).current_dir(home);
    Some(command)
}
