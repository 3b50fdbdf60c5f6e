//! A folder that is swapped for a symbolic link while calls run. The answer may be an error; it may never
//! be something from the other side of the link.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hermes_policy::{PathRoots, Pattern, Rules};
use hermes_testkit::{TestRuntime, TestSession};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

const ROUNDS: usize = 1_500;

#[tokio::test(flavor = "multi_thread")]
async fn a_swapped_folder_never_leads_outside() {
    let test = TestRuntime::new().await;
    let outside = test.workspace().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("a.txt"), "PRIVATE").unwrap();
    test.write("dir/a.txt", "inside");
    symlink(&outside, test.path("link")).unwrap();
    let session = confined(&test);

    let swapper = Swapper::start(test.path("dir"), test.path("link"));
    let (mut read, mut written, mut listed) = (0, 0, 0);
    for round in 0..ROUNDS {
        let outcome = session.call("read_file", json!({"path": "dir/a.txt", "line_numbers": false})).await;
        if let Ok(value) = outcome.result {
            assert_ne!(value["content"], "PRIVATE");
            read += 1;
        }
        let new = json!({"path": format!("dir/new{}.txt", round % 7), "content": "x"});
        written += usize::from(session.call("write_file", new).await.is_success());
        let outcome = session.call("directory_list", json!({"path": "dir"})).await;
        listed += usize::from(outcome.is_success());
    }
    swapper.stop();
    let names: Vec<_> =
        std::fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.txt"], "something was written outside");
    assert!(
        read > 0 && written > 0 && listed > 0,
        "{read} reads, {written} writes, {listed} lists went through"
    );
}

/// Everything is allowed, but only inside the workspace.
fn confined(test: &TestRuntime) -> TestSession {
    let roots = vec![test.workspace().to_owned()];
    let rules = Rules {
        name: "confined".into(),
        allow: vec![Pattern::parse("*").unwrap()],
        roots: PathRoots { read: roots.clone(), write: roots, ..PathRoots::default() },
        ..Rules::default()
    };
    test.session_with(|options| options.policy = Arc::new(rules))
}

/// Exchanges two names as fast as it can.
struct Swapper {
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

impl Swapper {
    fn start(a: PathBuf, b: PathBuf) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let swap = move |a: &Path, b: &Path| renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).unwrap();
        let thread = std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                swap(&a, &b);
                std::hint::spin_loop();
                swap(&a, &b);
            }
        });
        Swapper { stop, thread }
    }

    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
    }
}

/// The only file of an archive may go away between the look and the opening: then there is no archive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archive_of_one_file_is_never_empty() {
    let test = TestRuntime::new().await;
    test.write("d/a.txt", "a\n");
    let (here, away) = (test.path("d/a.txt"), test.path("away"));
    let done = Arc::new(AtomicBool::new(false));
    let until = Arc::clone(&done);
    let mover = std::thread::spawn(move || {
        while !until.load(Ordering::Relaxed) {
            std::fs::rename(&here, &away).unwrap();
            std::fs::rename(&away, &here).unwrap();
        }
    });
    let mut refused = 0;
    for _ in 0..ROUNDS / 3 {
        let pack = json!({
            "action": "compress", "source": "d", "destination": "a.gz", "format": "gz", "overwrite": true
        });
        match test.call("file_compress", pack).await.result {
            Ok(packed) => assert_eq!(packed["files"], 1, "{packed}"),
            Err(_) => refused += 1,
        }
    }
    done.store(true, Ordering::Relaxed);
    mover.join().unwrap();
    assert!(refused > 0, "it never went away");
}
