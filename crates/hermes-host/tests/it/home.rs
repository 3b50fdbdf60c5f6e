//! Where Hermes keeps its own things.

use std::os::unix::fs::PermissionsExt;

use hermes_core::ErrorCode;
use hermes_host::Env;
use hermes_host::home::Home;

fn env(pairs: &[(&str, &str)]) -> Env {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn hermes_home_wins_over_the_users_home() {
    let cases = [
        (vec![("HOME", "/home/ada")], "/home/ada/.hermes"),
        (vec![("HOME", "/home/ada"), ("HERMES_HOME", "")], "/home/ada/.hermes"),
        (vec![("HOME", "/home/ada"), ("HERMES_HOME", "/srv/hermes")], "/srv/hermes"),
        (vec![("HOME", "/home/ada"), ("HERMES_HOME", "~/h")], "/home/ada/h"),
        (vec![("HERMES_HOME", "/srv/hermes")], "/srv/hermes"),
    ];
    for (pairs, expected) in cases {
        assert_eq!(Home::resolve(&env(&pairs)).unwrap().root().to_str().unwrap(), expected);
    }
}

#[test]
fn a_home_that_depends_on_the_current_folder_is_refused() {
    let error = Home::resolve(&env(&[("HOME", "/home/ada"), ("HERMES_HOME", "./here")])).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    for pairs in [vec![], vec![("HOME", "relative")], vec![("HERMES_HOME", "~/h")]] {
        assert_eq!(Home::resolve(&env(&pairs)).unwrap_err().code, ErrorCode::Unavailable);
    }
}

#[test]
fn nothing_is_created_before_it_is_needed_and_then_only_for_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("a/b"));
    assert!(!home.root().exists());
    home.ensure().unwrap();
    assert_eq!(home.root().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    home.ensure().unwrap();
}
