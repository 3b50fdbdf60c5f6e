use hermes_host::terminal::TerminalSettings;
use hermes_testkit::TestRuntime;

use super::edges::edges_hold;
use super::same::answers_are_the_same;
use crate::terminal::backends::ssh::Sshd;

#[tokio::test]
async fn another_machine() {
    let sshd = Sshd::start();
    let folder = sshd.folder.path().canonicalize().unwrap();
    let settings = |name: &str| {
        let work = folder.join(name);
        std::fs::create_dir(&work).unwrap();
        let work = work.display().to_string();
        (TerminalSettings { cwd: Some(work.clone()), ..sshd.settings("known") }, work)
    };
    let (same, work) = settings("same");
    let test = TestRuntime::builder().terminal(same).build().await;
    answers_are_the_same(&test, &work, "ssh", "127.0.0.1").await;
    let (edges, work) = settings("edges");
    let test = TestRuntime::builder().terminal(edges).build().await;
    edges_hold(&test, &work).await;
}
