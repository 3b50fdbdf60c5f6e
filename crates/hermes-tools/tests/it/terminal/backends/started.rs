//! Servers that a test starts and that end with it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A program that must be there.
#[track_caller]
pub(super) fn program(name: &str) -> String {
    let places = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/sbin", "/bin"];
    let found = places.iter().map(|folder| format!("{folder}/{name}")).find(|path| Path::new(path).exists());
    found.unwrap_or_else(|| panic!("'{name}' is not installed; get it with: cargo xtask setup"))
}

/// Killed when dropped.
pub(super) struct Server(Child);

impl Server {
    #[track_caller]
    pub(super) fn start(command: &mut Command) -> Self {
        Server(command.stdin(Stdio::null()).spawn().unwrap())
    }

    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that is asked first takes its own processes along.
        let pid = rustix::process::Pid::from_raw(i32::try_from(self.0.id()).unwrap()).unwrap();
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        for _ in 0..200 {
            if self.0.try_wait().unwrap().is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a command that must work; what it printed.
#[track_caller]
pub(super) fn done(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// One static program and links to it: all that an image needs.
pub(super) fn busybox_root(root: &Path) {
    let busybox = program("busybox");
    for name in ["bin", "root", "tmp"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    std::fs::copy(&busybox, root.join("bin/busybox")).unwrap();
    for name in done(Command::new(&busybox).arg("--list")).lines().filter(|name| *name != "busybox") {
        let link = root.join("bin").join(name);
        if !link.is_symlink() {
            std::os::unix::fs::symlink("busybox", link).unwrap();
        }
    }
}

pub(super) fn until(what: &str, mut ready: impl FnMut() -> bool) {
    for _ in 0..600 {
        if ready() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} did not come up");
}
