//! The Python package as people install it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/python")
}

fn python(arguments: &[&str], path: &Path) -> String {
    let done = Command::new("python3")
        .args(arguments)
        .env("PYTHONPATH", path)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
    text(&done.stdout)
}

#[test]
fn pip_installs_it_without_a_network() {
    let target = tempfile::tempdir().unwrap();
    let shown = target.path().display().to_string();
    let package = package().display().to_string();
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--disable-pip-version-check",
        "--target",
        &shown,
        &package,
    ];
    python(&pip, Path::new(""));
    let script = "
from hermes.tools import tool, BaseTool, ToolContext, ToolResult
import hermes.tools, importlib.metadata
print(hermes.tools.__file__)
print(importlib.metadata.version('hermes-tools'), importlib.metadata.requires('hermes-tools'))
";
    let said = python(&["-c", script], target.path());
    assert_eq!(said, format!("{shown}/hermes/tools/__init__.py\n0.1.0 None\n"));
}

#[test]
fn it_keeps_to_the_grammar_of_python_3_9() {
    let script = "
import ast, pathlib, sys
for path in sorted(pathlib.Path(sys.argv[1]).rglob('*.py')):
    ast.parse(path.read_text(), str(path), feature_version=(3, 9))
    print(path.name)
";
    let said = python(&["-c", script, &package().display().to_string()], Path::new(""));
    assert!(said.lines().count() > 10, "{said}");
}
