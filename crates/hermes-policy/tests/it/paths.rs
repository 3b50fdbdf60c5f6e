//! The path table against its own examples, the labelled rows and arbitrary paths.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hermes_core::Verdict;
use hermes_policy::paths::{PathOp, PathVerdict, Places, Table, classify, judge, lexical, names_folder};
use proptest::prelude::*;
use serde_json::Value;

fn ada() -> Places {
    Places::new("/home/ada", "/home/ada/.hermes", [PathBuf::from("/home/ada/work")])
}

fn at(path: &str) -> PathBuf {
    lexical(path, Path::new("/home/ada"), Path::new("/home/ada/work")).unwrap()
}

#[test]
fn every_entry_stops_and_passes_its_examples() {
    let table = Table::parse(hermes_policy::paths::TABLE).unwrap();
    for entry in table.entries() {
        assert!(!entry.stops.is_empty() && entry.passes.len() > 1, "{}: too few examples", entry.category);
        for example in &entry.stops {
            let verdict = entry.judge(&at(&example.path), example.op, &ada());
            assert!(
                verdict > Verdict::Allow,
                "{}: {} {} passes",
                entry.category,
                example.op.as_str(),
                example.path
            );
        }
        for example in &entry.passes {
            let verdict = classify(&at(&example.path), example.op, &ada());
            assert_eq!(
                verdict,
                PathVerdict::Allow,
                "{}: {} {}",
                entry.category,
                example.op.as_str(),
                example.path
            );
        }
    }
}

/// The table finds by names what each of its entries would say when asked alone.
#[test]
fn no_entry_is_overlooked() {
    let table = Table::parse(hermes_policy::paths::TABLE).unwrap();
    let examples = table.entries().iter().flat_map(|entry| entry.stops.iter().chain(&entry.passes));
    for path in examples.map(|example| at(&example.path)) {
        for op in [PathOp::Read, PathOp::Write, PathOp::Search, PathOp::Delete] {
            let alone = table.entries().iter().map(|entry| entry.judge(&path, op, &ada())).max();
            let found = classify(&path, op, &ada()).verdict();
            assert!(Some(found) >= alone, "{} {}: {found:?} for {alone:?}", op.as_str(), path.display());
        }
    }
}

/// The stage of the rows: Alice's machine, with the links that the rows walk through.
struct Alice {
    places: Places,
    links: BTreeMap<PathBuf, PathBuf>,
}

impl Alice {
    fn new() -> Self {
        let home = Path::new("/home/alice");
        let links = [
            ("ln_passwd", "/etc/passwd"),
            ("ln_hop", "ln_passwd"),
            ("ln_shadow", "/etc/shadow"),
            ("ln_etc", "/etc"),
            ("ln_ssh", "/home/alice/.ssh"),
            ("ln_env", ".env"),
            ("ln_zero", "/dev/zero"),
            ("ln_conf", "/home/alice/.hermes/config.yaml"),
            ("ln_home", "/home/alice"),
            ("ln_bashrc", "/home/alice/.bashrc"),
            ("ln_procenv", "/proc/self/environ"),
        ];
        let work = home.join("proj");
        let links = links.iter().map(|(name, target)| (work.join(name), work.join(target))).collect();
        Alice { places: Places::new(home, home.join(".hermes"), [work]), links }
    }

    fn judge(&self, raw: &str, op: PathOp) -> PathVerdict {
        let written = match lexical(raw, &self.places.home, &self.places.home.join("proj")) {
            Ok(path) => path,
            Err(refusal) => {
                return PathVerdict::Deny {
                    category: refusal.category().into(),
                    reason: refusal.to_string(),
                };
            }
        };
        if op.makes_file() && names_folder(raw) {
            return PathVerdict::Deny { category: "folder".into(), reason: raw.into() };
        }
        let mut forms = vec![written];
        while let Some(next) = self.step(forms.last().unwrap()) {
            forms.push(next);
        }
        judge(forms.iter().map(PathBuf::as_path), op, &self.places)
    }

    fn step(&self, path: &Path) -> Option<PathBuf> {
        self.links.iter().find_map(|(link, target)| Some(target.join(path.strip_prefix(link).ok()?)))
    }
}

