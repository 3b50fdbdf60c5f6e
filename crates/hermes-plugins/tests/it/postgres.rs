//! The handbook's database example with a real PostgreSQL server, started for the test and ended with it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::python::DATABASE;
use super::support::{enable, write_plugin};

/// Whom the server runs as where the test is root, as which it refuses to.
const NOBODY: u32 = 65_534;

struct Postgres {
    server: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Postgres {
    async fn start() -> Postgres {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        for path in [folder.path(), &data] {
            // Only root may give things away, and only root has to.
            let _ = std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY));
        }
        let made = unprivileged(&programs.join("initdb"), folder.path())
            .args(["--auth=trust", "--username=tester", "--no-sync", "--no-locale", "--encoding=UTF8", "-D"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = unprivileged(&programs.join("postgres"), folder.path())
            .arg("-D")
            .arg(&data)
            .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-k", "", "-F"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut postgres = Postgres { server, port, _folder: folder };
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            assert!(postgres.server.try_wait().unwrap().is_none(), "the server ended at once");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        postgres
    }

    fn url(&self) -> String {
        format!("postgresql://tester@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Its helpers end when they notice that it is gone.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Where Debian keeps the server's programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    found.retain(|bin| bin.join("postgres").exists());
    found.sort();
    found.pop().expect("PostgreSQL is missing; get it with: cargo xtask setup")
}

fn unprivileged(program: &Path, folder: &Path) -> Command {
    use std::os::unix::fs::MetadataExt;
    let mut command = if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
        let mut command = Command::new("setpriv");
        command.arg(format!("--reuid={NOBODY}")).arg(format!("--regid={NOBODY}")).arg("--clear-groups");
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir(folder).stdout(Stdio::null());
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_example_queries_postgresql() {
    let postgres = Postgres::start().await;
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    // The system's own Python has the system's own driver.
    let manifest = "command: [/usr/bin/python3, -m, hermes.tools, database.py]\npermissions: [database:read, database:write]";
    let _own =
        enable(&runtime, &write_plugin(&runtime, "database", manifest, &[("database.py", DATABASE)])).await;
    let query = async |text: &str| {
        let arguments = json!({"connection_string": postgres.url(), "query": text});
        runtime.call("database_query_advanced", arguments).await.result
    };
    query("create table t (a integer, b text)").await.unwrap();
    query("insert into t values (1, 'x'), (2, 'ü')").await.unwrap();
    let result = query("select a, b from t order by a").await.unwrap();
    assert_eq!((&result["rows"], &result["columns"]), (&json!([[1, "x"], [2, "ü"]]), &json!(["a", "b"])));
    assert_eq!(result["row_count"], 2);
    // A failed statement leaves the connection usable.
    let error = query("insert into t values ('no number', 'x')").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ExecFailed);
    assert!(error.message.contains("invalid input syntax"), "{error}");
    assert_eq!(query("select count(*) from t").await.unwrap()["rows"], json!([[2]]));
}
