//! Makes the attempts and tells which walls held.

use std::fs::{DirBuilder, File};
use std::io;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use tokio::io::AsyncReadExt;

use super::attempts::{ATTEMPTS, Attempt};
use crate::env::Env;
use crate::process::{Bounds, Child, Confinement, Launch, Level, Limits, Stream};

/// What came of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub wall: &'static str,
    pub held: bool,
    /// Not promised at this level.
    pub beyond: bool,
    /// The last line the attempt printed.
    pub said: String,
}

/// What came of all.
#[derive(Clone, Debug)]
pub struct Proven {
    pub level: Level,
    /// Why it is not more.
    pub lacking: Option<String>,
    pub bounds: Bounds,
    pub proofs: Vec<Proof>,
}

/// Makes every attempt in a fresh place below `folder`, which is removed again. No other command may write in that
/// folder: whoever does could have something else removed.
pub async fn prove(folder: &Path, env: &Env) -> Result<Proven, String> {
    let text = |error: io::Error| format!("{}: {error}", folder.display());
    let place = Place::make(folder).map_err(text)?;
    let mut proven = Proven { level: Level::Sealed, lacking: None, bounds: Bounds::Tree, proofs: Vec::new() };
    for attempt in ATTEMPTS {
        place.put_back().map_err(text)?;
        let (said, child) = place.run(attempt, env).await?;
        let (level, lacking) = child.level();
        proven.level = proven.level.min(level);
        proven.lacking = proven.lacking.or_else(|| crate::terminal::lacking(level, lacking));
        if child.bounds() != Some(Bounds::Tree) {
            proven.bounds = Bounds::EachProcess;
        }
        let untouched = place.is_untouched();
        proven.proofs.push(Proof {
            wall: attempt.wall,
            held: untouched && !said.lines().any(|line| line == "escaped"),
            beyond: (level < Level::Sealed && !attempt.fenced)
                || (proven.bounds == Bounds::EachProcess && attempt.tree),
            said: said.lines().last().unwrap_or_default().to_owned(),
        });
    }
    Ok(proven)
}

/// A workspace, something outside of it, and something hidden. Removed when dropped.
struct Place {
    root: PathBuf,
    listener: TcpListener,
    _service: UnixListener,
}

/// Enough for every attempt that does not try to use more.
const LIMITS: Limits =
    Limits { memory_bytes: Some(256 << 20), processes: Some(64), file_bytes: None, open_files: None };

const CONTENT: &str = "as it was";
const SECRET: &str = "a secret that nobody may read";

impl Place {
    fn make(folder: &Path) -> io::Result<Self> {
        crate::private::folder(folder)?;
        let name = format!("sandbox-test-{}", uuid::Uuid::new_v4().simple());
        let root = folder.canonicalize()?.join(name);
        DirBuilder::new().mode(0o700).create(&root)?;
        for name in ["work/.git/hooks", "outside", "secrets"] {
            std::fs::create_dir_all(root.join(name))?;
        }
        std::fs::write(root.join("secrets/key"), SECRET)?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        // The name of a socket must be short, whatever that of the folder is.
        let outside = File::open(root.join("outside"))?;
        let _service = UnixListener::bind(format!("/proc/self/fd/{}/service", outside.as_raw_fd()))?;
        Ok(Place { root, listener, _service })
    }

    fn put_back(&self) -> io::Result<()> {
        std::fs::write(self.root.join("outside/file"), CONTENT)
    }

    fn is_untouched(&self) -> bool {
        let outside = self.root.join("outside");
        let names = std::fs::read_dir(&outside).into_iter().flatten().flatten().count();
        let content = std::fs::read_to_string(outside.join("file")).unwrap_or_default();
        names == 2 && content == CONTENT
    }

    fn confinement(&self) -> Confinement {
        let work = self.root.join("work");
        Confinement {
            protected: vec![work.join(".git/hooks"), work.join(".hermes")],
            hidden: vec![self.root.join("secrets")],
            writable: vec![work],
            ..Confinement::default()
        }
    }

    /// What an attempt said, and the program that made it, which has ended.
    async fn run(&self, attempt: &Attempt, env: &Env) -> Result<(String, Child), String> {
        let port = self.listener.local_addr().map_err(|error| error.to_string())?.port();
        let variables = [
            ("PATH", env.get("PATH").unwrap_or("/usr/bin:/bin").to_owned()),
            ("PORT", port.to_string()),
            ("RUNTIME", std::process::id().to_string()),
        ];
        let launch = Launch {
            stdin: Stream::Null,
            stderr: Stream::Merged,
            confinement: Some(self.confinement()),
            limits: LIMITS,
            ..Launch::new(["bash", "-c", attempt.script], self.root.join("work")).with_env(variables)
        };
        let mut child = Child::start(&launch).await?;
        let mut said = Vec::new();
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_end(&mut said).await.map_err(|error| error.to_string())?;
        }
        child.wait().await?;
        Ok((String::from_utf8_lossy(&said).into_owned(), child))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
