//! Hundreds of attempts to get out, as whoever runs the tests and, where that is root, as nobody too. The place
//! outside must be, to the last mode and time, what it was.

use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use hermes_host::process::{Child, Confinement, Launch, Level, Stream};
use tokio::io::AsyncReadExt;

const ATTACK: &str = include_str!("../fixtures/escapes.py");
/// Set for the half that runs as nobody.
const AS_NOBODY: &str = "HERMES_TEST_AS_NOBODY";

struct Place {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["space/.git/hooks", "secrets", "outside/folder"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        for name in ["secrets/key", "outside/file", "outside/program", ".netrc"] {
            std::fs::write(root.join(name), "as it was").unwrap();
        }
        std::fs::set_permissions(root.join("outside/program"), PermissionsExt::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink("file", root.join("outside/link")).unwrap();
        Place { _folder: folder, root }
    }

    /// Everything that can be seen of what is outside of the workspace.
    fn seen(&self) -> Vec<String> {
        let mut seen = Vec::new();
        let mut folders =
            vec![self.root.join("outside"), self.root.join("secrets"), self.root.join("space/.git")];
        while let Some(path) = folders.pop() {
            let meta = path.symlink_metadata().unwrap();
            let content = if meta.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
            let facts = (meta.mode(), meta.uid(), meta.gid(), meta.mtime_nsec(), meta.nlink());
            seen.push(format!("{} {facts:?} {content:?}", path.display()));
            if meta.is_dir() {
                folders.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
        seen.sort();
        seen
    }
}

#[tokio::test]
async fn nothing_gets_out() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let work = place.root.join("space");
    let service = UnixDatagram::bind(place.root.join("outside/service")).unwrap();
    service.set_nonblocking(true).unwrap();
    let confinement = Confinement {
        writable: vec![work.clone()],
        protected: vec![work.join(".git/hooks"), work.join(".hermes")],
        hidden: vec![place.root.join("secrets"), place.root.join(".netrc")],
        strict: true,
        ..Confinement::default()
    };
    let arguments = [
        place.root.display().to_string(),
        std::process::id().to_string(),
        listener.local_addr().unwrap().port().to_string(),
    ];
    let python = ["/usr/bin/python3", "/usr/local/bin/python3"].iter().find(|path| Path::new(path).exists());
    let python = python.expect("python3 is not installed; get it with: cargo xtask setup");
    let before = place.seen();
    let argv = [*python, "-c", ATTACK].map(str::to_owned).into_iter().chain(arguments);
    let launch = Launch {
        stdin: Stream::Null,
        stderr: Stream::Merged,
        confinement: Some(confinement),
        ..Launch::new(argv, &work).with_env([("PATH", "/usr/bin:/bin")])
    };
    let mut child = Child::start(&launch).await.unwrap();
    assert_eq!(child.level().0, Level::Sealed);
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).await.unwrap();
    child.wait().await.unwrap();
    assert!(text.ends_with("done\n"), "{text}");
    let escaped: Vec<&str> = text.lines().filter(|line| line.ends_with("ESCAPED")).collect();
    assert_eq!(escaped, Vec::<&str>::new());
    let attempts = text.lines().filter(|line| line.ends_with("held")).count();
    assert!(attempts >= 400, "only {attempts} attempts were made");
    assert_eq!(place.seen(), before);
    assert!(service.recv(&mut [0; 9]).is_err(), "a local service was reached");
    assert!(!work.join(".hermes").exists());
}

#[test]
fn nothing_gets_out_as_nobody_either() {
    if !rustix::process::geteuid().is_root() || std::env::var_os(AS_NOBODY).is_some() {
        // Whoever runs the tests is an ordinary user, and the test above was theirs.
        return;
    }
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let copy = folder.path().join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let output = Command::new(&copy)
        .args(["--exact", "escapes::nothing_gets_out", "--nocapture"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("CANARY", "CANARY")
        .env(AS_NOBODY, "1")
        .current_dir("/")
        .uid(65_534)
        .gid(65_534)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}\n{errors}");
}
