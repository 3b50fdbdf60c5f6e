//! Programs behind walls: what they can and cannot do, as whoever runs the tests.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hermes_host::process::{Child, Confinement, Exit, Launch, Level, Stream};
use tokio::io::AsyncReadExt;

/// A place with a workspace, a secret and a bystander.
pub(crate) struct Place {
    _folder: tempfile::TempDir,
    pub(crate) root: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work/.git/hooks", "secrets", "outside"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        std::fs::write(root.join("secrets/key"), "top secret").unwrap();
        std::fs::write(root.join("outside/file"), "as it was").unwrap();
        std::fs::write(root.join(".netrc"), "password").unwrap();
        Place { _folder: folder, root }
    }

    pub(crate) fn confinement(&self) -> Confinement {
        Confinement {
            writable: vec![self.root.join("work")],
            protected: vec![self.root.join("work/.git/hooks"), self.root.join("work/.hermes")],
            hidden: vec![self.root.join("secrets"), self.root.join(".netrc")],
            network: true,
            strict: true,
            ..Confinement::default()
        }
    }

    pub(crate) async fn run(&self, confinement: Confinement, script: &str) -> (String, Exit, Level) {
        let path = std::env::var("PATH").unwrap();
        let launch = Launch {
            stdin: Stream::Null,
            stderr: Stream::Merged,
            confinement: Some(confinement),
            ..Launch::new(["bash", "-c", script], self.root.join("work")).with_env([("PATH", path.as_str())])
        };
        let mut child = Child::start(&launch).await.unwrap();
        let mut text = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut text).await.unwrap();
        let (level, lacking) = child.level();
        assert_eq!(lacking, None);
        (String::from_utf8_lossy(&text).into_owned(), child.wait().await.unwrap(), level)
    }
}

#[tokio::test]
async fn the_workspace_is_open_and_the_rest_is_not() {
    let place = Place::new();
    let script = "echo hello > new; cat new; mkdir -p d && mv new d/; \
        echo x > ../outside/new; echo x > ../outside/file; rm ../outside/file; \
        cat ../secrets/key; ls ../secrets; cat ../.netrc; cat ../outside/file; echo; \
        echo x > .git/hooks/pre-commit; mkdir -p .hermes/x; mv .hermes gone; \
        chmod 777 ../outside/file; touch -d 2001-01-01 ../outside/file; ln ../outside/file linked; echo done";
    let (text, exit, level) = place.run(place.confinement(), script).await;
    assert_eq!((exit.code, level), (Some(0), Level::Sealed), "{text}");
    assert!(text.starts_with("hello\n") && text.ends_with("done\n"), "{text}");
    assert!(text.contains("as it was\n"), "{text}");
    assert!(!text.contains("top secret") && !text.contains("password"), "{text}");
    assert_eq!(std::fs::read_to_string(place.root.join("outside/file")).unwrap(), "as it was");
    let meta = std::fs::metadata(place.root.join("outside/file")).unwrap();
    assert_ne!(meta.permissions().mode() & 0o777, 0o777);
    assert!(meta.modified().unwrap() > std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_500_000_000));
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(place.root.join(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names("work"), [".git", "d"]);
    assert_eq!(names("outside"), ["file"]);
    assert_eq!(names("work/.git/hooks"), Vec::<String>::new());
}

#[tokio::test]
async fn nothing_of_the_runtime_shows() {
    let place = Place::new();
    let script = "grep Cap.*: /proc/self/status; grep NoNewPrivs /proc/self/status; \
        ls /proc | grep -c '^[0-9]'; echo $$; ls /dev; ls /proc/self/fd | wc -l; cat /proc/1/environ | wc -c; true";
    let (text, _, _) = place.run(place.confinement(), script).await;
    for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
        assert!(text.contains(&format!("{name}:\t0000000000000000")), "{text}");
    }
    assert!(text.contains("NoNewPrivs:\t1"), "{text}");
    assert!(text.contains("urandom") && !text.contains("sda") && !text.contains("vda"), "{text}");
}

#[tokio::test]
async fn without_a_grant_there_is_no_network_but_ones_own() {
    let place = Place::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!(
        "(echo > /dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo reached || echo closed; ls /sys/class/net; cat /proc/net/dev"
    );
    let (open, _, _) = place.run(place.confinement(), &script).await;
    assert!(open.starts_with("reached"), "{open}");
    let (closed, _, _) = place.run(Confinement { network: false, ..place.confinement() }, &script).await;
    assert!(closed.starts_with("closed"), "{closed}");
}

#[tokio::test]
async fn what_is_left_behind_is_ended_and_counted() {
    let place = Place::new();
    let (text, exit, _) = place.run(place.confinement(), "setsid sleep 1000 & (sleep 1000 &); echo hi").await;
    assert_eq!((text.as_str(), exit.code, exit.left_behind), ("hi\n", Some(0), 2));
}

#[tokio::test]
async fn signals_and_exit_codes_come_through() {
    let place = Place::new();
    let (_, exit, _) = place.run(place.confinement(), "exit 9").await;
    assert_eq!(exit.code, Some(9));
    let (_, exit, _) = place.run(place.confinement(), "kill -SEGV $$").await;
    assert_eq!(exit.signal, Some(11));
    assert!(Path::new("/proc/self").exists());
}
