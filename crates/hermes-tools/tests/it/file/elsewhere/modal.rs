use super::edges::edges_hold;
use super::same::answers_are_the_same;
use crate::terminal::backends::modal::{Service, runtime};

#[tokio::test]
async fn a_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    for (name, same) in [("same", true), ("edges", false)] {
        let service = Service::start().await;
        let work = folder.path().canonicalize().unwrap().join(name);
        std::fs::create_dir(&work).unwrap();
        let work = work.display().to_string();
        let test = runtime(&service, service.token, &work).await;
        match same {
            true => answers_are_the_same(&test, &work, "modal", "sb-").await,
            false => edges_hold(&test, &work).await,
        }
    }
}
