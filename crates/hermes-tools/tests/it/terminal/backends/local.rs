//! On this machine, behind the sandbox.

use hermes_testkit::TestRuntime;

use super::strings::strings_come_through;

#[tokio::test]
async fn any_string_arrives() {
    let test = TestRuntime::builder().build().await;
    strings_come_through(&test).await;
}
