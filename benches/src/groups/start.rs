//! Cold start: from nothing to all tool definitions on standard output.

use std::process::Command;

use crate::peer;
use crate::process::{cost_of, hermes};
use crate::table::{Table, Unit};

const RUNS: usize = 60;
const PEER_RUNS: usize = 5;

pub fn run(table: &mut Table) {
    let home = tempfile::tempdir().expect("a folder");
    let empty = cost_of(RUNS, &mut Command::new("/bin/true"));
    let mut schema = Command::new(hermes());
    schema.args(["tools", "schema", "--json"]).env("HERMES_HOME", home.path()).current_dir(home.path());
    let ours = cost_of(RUNS, &mut schema);
    assert!(ours.output_bytes > 1_000, "the definitions are there");

    table
        .time("hermes tools schema --json", ours.time)
        .target(15e6)
        .against("an empty process", empty.time.wall);
    table
        .add("hermes tools schema --json, resident", ours.max_resident, Unit::Bytes)
        .target(20e6)
        .against("an empty process", empty.max_resident);

    let Some(mut command) = peer::definitions(home.path()) else { return };
    let theirs = cost_of(PEER_RUNS, &mut command);
    table.time("hermes-agent, the same", theirs.time).against("ours", ours.time.wall);
    table
        .add("hermes-agent, the same, resident", theirs.max_resident, Unit::Bytes)
        .against("ours", ours.max_resident);
}
