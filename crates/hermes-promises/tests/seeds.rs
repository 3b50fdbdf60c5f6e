//! Every promise holds for every seed: rows of the fixtures, lines and files of `fuzz/seeds`, and each of them cut
//! short or with a byte turned, which is where a fuzzer begins too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that stops says why")]

use std::path::{Path, PathBuf};

use hermes_promises as promises;

type Promise = fn(&[u8]);

/// Beyond this many of one kind the next ones say little that is new.
const MOST: usize = 150;

fn own_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn seeds() -> PathBuf {
    own_folder().join("../../fuzz/seeds")
}

fn fixture(crate_name: &str, file: &str) -> PathBuf {
    own_folder().join("..").join(crate_name).join("tests/fixtures").join(file)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lines_of(path: PathBuf) -> Vec<String> {
    read(&path).lines().map(str::to_owned).collect()
}

fn files_of(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(seeds().join(folder)).unwrap();
    entries.map(|entry| read(&entry.unwrap().path())).collect()
}

/// The commands of the judge's own rows: the last field of each line.
fn commands() -> Vec<String> {
    let rows = lines_of(fixture("hermes-policy", "heldout_dangerous.txt"));
    rows.iter().filter_map(|row| Some(row.rsplit_once('\t')?.1.replace("\\n", "\n"))).collect()
}

#[track_caller]
fn hold(promise: Promise, seeds: Vec<String>) {
    assert!(!seeds.is_empty());
    let step = seeds.len().div_ceil(MOST);
    for seed in seeds.iter().step_by(step) {
        let bytes = seed.as_bytes();
        promise(bytes);
        let middle = bytes.len() / 2;
        promise(&bytes[..middle]);
        let mut turned = bytes.to_vec();
        turned.get_mut(middle).into_iter().for_each(|byte| *byte ^= 0x15);
        promise(&turned);
    }
}

#[test]
fn arguments() {
    hold(promises::arguments::holds, lines_of(seeds().join("arguments.txt")));
}

#[test]
fn coerce() {
    hold(promises::coerce::holds, lines_of(fixture("hermes-core", "coercion.jsonl")));
}

#[test]
fn command() {
    hold(promises::command::holds, commands());
}

#[test]
fn handles() {
    hold(promises::handles::holds, lines_of(seeds().join("handles.txt")));
}

#[test]
fn names() {
    hold(promises::names::holds, files_of("names"));
    hold(promises::names::holds, lines_of(fixture("hermes-core", "tool_name_repair.jsonl")));
}

#[test]
fn normalise() {
    hold(promises::normalise::holds, lines_of(fixture("hermes-core", "schema_sanitize.jsonl")));
    hold(promises::normalise::holds, lines_of(seeds().join("normalise.txt")));
}

#[test]
fn redact() {
    hold(promises::redact::holds, files_of("redact"));
}

#[test]
fn request() {
    hold(promises::request::holds, lines_of(seeds().join("request.txt")));
}

#[test]
fn sanitise() {
    hold(promises::sanitise::holds, lines_of(fixture("hermes-core", "sanitize_error.jsonl")));
}

#[test]
fn search() {
    hold(promises::search::holds, lines_of(seeds().join("search.txt")));
}

#[test]
fn shell() {
    hold(promises::shell::holds, commands());
}

#[test]
fn toolsets() {
    let sets = own_folder().join("../hermes-tools/src/toolsets.yaml");
    hold(promises::toolsets::holds, vec![read(&sets)]);
}

/// The fuzzer's own programs need a compiler that the workspace does not, so nothing here builds them. They hold
/// nothing that could break: one call of a promise, which is built here.
#[test]
fn every_program_of_the_fuzzer_is_one_call_of_its_promise() {
    let fuzz = seeds().join("..");
    let manifest = read(&fuzz.join("Cargo.toml"));
    let promises = read(&own_folder().join("src/lib.rs"));
    let own = read(&own_folder().join("tests/seeds.rs"));
    let promised = promises.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for name in promised {
        let program = read(&fuzz.join(format!("fuzz_targets/{name}.rs")));
        let call =
            format!("libfuzzer_sys::fuzz_target!(|data: &[u8]| hermes_promises::{name}::holds(data));");
        assert_eq!(program, format!("#![no_main]\n\n{call}\n"));
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")),
            "{name} in fuzz/Cargo.toml"
        );
        assert!(own.contains(&format!("promises::{name}::holds")), "{name} is tried on seeds");
    }
}
