//! Whether a variable may be set to a value. The next command obeys it as if a shell had set it, so it is judged by the
//! rules for shells: `CC=clang` is fine, `CC=/tmp/x` is asked about.

use hermes_core::grant::quoted;
use hermes_core::{Access, CallContext, Permission, Target, ToolError, Verdict};

pub(in crate::system) async fn judge(name: &str, value: &str, cx: &CallContext) -> Result<(), ToolError> {
    // Somebody has seen this very call and agreed to it.
    if cx.permit().is_approved() {
        return Ok(());
    }
    let rules = cx.conversation()?;
    let access = setting(name, value);
    match rules.verdict(&access) {
        Verdict::Allow => Ok(()),
        Verdict::Ask | Verdict::Deny => rules.authorise(vec![access]).await.map(drop),
    }
}

/// What is judged about the value.
pub(in crate::system) fn setting(name: &str, value: &str) -> Access {
    let line = format!("{name}={}", quoted(&[value.to_owned()]));
    Access::new(Permission::ENV_WRITE, Target::Command(line))
}
