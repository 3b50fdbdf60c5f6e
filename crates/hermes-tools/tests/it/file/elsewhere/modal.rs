use super::edges::edges_hold;
use super::same::answers_are_the_same;
use crate::terminal::backends::modal::{Service, runtime};

#[tokio::test]
async fn a_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let [same, edges] = ["same", "edges"].map(|name| {
        let work = folder.path().canonicalize().unwrap().join(name);
        std::fs::create_dir(&work).unwrap();
        work.display().to_string()
    });
    // Most of the time is spent waiting for the other side, so both are waited for at once.
    let (one, other) = tokio::join!(Service::start(), Service::start());
    let (here, there) = tokio::join!(runtime(&one, one.token, &same), runtime(&other, other.token, &edges));
    tokio::join!(answers_are_the_same(&here, &same, "modal", "sb-"), edges_hold(&there, &edges));
}
