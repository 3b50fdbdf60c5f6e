//! The file tools beside what they are made of: ripgrep, a bare read, a bare durable write.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hermes_core::{ToolCall, ToolOutcome};
use hermes_kit::BuiltIns;
use hermes_tools::patching;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::measure::{Start, Time};
use crate::table::Table;
use crate::{house, measure, peer};

const FILES: usize = 100_000;
const SEARCHES: usize = 9;
/// More files than anything remembers.
const READ: usize = 300;

/// Looking through a large tree.
pub fn search(table: &mut Table) {
    with_tools(|folder, call| searches(table, folder, call));
}

/// Reading and changing one file.
pub fn one(table: &mut Table) {
    with_tools(|folder, call| {
        reads(table, folder, call);
        patches(table, folder, call);
    });
    fuzzy(table);
}

fn with_tools(work: impl FnOnce(&Path, Call<'_>)) {
    let folder = tempfile::tempdir().expect("a folder");
    let reactor = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a reactor");
    let host = house::host(&folder.path().join("home"));
    let tools = BuiltIns::registrations().iter().map(|tool| (tool.make)(&host)).collect();
    let session = house::session(&house::runtime(&host, tools, None), "bench");
    let call = |name: &str, arguments: Value| {
        let call = ToolCall::new("c", name, arguments);
        reactor.block_on(session.call(call, &CancellationToken::new()))
    };
    work(folder.path(), &call);
}

type Call<'a> = &'a dyn Fn(&str, Value) -> ToolOutcome;

/// A tree as large as a large project: many small files in many folders.
fn make_tree(root: &Path) {
    let body = "the quick brown fox jumps over the lazy dog and runs into the forest\n".repeat(12);
    for number in 0..FILES {
        let folder = root.join(format!("d{:03}/e{:02}", number % 500, number % 7));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut file = File::create(folder.join(format!("f{number}.txt"))).expect("a file");
        writeln!(file, "{body}line {number}").expect("a line");
        if number % 1_000 == 0 {
            writeln!(file, "needle in file {number}").expect("a line");
        }
    }
}

fn searches(table: &mut Table, folder: &Path, call: Call<'_>) {
    let root = folder.join("tree");
    make_tree(&root);
    for (what, pattern) in
        [("a word in 100 of 100,000 files", "needle in"), ("a pattern with classes", r"line \d+77$")]
    {
        let ours = || {
            let arguments = json!({"pattern": pattern, "path": root, "limit": 1_000});
            assert!(call("search_files", arguments).is_success());
        };
        let theirs = || {
            let ran = Command::new("rg").args(["-n", pattern]).arg(&root).stdout(Stdio::null()).status();
            assert!(ran.expect("ripgrep; get it with: cargo xtask setup").success());
        };
        let (our_time, their_time) = by_turns(ours, theirs);
        table
            .time(format!("search_files, {what}"), our_time)
            .against("rg", their_time.wall)
            .target(1.15 * their_time.wall);
    }
    let names = || {
        assert!(call("file_search", json!({"query": "f99999", "path": root})).is_success());
    };
    let listed = || {
        let ran = Command::new("rg").arg("--files").arg(&root).stdout(Stdio::null()).status();
        assert!(ran.expect("ripgrep; get it with: cargo xtask setup").success());
    };
    let (ours, theirs) = by_turns(names, listed);
    table.time("file_search, fuzzy, 100,000 files", ours).against("rg --files", theirs.wall).target(300e6);
}

/// Two things measured by turns, so that a busy moment hits both.
fn by_turns(mut one: impl FnMut(), mut other: impl FnMut()) -> (Time, Time) {
    one();
    other();
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for _ in 0..SEARCHES {
        let start = Start::now();
        one();
        ones.push(start.per(1));
        let start = Start::now();
        other();
        others.push(start.per(1));
    }
    (measure::median(ones), measure::median(others))
}

fn reads(table: &mut Table, folder: &Path, call: Call<'_>) {
    let paths: Vec<PathBuf> = (0..READ).map(|number| folder.join(format!("lines{number}.txt"))).collect();
    for (number, path) in paths.iter().enumerate() {
        let line = |line: usize| format!("{line}: a line of an ordinary source file, {number}\n");
        std::fs::write(path, (0..500).map(line).collect::<String>()).expect("a file");
    }
    let mut limit = 1_000;
    let mut read = |path: &Path| {
        // Never the same question twice: what was shown already is not shown again.
        limit = if limit > 9_000 { 1_000 } else { limit + 1 };
        call("read_file", json!({"path": path, "limit": limit}))
    };
    let bare = |path: &Path| std::fs::read_to_string(path);
    let mut turn = paths.iter().cycle();
    let bare_each = measure::each(|| turn.next().map(|path| bare(path)));
    let read_each = measure::each(|| turn.next().map(|path| read(path)));
    let Some(path) = paths.first() else { return };
    let (bare, read) = (measure::each(|| bare(path)), measure::each(|| read(path)));
    table
        .time("read_file, 500 lines, each time another file", read_each)
        .against("bare reads", bare_each.wall);
    table.time("read_file, 500 lines", read).against("a bare read", bare.wall).target(3.0 * bare.wall);
    // As a program in the peer's language would measure both.
    let python = peer::bare_read(&paths).wall;
    table.time("read_file, 500 lines, beside Python", read).against("a bare read in Python", python);
    if let Some(peer) = peer::read(paths.get(..READ / 10).unwrap_or_default()) {
        table.time("read_file of the peer", peer).against("a bare read in Python", python);
    }
}

fn patches(table: &mut Table, folder: &Path, call: Call<'_>) {
    let path = folder.join("patched.txt");
    let text = "a line that stays as it is\n".repeat(500);
    std::fs::write(&path, format!("{text}turn 0\n")).expect("a file");
    let durable = measure::each(|| {
        let temporary = folder.join("bare.tmp");
        let mut file = File::create(&temporary).expect("a file");
        file.write_all(text.as_bytes()).expect("content");
        file.sync_all().expect("a sync");
        std::fs::rename(&temporary, folder.join("bare.txt")).expect("a name");
        File::open(folder).expect("a folder").sync_all().expect("a sync");
    });
    let mut turn = 0_u32;
    let patched = measure::each(|| {
        let (old, new) = (format!("turn {turn}\n"), format!("turn {}\n", turn + 1));
        turn += 1;
        let outcome = call("patch", json!({"path": path, "old_string": old, "new_string": new}));
        assert!(outcome.is_success());
    });
    table.time("patch, one line of 500", patched).against("write, sync, rename, sync", durable.wall);
}

fn fuzzy(table: &mut Table) {
    let content: String = (0..3_000)
        .map(|line| format!("    value_{} = compute({line}, other_{});\n", line % 97, line % 31))
        .collect();
    let old: String = (0..30)
        .map(|line| format!("    value_{} = compute({line}, nothing_like_it_{line});\n", line % 97))
        .collect();
    let scan = measure::each(|| content.lines().filter(|line| line.contains("nothing")).count());
    let refused =
        measure::each(|| patching::replace(content.as_bytes(), &old, "x", false).expect_err("no match"));
    table
        .time("patch refused, 30 lines in 3,000", refused)
        .against("looking at every line", scan.wall)
        .target(20e6);
}
