//! A binary, a fresh home and a fresh workspace.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct Hermes {
    folder: TempDir,
    env: Vec<(String, String)>,
}

/// Says of the calls 444 to 446 that there are none, and goes on as another program.
const WITHOUT_LANDLOCK: &str = "import ctypes, os, struct, sys
steps = [(0x20, 0, 0, 0), (0x35, 0, 2, 444), (0x25, 1, 0, 446), (6, 0, 0, 0x50000 | 38), (6, 0, 0, 0x7fff0000)]
steps = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack('HxxxxxxP', 5, ctypes.addressof(steps)))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, program) == 0
os.execv(sys.argv[1], sys.argv[1:])";

/// What a run printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Hermes {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Hermes { folder, env: Vec::new() }
    }

    pub(crate) fn with_env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Writes the user's configuration file.
    pub(crate) fn with_config(self, text: &str) -> Self {
        std::fs::create_dir_all(self.home()).unwrap();
        std::fs::write(self.home().join("config.yaml"), text).unwrap();
        self
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.work().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_hermes"));
        command.args(arguments);
        command
    }

    fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.work())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            .env("HERMES_HOME", self.home())
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    /// A run on a kernel that has no Landlock, for all that can be seen.
    pub(crate) fn run_without_landlock(&self, arguments: &[&str]) -> Ran {
        let mut command = self.program("python3");
        command.args(["-c", WITHOUT_LANDLOCK, env!("CARGO_BIN_EXE_hermes")]).args(arguments);
        Ran::from(command.output().unwrap())
    }

    /// A run whose answer goes into a file.
    pub(crate) fn run_into(&self, arguments: &[&str], file: std::fs::File) -> Ran {
        Ran::from(self.command(arguments).stdout(file).output().unwrap())
    }

    /// A run that ends when all memory it can write, its threads' stacks included, is more than this.
    pub(crate) fn run_within(&self, kibibytes: u32, arguments: &[&str]) -> Ran {
        let mut command = self.program("sh");
        let script = format!("ulimit -d {kibibytes} && exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_hermes")]).args(arguments);
        Ran::from(command.output().unwrap())
    }

    /// A run where nobody may make namespaces, as in many containers.
    pub(crate) fn run_without_namespaces(&self, arguments: &[&str]) -> Ran {
        self.run_without_namespaces_by(&[], arguments)
    }

    /// A run that has neither.
    pub(crate) fn run_without_walls(&self, arguments: &[&str]) -> Ran {
        self.run_without_namespaces_by(&["python3", "-c", WITHOUT_LANDLOCK], arguments)
    }

    fn run_without_namespaces_by(&self, by: &[&str], arguments: &[&str]) -> Ran {
        const NONE: &str = "echo 0 > /proc/sys/user/max_user_namespaces && \
            exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs \"$@\"";
        let mut command = self.program("unshare");
        command.args(["-Ur", "sh", "-c", NONE, "sh"]).args(by);
        Ran::from(command.arg(env!("CARGO_BIN_EXE_hermes")).args(arguments).output().unwrap())
    }

    /// A script of a shell that may mount; `$0` is the program.
    pub(crate) fn run_mounting(&self, script: &str) -> Ran {
        let mut command = self.program("unshare");
        command.args(["-Urm", "sh", "-c", script, env!("CARGO_BIN_EXE_hermes")]);
        Ran::from(command.output().unwrap())
    }

    /// A run as an ordinary user, where the tests are run by root.
    pub(crate) fn run_as_nobody(&self, arguments: &[&str]) -> Ran {
        if !is_root() {
            return self.run(arguments);
        }
        let program = self.folder.path().join("hermes");
        if !program.exists() {
            std::fs::copy(env!("CARGO_BIN_EXE_hermes"), &program).unwrap();
            std::fs::create_dir_all(self.home()).unwrap();
        }
        let given = Command::new("chown").args(["-R", "nobody"]).arg(self.folder.path()).status();
        assert!(given.unwrap().success());
        let mut command = self.program("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(program).args(arguments);
        Ran::from(command.output().unwrap())
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.spawn(arguments);
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let feeding = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
        let output = child.wait_with_output().unwrap();
        feeding.join().unwrap();
        Ran::from(output)
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|facts| std::os::unix::fs::MetadataExt::uid(&facts) == 0)
}

/// Whether no thread of a process has anything to do. One that is only kept waiting for a processor has.
pub(crate) fn at_rest(pid: u32) -> bool {
    let before = switches_while_asleep(pid);
    std::thread::sleep(Duration::from_millis(20));
    before.is_some() && before == switches_while_asleep(pid)
}

/// How often its threads have changed between working and waiting so far; nothing if one works right now.
fn switches_while_asleep(pid: u32) -> Option<Vec<String>> {
    let mut switches = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let status = std::fs::read_to_string(thread.path().join("status")).ok()?;
        if !status.lines().any(|line| line.starts_with("State:\tS")) {
            return None;
        }
        switches.extend(status.lines().filter(|line| line.contains("ctxt_switches")).map(str::to_owned));
    }
    Some(switches)
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }

    /// The answers of a command that prints one JSON object per line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// One request with these calls.
pub(crate) fn request(calls: &[(&str, Value)]) -> String {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            serde_json::json!({
                "id": format!("c{}", index + 1),
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            })
        })
        .collect();
    serde_json::json!({ "tool_calls": calls }).to_string()
}

pub(crate) fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read_to_string(path).unwrap()
}
