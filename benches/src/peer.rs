//! hermes-agent, the Python program that is the measure of this one: only where `HERMES_PEER_PYTHON`
//! names a Python that has it.

use std::path::{Path, PathBuf};
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

/// Prints the seconds of one search of the peer, over a catalog of as many tools as its argument says.
const SEARCH: &str = "
import sys, time
from tools import tool_search as ts
verbs = 'create list get delete update search merge send export archive'.split()
things = 'issue message file customer invoice event page table image report'.split()
def definition(n):
    v, t = verbs[n % 10], things[n // 10 % 10]
    return {'type': 'function', 'function': {'name': f'mcp_server{n // 100}_{v}_{t}_{n}',
        'description': f'{v} one {t} of the account, with its labels and comments. Takes the id of the {t}.',
        'parameters': {'type': 'object', 'properties': {f'{t}_id': {'type': 'string'}, 'limit': {'type': 'integer'}}}}}
catalog = ts.build_catalog([definition(n) for n in range(int(sys.argv[1]))])
queries = ['create a github issue', 'send a message to the customer', 'export last month\\'s report as a file']
def run():
    wall, cpu = time.perf_counter(), time.process_time()
    for query in queries:
        ts.search_catalog(catalog, query, limit=8)
    return (time.perf_counter() - wall) / 3, (time.process_time() - cpu) / 3
run()
print(*sorted(run() for _ in range(9))[4])
";

/// Prints the seconds of one read of each of the files that it is told of, as a program like the peer reads a file.
const BARE_READ: &str = "
import sys, time
def read(path):
    with open(path) as file:
        return file.read()
def run():
    wall, cpu = time.perf_counter(), time.process_time()
    for path in sys.argv[1:]:
        read(path)
    count = len(sys.argv) - 1
    return (time.perf_counter() - wall) / count, (time.process_time() - cpu) / count
run()
print(*min(run() for _ in range(31)))
";

/// The same through the peer's tool.
const READ: &str = "
import sys, time, model_tools
def run(path):
    wall, cpu = time.perf_counter(), time.process_time()
    model_tools.handle_function_call('read_file', {'path': path})
    return time.perf_counter() - wall, time.process_time() - cpu
run(sys.argv[1])
print(*min(run(path) for path in sys.argv[2:]))
";

/// The time of one bare read of these files in the peer's language.
pub fn bare_read(paths: &[PathBuf]) -> Time {
    let mut python = Command::new("python3");
    seconds(python.args(["-c", BARE_READ]).args(paths)).expect("python3; get it with: cargo xtask setup")
}

/// The time of one read through the peer's tool, over files it was not asked for before.
pub fn read(paths: &[PathBuf]) -> Option<Time> {
    let home = tempfile::tempdir().ok()?;
    seconds(command(READ, home.path())?.args(paths))
}

/// The time of one search of the peer among `count` tools.
pub fn search(count: usize) -> Option<Time> {
    let home = tempfile::tempdir().ok()?;
    seconds(command(SEARCH, home.path())?.arg(count.to_string()))
}

/// A command that prints the peer's tool definitions.
pub fn definitions(home: &Path) -> Option<Command> {
    command(DEFINITIONS, home)
}

/// The time of one call through the peer's dispatcher.
pub fn dispatch(home: &Path) -> Option<Time> {
    seconds(&mut command(DISPATCH, home)?)
}

/// What the last line of a script says: seconds by the wall clock and by the processor's.
fn seconds(command: &mut Command) -> Option<Time> {
    let output = command.output().ok()?;
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
