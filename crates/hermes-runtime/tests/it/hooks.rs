use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{Access, ErrorCode, ToolOutcome};
use hermes_runtime::hooks::{Hook, HookCall, PreVerdict};
use hermes_testkit::{FnTool, ScriptedApprover, TestRuntime};
use serde_json::{Map, Value, json};

type Pre = Box<dyn Fn(&HookCall<'_>) -> Result<PreVerdict, String> + Send + Sync>;

type Transform = fn(&Value) -> Result<Option<Value>, String>;

/// A hook made of closures.
#[derive(Default)]
struct Scripted {
    pre: Option<Pre>,
    transform: Option<Transform>,
    seen: Arc<Mutex<Vec<String>>>,
    open: bool,
    hangs: bool,
    withholds: bool,
}

impl Hook for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(50)
    }

    fn fails_open(&self) -> bool {
        self.open
    }

    fn withholds_on_failure(&self) -> bool {
        self.withholds
    }

    fn pre<'a>(&'a self, call: &'a HookCall<'a>) -> BoxFuture<'a, Result<PreVerdict, String>> {
        self.seen.lock().unwrap().push(format!("pre {} {}", call.tool, call.arguments));
        Box::pin(async move {
            if self.hangs {
                std::future::pending::<()>().await;
            }
            self.pre.as_ref().map_or(Ok(PreVerdict::Continue), |pre| pre(call))
        })
    }

    fn post<'a>(
        &'a self,
        call: &'a HookCall<'a>,
        outcome: &'a ToolOutcome,
    ) -> BoxFuture<'a, Result<(), String>> {
        self.seen.lock().unwrap().push(format!("post {} {}", call.tool, outcome.status()));
        Box::pin(std::future::ready(Ok(())))
    }

    fn transform<'a>(
        &'a self,
        _: &'a HookCall<'a>,
        result: &'a Value,
    ) -> BoxFuture<'a, Result<Option<Value>, String>> {
        Box::pin(std::future::ready(self.transform.map_or(Ok(None), |transform| transform(result))))
    }
}

