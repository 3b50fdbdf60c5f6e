//! Zip files that say two things at once: what one program sees in them another does not, so nobody unpacks them here.

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use super::file_compress::names;
use super::hostile_archives::{Evil, zip_of};
use crate::support::failure;

/// Writes over every place where `from` stands.
fn exchanged(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> =
        (0..=bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

/// Where the entries of the list at the end begin.
fn listed(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(b"PK\x01\x02")).collect()
}

fn two() -> Vec<u8> {
    zip_of(&[Evil::file("name-1.txt", b"the first one"), Evil::file("name-2.txt", b"the second one")])
}

#[tokio::test]
async fn what_programs_would_disagree_about_is_refused() {
    let twice = exchanged(two(), b"name-2.txt", b"name-1.txt");
    let mut lying_across = two();
    let second = listed(&lying_across)[1];
    lying_across[second + 42..second + 46].copy_from_slice(&0_u32.to_le_bytes());
    let behind = two();
    let mut unlisted = two();
    let end = (0..unlisted.len()).rfind(|at| unlisted[*at..].starts_with(b"PK\x05\x06")).unwrap();
    unlisted[end + 8..end + 12].copy_from_slice(&[1, 0, 1, 0]);
    let mut renamed = two();
    let first = renamed.windows(10).position(|part| part == b"name-1.txt").unwrap();
    renamed[first..first + 10].copy_from_slice(b"../../evil");
    let full_folder = exchanged(two(), b"name-2.txt", b"name-2txt/");
    for (what, bytes, word) in [
        ("one name twice", twice, "twice"),
        ("one content for two names", lying_across, "different things"),
        ("an entry that is not listed", unlisted, "different things"),
        ("an entry that is listed under another name", renamed, "different things"),
        ("a folder with content", full_folder, "content of a file"),
        ("an archive behind another one", [two(), behind].concat(), "different things"),
    ] {
        let test = TestRuntime::new().await;
        test.write("a.zip", bytes);
        for action in ["extract", "list"] {
            let arguments = json!({"action": action, "source": "a.zip", "destination": "out"});
            let error = failure(test.call("file_compress", arguments).await);
            assert_eq!(error.code, ErrorCode::InvalidArgument, "{what}");
            assert!(error.message.contains(word), "{what}, {action}: {}", error.message);
        }
        assert_eq!(names(test.workspace()), ["a.zip"], "{what}");
    }
}

/// Names that are written differently and mean one file.
#[tokio::test]
async fn two_spellings_of_one_name_are_one_name() {
    for other in ["./name-1.txt", "name-1.txt/", ".//name-1.txt"] {
        let test = TestRuntime::new().await;
        test.write("a.zip", zip_of(&[Evil::file("name-1.txt", b"1"), Evil::file(other, b"")]));
        let arguments = json!({"action": "extract", "source": "a.zip", "destination": "out"});
        let error = failure(test.call("file_compress", arguments).await);
        assert!(error.message.contains("twice"), "{other}: {}", error.message);
        assert_eq!(names(test.workspace()), ["a.zip"], "{other}");
    }
}
