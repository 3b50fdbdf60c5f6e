//! Archives that are unpacked into the folder where the work is done, as everybody tries first.

use serde_json::{Value, json};

use crate::harness::{Hermes, Ran};

fn compress(hermes: &Hermes, arguments: Value) -> Ran {
    hermes.run(&["tools", "call", "file_compress", &arguments.to_string(), "--json"])
}

fn packed(hermes: &Hermes, files: &[&str]) {
    for file in files {
        hermes.write(&format!("src/{file}"), file);
    }
    let pack = json!({"action": "compress", "source": "src", "destination": "a.tar"});
    assert_eq!(compress(hermes, pack).code, 0);
    std::fs::remove_dir_all(hermes.work().join("src")).unwrap();
}

#[test]
fn the_working_folder_may_be_unpacked_into() {
    for destination in [".", "./", "{work}"] {
        let hermes = Hermes::new();
        packed(&hermes, &["a.txt", "deep/b.txt"]);
        let destination = destination.replace("{work}", hermes.work().to_str().unwrap());
        let unpack = json!({"action": "extract", "source": "a.tar", "destination": destination, "strip_components": 1});
        let ran = compress(&hermes, unpack);
        assert_eq!(ran.code, 0, "{destination}: {}", ran.stdout);
        assert_eq!(std::fs::read_to_string(hermes.work().join("deep/b.txt")).unwrap(), "deep/b.txt");
    }
}

#[test]
fn what_is_protected_there_stays_so() {
    let hermes = Hermes::new();
    packed(&hermes, &["a.txt", "git/hooks/pre-commit"]);
    let program = ["tar", "--transform", "s/^src.git/.git/;s/^src.//", "-xf", "a.tar"];
    let ran = std::process::Command::new(program[0]).args(&program[1..]).current_dir(hermes.work()).status();
    assert!(ran.unwrap().success());
    let ran = std::process::Command::new("tar")
        .args(["-cf", "b.tar", ".git", "a.txt"])
        .current_dir(hermes.work())
        .status();
    assert!(ran.unwrap().success());
    std::fs::remove_dir_all(hermes.work().join(".git")).unwrap();
    std::fs::remove_file(hermes.work().join("a.txt")).unwrap();
    let ran = compress(&hermes, json!({"action": "extract", "source": "b.tar", "destination": "."}));
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let left: Vec<_> =
        std::fs::read_dir(hermes.work()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name == "a.txt" || name == ".git"), "{left:?}");
}

/// Things are put into the folder; nothing is put in its place.
#[test]
fn nothing_takes_the_place_of_the_folder() {
    let hermes = Hermes::new();
    packed(&hermes, &["a.txt"]);
    let write = json!({"path": ".", "content": "x"}).to_string();
    assert_eq!(hermes.run(&["tools", "call", "write_file", &write, "--json"]).code, 3);
    let pack = json!({"action": "compress", "source": "a.tar", "destination": ".", "format": "zip"});
    assert_eq!(compress(&hermes, pack).code, 3);
}
