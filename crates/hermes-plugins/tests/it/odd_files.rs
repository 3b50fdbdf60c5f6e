//! Pipes, devices, sockets and folders in the place of files are refused at once: nobody waits for them.

use std::path::Path;
use std::time::Instant;

use hermes_host::home::Home;
use hermes_plugins::plugin::{Found, MANIFEST, Place, inspect, read_manifest};
use hermes_plugins::yaml::YamlFile;
use hermes_plugins::{OwnTools, Registered, RegisteredFile};
use hermes_testkit::TestRuntime;

use super::support::{apply, host};

/// Makes one of each, in turn, at a path.
fn each_odd(path: &Path, mut check: impl FnMut(&str)) {
    let clear = || {
        let _ = std::fs::remove_file(path);
        let _ = std::fs::remove_dir(path);
    };
    clear();
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    check("pipe");
    clear();
    std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    check("device");
    clear();
    let socket = std::os::unix::net::UnixListener::bind(path).unwrap();
    check("socket");
    drop(socket);
    clear();
    std::fs::create_dir(path).unwrap();
    check("folder");
    clear();
}

#[tokio::test]
async fn no_reader_waits_for_what_is_no_file() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let host = host(&runtime);
    let file = runtime.workspace().join("tools.yaml");
    each_odd(&file, |kind| {
        let why = YamlFile::read(&file, "tools.yaml", &host).unwrap_err();
        assert_eq!(why, "tools.yaml: this is no plain file", "{kind}");
    });
    let folder = runtime.workspace().join("plugin");
    std::fs::create_dir(&folder).unwrap();
    each_odd(&folder.join(MANIFEST), |kind| {
        let why = read_manifest(&folder).unwrap_err();
        assert!(why.contains("this is no plain file"), "{kind}: {why}");
    });
    let home = Home::at(runtime.host().home.clone());
    each_odd(&Registered::of(&home).path(), |kind| {
        assert!(Registered::of(&home).files().is_err(), "{kind}");
    });
}

#[tokio::test]
async fn a_plugin_with_a_pipe_in_it_is_refused() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let found = super::support::write_python(&runtime, "piped", "x = 1\n");
    assert!(std::process::Command::new("mkfifo").arg(found.folder.join("pipe")).status().unwrap().success());
    let found = Found { place: Place::User, ..found };
    let Err(why) = inspect(&found, runtime.host(), runtime.workspace()).await else { panic!("it was taken") };
    assert!(why.contains("is no plain file"), "{why}");
}

#[tokio::test]
async fn a_file_that_is_too_long_is_called_that() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    // Cut anywhere, it would end within a letter.
    let file = runtime.write("tools.yaml", format!("# {}\ntools: []\n", "é".repeat(600_000)));
    let why = YamlFile::read(&file, "tools.yaml", &host(&runtime)).unwrap_err();
    assert_eq!(why, "tools.yaml: it has more than the 524288 bytes it may have");
}

/// Every change in any watched folder makes a look; what is wrong is told once.
#[tokio::test]
async fn what_cannot_be_read_is_told_once_a_change() {
    let runtime = TestRuntime::builder().without_built_ins().build().await;
    let text = "tools: [{name: t, description: d, type: command, command: [ls]}]";
    let file = runtime.write("tools.yaml", text);
    let home = Home::at(runtime.host().home.clone());
    Registered::of(&home).add(RegisteredFile::agreeing(file.clone(), &[])).unwrap();
    let mut own = OwnTools::new(host(&runtime), home, runtime.workspace().to_owned());
    let mut look = async || apply(runtime.runtime().registry(), own.look(Instant::now()).await.unwrap());
    assert_eq!(look().await, [""; 0]);
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(look().await.len(), 1);
    assert_eq!(look().await, [""; 0]);
    assert_eq!(look().await, [""; 0]);
    // What was there stays; another mistake is another message.
    assert!(runtime.runtime().registry().snapshot().get("t").is_some());
    std::fs::remove_dir(&file).unwrap();
    std::fs::write(&file, "x".repeat(600_000)).unwrap();
    assert_eq!(look().await.len(), 1);
    assert_eq!(look().await, [""; 0]);
    std::fs::write(&file, text).unwrap();
    assert_eq!(look().await, [""; 0]);
}
