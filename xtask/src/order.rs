//! The order in which the linker lays out functions: what every start runs comes first and stands together, so
//! that a start touches few pages of code. The list is made by watching one start, instruction by instruction.
//!
//! Names that a later build does not have any more are passed over, so the list may age; it is made anew now and
//! then, and whenever `resident` complains.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, capture, cargo_with, root, run, target_dir};

const LIST: &str = "crates/hermes-cli/link/start.order";

/// Writes the list.
pub(crate) fn write() -> Outcome {
    // Names of functions are stripped only here, so that they are those of the release.
    run(cargo_with(&[
        "rustc",
        "--release",
        "--locked",
        "-p",
        "hermes-cli",
        "--bin",
        "hermes",
        "--",
        "-C",
        "strip=none",
    ]))?;
    let binary = target_dir().join("release/hermes");
    let mut nm = Command::new("nm");
    nm.args(["-S", "--defined-only"]).arg(&binary);
    let symbols = capture(nm)?;
    let functions = functions(&symbols);
    let trace = watched_start(&binary)?;
    let order = executed(&trace, &functions);
    let path = root().join(LIST);
    fs::write(&path, order.join("\n") + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{LIST}: {} of {} functions", order.len(), functions.len());
    Ok(())
}

/// A start under valgrind, which says of every instruction that ran where it stands.
fn watched_start(binary: &Path) -> Outcome<String> {
    let folder = target_dir().join("order");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let trace: PathBuf = folder.join("trace");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["-q", "--tool=callgrind", "--dump-instr=yes"]);
    valgrind.arg(format!("--callgrind-out-file={}", trace.display()));
    valgrind.arg(binary).args(["tools", "schema", "--json"]).env("HERMES_HOME", folder.join("home"));
    capture(valgrind).map_err(|error| format!("{error}\nIt is installed by: apt-get install valgrind"))?;
    fs::read_to_string(&trace).map_err(|error| format!("{}: {error}", trace.display()))
}

/// Functions by where they stand, each with its length and its name.
fn functions(symbols: &str) -> BTreeMap<u64, (u64, &str)> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let function = |line: &'_ str| {
        let mut words = line.split(' ');
        let (at, length, kind) = (number(words.next()?)?, number(words.next()?)?, words.next()?);
        "tTwW".contains(kind).then_some((at, length))
    };
    let named = symbols.lines().filter_map(|line| {
        let (at, length) = function(line)?;
        Some((at, (length, line.rsplit(' ').next()?)))
    });
    named.collect()
}

/// The names of the functions that ran, as they stand now. Callgrind writes addresses by object (`ob=`), each as
/// a number or as the distance from the one before.
fn executed<'a>(trace: &str, functions: &BTreeMap<u64, (u64, &'a str)>) -> Vec<&'a str> {
    let mut ran: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    let (mut object, mut at) = ("", 0_u64);
    for line in trace.lines() {
        if let Some(named) = line.strip_prefix("ob=") {
            object = named.split(' ').next().unwrap_or_default();
            continue;
        }
        let word = line.split(' ').next().unwrap_or_default();
        let moved = match (word.strip_prefix("0x"), word.strip_prefix('+'), word.strip_prefix('-')) {
            (Some(hex), ..) => u64::from_str_radix(hex, 16).ok(),
            (_, Some(on), _) => on.parse().ok().and_then(|on| at.checked_add(on)),
            (_, _, Some(back)) => back.parse().ok().and_then(|back| at.checked_sub(back)),
            _ => (word == "*").then_some(at),
        };
        if let Some(moved) = moved {
            at = moved;
            ran.entry(object).or_default().insert(at);
        }
    }
    // Of all objects, our own binary is the one that runs the most.
    let own = ran.into_values().max_by_key(BTreeSet::len).unwrap_or_default();
    let mut names: BTreeMap<u64, &str> = BTreeMap::new();
    for address in own {
        if let Some((start, (length, name))) = functions.range(..=address).next_back()
            && address < start + (*length).max(1)
        {
            names.insert(*start, name);
        }
    }
    names.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_ran_are_named_in_their_order() {
        let symbols = "0000000000001000 0000000000000010 t first\n0000000000001010 0000000000000010 T second\n\
                       0000000000001020 0000000000000010 t third\n0000000000002000 0000000000000010 d data\n\
                       0000000000003000 T without_length";
        let trace = "ob=(1) /lib/c.so\n0x1014 0 1\nob=(2)\nfn=(3) x\n0x1024 0 1\n+4 0 1\n-32 0 1\n* 0 2\ncalls=1 0 0\n";
        assert_eq!(executed(trace, &functions(symbols)), ["first", "third"]);
    }
}
