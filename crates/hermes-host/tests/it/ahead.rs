//! Namespaces and walls are made before their program comes; what happens outside meanwhile must show in them all the
//! same.

use std::fs;
use std::path::Path;
use std::time::Duration;

use hermes_host::places::Vacant;
use hermes_host::process::Confinement;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::sandbox::Place;

impl Place {
    /// Programs like those to come have run, and what is made ahead for the next one is there.
    async fn settled(&self, confinement: &Confinement) {
        for _ in 0..3 {
            self.run(confinement.clone(), "true").await;
        }
        // Folders that changed a moment ago are not relied on, and the next walls are built beside whatever follows.
        tokio::time::sleep(Duration::from_millis(300)).await;
        self.run(confinement.clone(), "true").await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    async fn says(&self, confinement: &Confinement, script: &str) -> String {
        self.run(confinement.clone(), script).await.0
    }
}

fn replace(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

/// Namespaces are made ahead; what happens outside meanwhile must show in them all the same.
#[tokio::test]
async fn what_is_mounted_between_two_commands_is_seen_by_the_second() {
    let place = Place::new();
    let disk = place.root.join("work/disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| {
        std::process::Command::new(arguments[0]).args(&arguments[1..]).arg(&disk).status().unwrap().success()
    };
    let listed = async || place.run(place.confinement(), "ls disk; true").await.0;
    assert_eq!((listed().await, listed().await), (String::new(), String::new()));
    assert!(
        mount(&["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs"]),
        "this test mounts a small disk; run it as root or in a user namespace: unshare -rm"
    );
    std::fs::write(disk.join("new"), "").unwrap();
    let during = (listed().await, listed().await);
    assert!(mount(&["umount"]));
    assert_eq!(during, ("new\n".to_owned(), "new\n".to_owned()));
    assert_eq!(listed().await, "");
}

#[tokio::test]
async fn what_is_replaced_between_two_commands_stays_hidden() {
    let place = Place::new();
    // In a folder that is written a hidden file has a wall of its own.
    let token = place.root.join("work/token");
    fs::write(&token, "first secret").unwrap();
    let mut confinement = place.confinement();
    confinement.hidden.extend([token.clone(), place.root.join("work/later")]);
    place.settled(&confinement).await;
    replace(&token, "second secret");
    replace(&place.root.join(".netrc"), "third secret");
    fs::rename(place.root.join("secrets"), place.root.join("work/moved")).unwrap();
    fs::create_dir(place.root.join("secrets")).unwrap();
    fs::write(place.root.join("secrets/key"), "fourth secret").unwrap();
    fs::write(place.root.join("work/later"), "fifth secret").unwrap();
    let seen = place.says(&confinement, "cat token later ../.netrc ../secrets/key; ls ..; true").await;
    assert!(!seen.contains("secret\n") && !seen.contains(" secret"), "{seen}");
    assert!(seen.contains("outside") && !seen.contains("new"), "{seen}");
}

#[tokio::test]
async fn a_folder_that_is_moved_away_takes_no_right_along() {
    let place = Place::new();
    let confinement = place.confinement();
    place.settled(&confinement).await;
    let work = place.root.join("work");
    fs::rename(&work, place.root.join("old")).unwrap();
    fs::create_dir(&work).unwrap();
    let seen = place.says(&confinement, "echo x > new && cat new; echo x > ../old/planted; true").await;
    assert!(seen.starts_with("x\n"), "{seen}");
    assert!(!place.root.join("old/planted").exists() && work.join("new").exists(), "{seen}");
}

#[tokio::test]
async fn what_is_new_beside_a_hidden_file_is_seen() {
    let place = Place::new();
    let confinement = place.confinement();
    place.settled(&confinement).await;
    fs::write(place.root.join("beside"), "news").unwrap();
    fs::remove_dir_all(place.root.join("outside")).unwrap();
    let seen = place.says(&confinement, "cat ../beside; ls ..; cat ../.netrc; true").await;
    assert!(seen.starts_with("news") && !seen.contains("outside") && !seen.contains("password"), "{seen}");
}

#[tokio::test]
async fn walls_made_for_others_are_not_used() {
    let place = Place::new();
    let confinement = place.confinement();
    let network = "ls /sys/class/net | grep -v '^lo$' | wc -l; cat /proc/net/dev | wc -l";
    let open = place.says(&confinement, network).await;
    place.settled(&confinement).await;
    let alone = Confinement { network: false, ..confinement.clone() };
    let closed = place.says(&alone, "cat /proc/net/dev | grep -vc lo:").await;
    assert_eq!(closed, "2\n", "only the heading");
    place.settled(&alone).await;
    assert_eq!(place.says(&confinement, network).await, open);
    place.settled(&confinement).await;
    let narrow = Confinement { writable: Vec::new(), ..confinement.clone() };
    let seen = place.says(&narrow, "echo x > new; cat ../secrets/key; true").await;
    assert!(!place.root.join("work/new").exists() && !seen.contains("secret\n"), "{seen}");
    let nested = Confinement { protected: vec![place.root.clone()], ..confinement };
    assert_eq!(place.says(&nested, "echo x > new && cat new").await, "x\n");
}

/// What stands in for a missing folder is moved there, and removed there when the command has ended.
#[tokio::test]
async fn what_stands_in_for_something_comes_and_goes_with_the_command() {
    let place = Place::new();
    let hermes = place.root.join("hermes");
    fs::create_dir(&hermes).unwrap();
    let vacant = Vacant {
        folder: place.root.join("work"),
        quarantine: hermes.join("quarantine"),
        name: "one".to_owned(),
        ..Vacant::default()
    };
    let mut confinement = Confinement { vacant: Some(vacant), ..place.confinement() };
    confinement.hidden.push(hermes.clone());
    let stand_in = place.root.join("work/.hermes");
    let spares = async |expected: usize| {
        while fs::read_dir(hermes.join("placeholders")).map_or(0, Iterator::count) != expected {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    for _ in 0..3 {
        let seen = place.says(&confinement, "ls -d .hermes; mkdir .hermes/x; mv .hermes gone; true").await;
        assert!(seen.starts_with(".hermes\n"), "{seen}");
        assert!(!stand_in.exists() && !place.root.join("work/gone").exists(), "{seen}");
        spares(1).await;
    }
    // Another place has one of its own.
    let other = place.root.join("work/deeper");
    fs::create_dir(&other).unwrap();
    confinement.protected.push(other.join(".hermes"));
    place.says(&confinement, "true").await;
    assert!(!other.join(".hermes").exists());
    spares(2).await;
    // Whoever had one open has nothing afterwards: it does not come back.
    let go = place.root.join("work/go");
    let run = place.run(confinement.clone(), "while [ ! -e go ]; do sleep 0.01; done");
    let hold = async {
        while !stand_in.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let held = fs::File::open(&stand_in).unwrap();
        fs::write(&go, "").unwrap();
        held
    };
    let (_, held) = tokio::join!(run, hold);
    let planted = rustix::fs::openat(&held, "planted", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU);
    assert_eq!(planted.unwrap_err(), Errno::NOENT);
    spares(2).await;
    assert_eq!(place.says(&confinement, "ls -A .hermes").await, "");
    // What somebody makes there meanwhile is theirs.
    fs::remove_file(&go).unwrap();
    let run = place.run(confinement.clone(), "while [ ! -e go ]; do sleep 0.01; done");
    let fill = async {
        while !stand_in.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        fs::write(stand_in.join("mine"), "").unwrap();
        fs::write(&go, "").unwrap();
    };
    tokio::join!(run, fill);
    assert!(stand_in.join("mine").exists());
}
