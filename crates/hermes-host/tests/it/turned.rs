//! Programs that already run put links where walls are just being built.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use hermes_host::process::Level;
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::sandbox::Place;

struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Where one of two calls would follow a link and the other would not, one start in fifty is enough.
const STARTS: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_the_place_of_an_open_folder_opens_nothing() {
    let place = Place::new();
    let (open, link) = (place.root.join("work/.git/modules"), place.root.join("work/.git/link"));
    fs::create_dir(&open).unwrap();
    symlink("/", &link).unwrap();
    let mut confinement = place.confinement();
    confinement.writable.extend([open.clone(), place.root.join("work/.git")]);
    let done = AtomicBool::new(false);
    let exchange = || {
        while !done.load(Ordering::Relaxed) {
            renameat_with(CWD, &open, CWD, &link, RenameFlags::EXCHANGE).unwrap();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(exchange);
        // Also where a start fails.
        let _done = Done(&done);
        let starts = async {
            for _ in 0..STARTS {
                let script = "echo x > ../outside/planted; echo x >> ../outside/file; echo fine > new";
                let (text, _, level) = place.run(confinement.clone(), script).await;
                assert_eq!(level, Level::Sealed, "{text}");
            }
        };
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(starts));
    });
    assert!(!place.root.join("outside/planted").exists());
    assert_eq!(fs::read_to_string(place.root.join("outside/file")).unwrap(), "as it was");
    assert_eq!(fs::read_to_string(place.root.join("work/new")).unwrap(), "fine\n");
}