fn pre(answer: impl Fn(&HookCall<'_>) -> Result<PreVerdict, String> + Send + Sync + 'static) -> Scripted {
    Scripted { pre: Some(Box::new(answer)), ..Scripted::default() }
}

#[tokio::test]
async fn hooks_see_the_real_tool_with_the_arguments_that_run() {
    let hook = Scripted::default();
    let seen = Arc::clone(&hook.seen);
    let runtime = TestRuntime::builder().hook(hook).build().await;
    runtime.write("a.txt", "x");
    let bridged = json!({"name": "file_read", "arguments": {"path": "a.txt", "limit": "3"}});
    assert!(runtime.call("tool_call", bridged).await.is_success());
    let seen = seen.lock().unwrap();
    assert_eq!(*seen, [r#"pre read_file {"path":"a.txt","limit":3}"#, "post read_file success"]);
}

#[tokio::test]
async fn a_block_stops_the_call() {
    let runtime =
        TestRuntime::builder().hook(pre(|_| Ok(PreVerdict::Block("not today".into())))).build().await;
    let outcome = runtime.call("system_info", json!({})).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str(), outcome.ran),
        (ErrorCode::PermissionDenied, "not today", false)
    );
}

#[tokio::test]
async fn a_guard_that_fails_hangs_or_panics_denies() {
    for hook in [
        pre(|_| Err("out of order".into())),
        pre(|_| panic!("boom")),
        Scripted { hangs: true, ..Scripted::default() },
    ] {
        let runtime = TestRuntime::builder().hook(hook).build().await;
        let outcome = runtime.call("system_info", json!({})).await;
        assert_eq!((outcome.error_code(), outcome.ran), (Some(ErrorCode::PermissionDenied), false));
    }
    let lenient = Scripted { open: true, ..pre(|_| Err("out of order".into())) };
    let runtime = TestRuntime::builder().hook(lenient).build().await;
    assert!(runtime.call("system_info", json!({})).await.is_success());
}

#[tokio::test]
async fn rewrites_compose_and_are_coerced_validated_and_judged_again() {
    let rewrite = |change: fn(&mut Map<String, Value>)| {
        pre(move |call| {
            let mut arguments = call.arguments.as_object().unwrap().clone();
            change(&mut arguments);
            Ok(PreVerdict::Rewrite(arguments))
        })
    };
    let build = |first: fn(&mut Map<String, Value>), second: fn(&mut Map<String, Value>)| {
        let properties = json!({"path": {"type": "string"}, "n": {"type": "integer"}});
        let tool = FnTool::echo("writes")
            .schema(json!({"type": "object", "properties": properties}))
            .access(|args| vec![Access::write_path(args["path"].as_str().unwrap_or_default())]);
        TestRuntime::builder().tool(tool.arc()).hook(rewrite(first)).hook(rewrite(second)).build()
    };
    let runtime = build(
        |args| {
            args.insert("n".into(), json!("7"));
        },
        |args| {
            args.insert("m".into(), json!(1));
        },
    )
    .await;
    let outcome = runtime.call("writes", json!({"path": "a"})).await;
    assert_eq!(
        outcome.result.unwrap()["args"],
        json!({"path": "a", "n": 7, "m": 1}),
        "W19: both changes stand"
    );

    let runtime = build(
        |_| {},
        |args| {
            args.insert("path".into(), json!("/etc/passwd"));
        },
    )
    .await;
    let outcome = runtime.call("writes", json!({"path": "a"})).await;
    assert_eq!(
        (outcome.error_code(), outcome.ran),
        (Some(ErrorCode::PermissionDenied), false),
        "judged after the rewrite"
    );

    let runtime = build(
        |_| {},
        |args| {
            args.insert("n".into(), json!("many"));
        },
    )
    .await;
    let outcome = runtime.call("writes", json!({"path": "a"})).await;
    assert_eq!((outcome.error_code(), outcome.ran), (Some(ErrorCode::PermissionDenied), false));
    let error = outcome.result.unwrap_err();
    assert!(
        error
            .message
            .contains("the hook 'scripted' changed the arguments to ones that the tool does not take"),
        "the hook is to blame, not whoever sent the call: {error:?}"
    );
}

#[tokio::test]
async fn a_hook_can_ask_for_approval_but_not_lift_a_deny() {
    let ask = || pre(|_| Ok(PreVerdict::Ask("looks risky".into())));
    let alone = TestRuntime::builder().hook(ask()).build().await;
    assert_eq!(alone.call("system_info", json!({})).await.error_code(), Some(ErrorCode::ApprovalRequired));
    let agreed = TestRuntime::builder().hook(ask()).approver(ScriptedApprover::granting()).build().await;
    assert!(agreed.call("system_info", json!({})).await.is_success());
    let denied = TestRuntime::builder()
        .hook(ask())
        .approver(ScriptedApprover::granting())
        .deny("system:*")
        .build()
        .await;
    assert_eq!(denied.call("system_info", json!({})).await.error_code(), Some(ErrorCode::PermissionDenied));
}

#[tokio::test]
async fn a_transform_replaces_what_the_model_sees() {
    let hook = Scripted { transform: Some(|_| Ok(Some(json!({"short": true})))), ..Scripted::default() };
    let runtime = TestRuntime::builder().hook(hook).tool(FnTool::echo("echo").arc()).build().await;
    assert_eq!(runtime.call("echo", json!({})).await.result.unwrap(), json!({"short": true}));
    let broken =
        |withholds| Scripted { transform: Some(|_| Err("broken".into())), withholds, ..Scripted::default() };
    let runtime = TestRuntime::builder().hook(broken(false)).tool(FnTool::echo("echo").arc()).build().await;
    assert_eq!(runtime.call("echo", json!({})).await.result.unwrap(), json!({"args": {}}));
    let runtime = TestRuntime::builder().hook(broken(true)).tool(FnTool::echo("echo").arc()).build().await;
    let outcome = runtime.call("echo", json!({})).await;
    assert!(outcome.ran && outcome.result.unwrap_err().message.contains("withheld"));
}
