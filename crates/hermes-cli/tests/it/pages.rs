//! Runs every `console` block of README.md and docs/ and compares what the commands print.

use std::path::Path;
use std::process::Command;

use crate::markdown::{blocks, run, steps};

#[track_caller]
fn follow(page: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (home, work) = (folder.path().join("home"), folder.path().join("work"));
    std::fs::create_dir(&home).unwrap();
    std::fs::create_dir(&work).unwrap();
    let blocks = blocks(&text);
    let shown: Vec<_> = blocks.iter().filter(|block| block.language == "console").collect();
    assert!(!shown.is_empty(), "{page} shows no command");
    for step in shown.iter().flat_map(|block| steps(&block.body)) {
        run(&step, shell(&home, &work));
    }
}

/// A shell of a user who has just installed Hermes.
fn shell(home: &Path, work: &Path) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_hermes"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("bash");
    shell
        .current_dir(work)
        .env_clear()
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("HOME", home)
        .env("LANG", "C.UTF-8");
    shell
}

#[test]
fn readme() {
    follow("README.md");
}

#[test]
fn permissions() {
    follow("docs/permissions.md");
}

#[test]
fn toolsets() {
    follow("docs/toolsets.md");
}

#[test]
fn wire() {
    follow("docs/wire.md");
}

#[test]
fn tool_search() {
    follow("docs/tool-search.md");
}

#[test]
fn hooks() {
    follow("docs/hooks.md");
}

#[test]
fn terminal() {
    follow("docs/terminal.md");
}

#[test]
fn sandbox() {
    follow("docs/sandbox.md");
}

#[test]
fn backends() {
    follow("docs/backends.md");
}

#[test]
fn approvals() {
    follow("docs/approvals.md");
}

#[test]
fn yaml_tools() {
    follow("docs/yaml-tools.md");
}

#[test]
fn plugins() {
    follow("docs/plugins.md");
}

#[test]
fn embedding() {
    follow("docs/embedding.md");
    // The programs of the page are the examples that every build compiles.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/embedding.md")).unwrap();
    for block in blocks(&page).iter().filter(|block| block.language == "rust") {
        let file = block.note.and_then(|note| note.strip_prefix("file: ")).unwrap();
        assert_eq!(block.body, std::fs::read_to_string(root.join("../..").join(file)).unwrap(), "{file}");
    }
}

#[test]
fn files() {
    follow("docs/files.md");
}

#[test]
fn mcp() {
    follow("docs/mcp.md");
}