fn rows(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Counts (stopped, all) attacks and (stopped, all) legitimate rows, and names the wrong ones.
fn confusion(name: &str) -> ([usize; 2], [usize; 2], Vec<String>) {
    let (mut attacks, mut honest, mut wrong) = ([0, 0], [0, 0], Vec::new());
    let alice = Alice::new();
    for row in rows(name) {
        let (path, op) = (row["path"].as_str().unwrap(), row["op"].as_str().unwrap());
        let verdict = alice.judge(path, PathOp::named(op).unwrap());
        let (stopped, allowed) = (verdict.verdict() > Verdict::Allow, row["allowed"].as_bool().unwrap());
        let count = if allowed { &mut honest } else { &mut attacks };
        *count = [count[0] + usize::from(stopped), count[1] + 1];
        if stopped == allowed {
            wrong.push(format!("{op} {path}: {verdict:?}"));
        }
    }
    (attacks, honest, wrong)
}

#[test]
fn the_labelled_rows_are_judged_as_labelled() {
    for (file, least) in [("paths.jsonl", 89), ("paths_heldout.jsonl", 200), ("paths_fresh.jsonl", 400)] {
        let (attacks, honest, wrong) = confusion(file);
        println!("{file}: attacks stopped {attacks:?}, legitimate stopped {honest:?}");
        assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
        assert!(attacks[1] + honest[1] >= least);
    }
}

#[test]
fn a_link_is_judged_in_every_form() {
    let alice = Alice::new();
    assert_eq!(alice.judge("ln_home/notes.md", PathOp::Read), PathVerdict::Allow);
    assert_eq!(alice.judge("ln_passwd", PathOp::Read), PathVerdict::Allow);
    assert_eq!(alice.judge("ln_ssh/config", PathOp::Read).category(), Some("ssh"));
    assert_eq!(judge([], PathOp::Read, &ada()).verdict(), Verdict::Deny);
}

#[test]
fn commands_have_streams_and_a_smaller_home() {
    let shell = ada().for_shell();
    let verdict = |path: &str, op| classify(&at(path), op, &shell).verdict();
    for path in ["/dev/null", "/dev/stderr", "/dev/tty", "/dev/fd/2"] {
        assert_eq!(verdict(path, PathOp::Write), Verdict::Allow, "{path}");
    }
    assert_eq!(verdict("/dev/zero", PathOp::Read), Verdict::Allow);
    assert_eq!(verdict("/dev/null", PathOp::Delete), Verdict::Deny);
    assert_eq!(verdict("/dev/sda", PathOp::Write), Verdict::Deny);
    assert_eq!(verdict("~/notes.md", PathOp::Write), Verdict::Ask);
    assert_eq!(classify(&at("~/notes.md"), PathOp::Write, &ada()), PathVerdict::Allow);
}

#[test]
fn a_workspace_inside_a_protected_place_can_be_worked_in() {
    let opened = |root: &str| Places::new("/home/ada", "/home/ada/.hermes", [PathBuf::from(root)]);
    let write = |path: &str, root: &str| classify(Path::new(path), PathOp::Write, &opened(root)).verdict();
    assert_eq!(write("/etc/nixos/configuration.nix", "/etc/nixos"), Verdict::Allow);
    assert_eq!(write("/etc/passwd", "/etc/nixos"), Verdict::Ask);
    assert_eq!(write("/home/ada/.config/nvim/init.lua", "/home/ada/.config/nvim"), Verdict::Allow);
    assert_eq!(write("/home/ada/.bashrc", "/home/ada/.config/nvim"), Verdict::Ask);
    assert_eq!(write("/home/ada/.bashrc", "/home/ada"), Verdict::Ask);
    assert_eq!(write("/etc/passwd", "/"), Verdict::Ask);
    assert_eq!(write("/home/ada/.hermes/work/x", "/home/ada/.hermes/work"), Verdict::Deny);
    // A home that lies in a temporary folder is a home first.
    let home = Places::new("/tmp/t/ada", "/tmp/t/ada/.hermes", [PathBuf::from("/tmp/t/ada/work")]);
    assert_eq!(classify(Path::new("/tmp/t/ada/notes"), PathOp::Delete, &home).verdict(), Verdict::Ask);
    assert_eq!(classify(Path::new("/tmp/t/ada/work/x"), PathOp::Delete, &home).verdict(), Verdict::Allow);
}

#[test]
fn whole_folders_are_neither_written_nor_removed() {
    for path in ["/", "/home", "~", ".", "/tmp"] {
        for op in [PathOp::Write, PathOp::Delete, PathOp::Rename, PathOp::Symlink] {
            assert_eq!(classify(&at(path), op, &ada()).verdict(), Verdict::Deny, "{} {path}", op.as_str());
        }
        assert_eq!(classify(&at(path), PathOp::List, &ada()), PathVerdict::Allow);
    }
    assert_eq!(classify(&at("."), PathOp::Extract, &ada()), PathVerdict::Allow);
}

fn op() -> impl Strategy<Value = PathOp> {
    prop::sample::select(PathOp::ALL)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn any_text_gets_an_answer(raw in any::<String>(), op in op()) {
        let _ = Alice::new().judge(&raw, op);
    }

    #[test]
    fn cleaning_twice_is_cleaning_once(raw in "[~./a$% -]{0,24}|\\PC{0,24}") {
        let (home, cwd) = (Path::new("/home/alice"), Path::new("/home/alice/proj"));
        if let Ok(once) = lexical(&raw, home, cwd) {
            prop_assert!(once.is_absolute());
            let again = lexical(once.to_str().unwrap(), home, cwd).unwrap();
            prop_assert_eq!(&again, &once);
            prop_assert!(once.components().all(|part| part.as_os_str() != ".." && part.as_os_str() != "."));
        }
    }

    /// However a sensitive path is spelled, it stays sensitive.
    #[test]
    fn spelling_does_not_help(index in any::<prop::sample::Index>(), detours in prop::collection::vec(0_usize..4, 1..5), shout in any::<bool>()) {
        let sensitive = ["~/.ssh/id_rsa", "~/.aws/credentials", ".env", "/etc/shadow", "~/.hermes/state.db", "/proc/self/environ", "/dev/zero"];
        let plain = sensitive[index.index(sensitive.len())];
        let mut spelled = String::new();
        let mut detours = detours.into_iter().cycle();
        for (number, name) in plain.split('/').enumerate() {
            if number > 0 {
                spelled.push_str(["/", "//", "/./", "/x/../"][detours.next().unwrap()]);
            }
            spelled.push_str(name);
        }
        if shout {
            spelled = spelled.to_uppercase();
        }
        prop_assert!(Alice::new().judge(&spelled, PathOp::Read).verdict() > Verdict::Allow, "{}", spelled);
    }
}
