//! Files and folders that change in the ways of editors and deployments, and what is noticed of it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hermes_host::home::Home;
use hermes_plugins::{GRACE, OwnTools, Registered, RegisteredFile, Watch};
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::support::{apply, host};

fn saying(name: &str, word: &str) -> String {
    format!("tools: [{{name: {name}, description: '{word}', type: command, command: [printf, '{word}']}}]")
}

struct Place {
    runtime: TestRuntime,
    own: OwnTools,
    watch: Watch,
}

impl Place {
    /// These files, registered and looked at.
    async fn of(files: &[PathBuf], runtime: TestRuntime) -> Place {
        let home = Home::at(runtime.host().home.clone());
        let list: Vec<_> = files.iter().map(|file| RegisteredFile::agreeing(file.clone(), &[])).collect();
        std::fs::write(Registered::of(&home).path(), json!({"files": list}).to_string()).unwrap();
        let own = OwnTools::new(host(&runtime), home, runtime.workspace().to_owned());
        let mut place = Place { runtime, own, watch: Watch::new().unwrap() };
        assert_eq!(place.look().await, [""; 0]);
        place
    }

    async fn look(&mut self) -> Vec<String> {
        self.look_at(Instant::now()).await
    }

    async fn look_at(&mut self, now: Instant) -> Vec<String> {
        let told = apply(self.runtime.runtime().registry(), self.own.look(now).await.unwrap());
        self.watch.set(self.own.watched());
        told
    }

    fn word(&self, name: &str) -> Option<String> {
        let snapshot = self.runtime.runtime().registry().snapshot();
        snapshot.get(name).map(|entry| entry.info().description.clone())
    }

    /// Waits for changes until a tool says this.
    async fn until(&mut self, name: &str, word: &str) {
        while self.word(name).as_deref() != Some(word) {
            self.watch.changed().await;
            self.look().await;
        }
    }
}

#[tokio::test]
async fn a_folder_that_is_made_again_is_followed_again() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let file = runtime.write("deep/er/tools.yaml", saying("t", "first"));
    let mut place = Place::of(std::slice::from_ref(&file), runtime).await;
    let deep = file.ancestors().nth(2).unwrap();
    std::fs::remove_dir_all(deep).unwrap();
    place.watch.changed().await;
    let now = Instant::now();
    place.look_at(now).await;
    place.look_at(now + GRACE).await;
    assert_eq!(place.word("t"), None);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, saying("t", "second")).unwrap();
    place.until("t", "second").await;
    std::fs::write(&file, saying("t", "third")).unwrap();
    place.until("t", "third").await;
    // And in one go, so that nobody sees it missing.
    std::fs::rename(deep, deep.with_extension("old")).unwrap();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, saying("t", "fourth")).unwrap();
    place.until("t", "fourth").await;
    std::fs::write(&file, saying("t", "fifth")).unwrap();
    place.until("t", "fifth").await;
}

fn point(link: &Path, target: &str) {
    let next = link.with_extension("next");
    std::os::unix::fs::symlink(target, &next).unwrap();
    std::fs::rename(next, link).unwrap();
}

/// As deployments do it, and as files of a cluster's configuration come.
#[tokio::test]
async fn an_exchanged_link_is_another_version() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    runtime.write("one/tools.yaml", saying("t", "first"));
    runtime.write("two/tools.yaml", saying("t", "second"));
    let link = runtime.workspace().join("current");
    point(&link, "one");
    std::os::unix::fs::symlink("current/tools.yaml", runtime.workspace().join("tools.yaml")).unwrap();
    let file = runtime.workspace().join("tools.yaml");
    let mut place = Place::of(&[file], runtime).await;
    assert_eq!(place.word("t").as_deref(), Some("first"));
    point(&link, "two");
    place.until("t", "second").await;
    std::fs::remove_dir_all(place.runtime.workspace().join("one")).unwrap();
    std::fs::write(place.runtime.workspace().join("two/tools.yaml"), saying("t", "third")).unwrap();
    place.until("t", "third").await;
}

#[tokio::test]
async fn a_renamed_file_takes_its_tools_along() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let (old, new) =
        (runtime.write("a.yaml", saying("t", "same")), runtime.write("b.yaml", saying("u", "u")));
    let mut place = Place::of(&[old.clone(), new.clone()], runtime).await;
    std::fs::rename(&old, &new).unwrap();
    let now = Instant::now();
    let told = place.look_at(now).await;
    assert_eq!(told.len(), 1, "only that a file is missing: {told:?}");
    assert_eq!(place.word("t").as_deref(), Some("same"));
    assert_eq!(place.word("u"), None);
    assert_eq!(place.look_at(now + GRACE).await, [""; 0]);
    assert_eq!(place.word("t").as_deref(), Some("same"));
}

#[tokio::test]
async fn five_hundred_files_at_once_are_one_change() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let write = |runtime: &TestRuntime, n: usize, word: &str| {
        runtime.write(&format!("f{n}.yaml"), saying(&format!("t{n}"), word))
    };
    let files: Vec<PathBuf> = (0..500).map(|n| write(&runtime, n, "first")).collect();
    let mut place = Place::of(&files, runtime).await;
    let generation = place.runtime.runtime().registry().generation();
    (0..500).for_each(|n| {
        write(&place.runtime, n, "second");
    });
    // Older than what was there: the content counts, not the clock.
    let past = std::fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
    files.iter().for_each(|file| std::fs::File::open(file).unwrap().set_times(past).unwrap());
    assert_eq!(place.look().await, [""; 0]);
    assert_eq!(place.runtime.runtime().registry().generation(), generation + 1);
    assert!((0..500).all(|n| place.word(&format!("t{n}")).as_deref() == Some("second")));
}
