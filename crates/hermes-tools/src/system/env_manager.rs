//! Reads and changes environment variables of the session, or of all sessions to come.

use std::collections::BTreeSet;

use hermes_host::secrets;
use hermes_kit::prelude::*;

use super::env::judged::{judge, setting};
use super::env::names::{check_changeable, check_name};
use super::env::variables::{Scope, Source, Variables};

const MAX_VALUE_BYTES: usize = 32 * 1024;
/// What a list shows of a long value.
const MAX_SHOWN_CHARS: usize = 100;
const MASK: &str = "********";

/// Read or change environment variables. What is set here is seen by the commands that run afterwards.
/// Values of secret-looking variables are masked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do: get one variable, list all, set one or unset one.
    action: Action,
    /// The variable to get, set or unset.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"))]
    name: Option<String>,
    /// The value to set; at most 32 KB.
    value: Option<String>,
    /// session lasts as long as this session; persistent is kept for later sessions. Get and list look at
    /// both and at the process's own environment if it is left out; set and unset mean session then.
    scope: Option<Scope>,
    /// List only variables whose names begin with this.
    prefix: Option<String>,
    /// Whether get shows a secret-looking value; needs the permission env:reveal.
    #[serde(default)]
    reveal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Get,
    List,
    Set,
    Unset,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// In place of a value that is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    /// Whether the variable has a value now.
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<bool>,
    /// Where the value is from, or where the change was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variables: Option<Vec<Variable>>,
}

#[derive(Debug, Serialize)]
pub struct Variable {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    masked: Option<&'static str>,
    length: usize,
    source: Source,
}

pub struct EnvManager {
    variables: Variables,
    /// Variables that the operator calls secret.
    secret: BTreeSet<String>,
}

impl Tool for EnvManager {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        exposure: Exposure::Deferrable,
        idempotent: true,
        emoji: "🔧",
        tags: &["environment", "variable", "export", "dotenv"],
        needs: &[Need::Port("session_state")],
        secret_arguments: &["value"],
        ..ToolMeta::new("env_manager", "system", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        let secret = host.terminals.settings().secret_env.clone();
        EnvManager { variables: Variables::new(host), secret }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        let on = |permission: Permission| match &args.name {
            Some(name) if args.action != Action::List => Access::name(permission, name),
            _ => Access::any(permission),
        };
        match args.action {
            Action::Set | Action::Unset if args.scope == Some(Scope::Persistent) => {
                vec![on(Permission::ENV_WRITE), on(Permission::ENV_PERSIST)]
            }
            Action::Set | Action::Unset => vec![on(Permission::ENV_WRITE)],
            Action::Get | Action::List if args.reveal => {
                vec![on(Permission::ENV_READ), on(Permission::ENV_REVEAL)]
            }
            Action::Get | Action::List => vec![on(Permission::ENV_READ)],
        }
    }

    fn judged_later(&self, args: &Args) -> Result<Vec<Access>, ToolError> {
        let (Action::Set | Action::Unset, Some(name)) = (args.action, &args.name) else {
            return Ok(Vec::new());
        };
        check_name(name)?;
        check_changeable(name)?;
        let value = args.value.as_ref().filter(|_| args.action == Action::Set);
        Ok(value.map(|value| setting(name, value)).into_iter().collect())
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        if args.action == Action::List {
            return self.list(&args, cx).await;
        }
        let name = args.name.as_deref().ok_or_else(|| ToolError::invalid("this action needs a name"))?;
        check_name(name)?;
        match args.action {
            Action::Set => self.set(name, &args, cx).await,
            Action::Unset => self.unset(name, &args, cx).await,
            Action::Get | Action::List => self.get(name, &args, cx).await,
        }
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "a variable for the commands of this session",
                json!({"action": "set", "name": "RUST_LOG", "value": "debug"}),
                json!({"name": "RUST_LOG", "set": true, "scope": "session"}),
            ),
            Example::succeeds(
                "a variable that is not set",
                json!({"action": "get", "name": "NO_SUCH_VARIABLE"}),
                json!({"name": "NO_SUCH_VARIABLE", "set": false}),
            ),
            Example::fails(
                "a variable that steers programs",
                json!({"action": "set", "name": "LD_PRELOAD", "value": "/tmp/x.so"}),
                ErrorCode::PermissionDenied,
            ),
        ]
    }
}

impl EnvManager {
    async fn get(&self, name: &str, args: &Args, cx: &CallContext) -> Result<Output, ToolError> {
        let found = self.variables.visible(args.scope, cx).await?.remove(name);
        let mut output =
            Output { name: Some(name.to_owned()), set: Some(found.is_some()), ..Output::default() };
        if let Some((value, source)) = found {
            output.length = Some(value.chars().count());
            output.scope = Some(source);
            match self.is_secret(name, &value) && !args.reveal {
                true => output.masked = Some(MASK),
                false => output.value = Some(value),
            }
        }
        Ok(output)
    }

    async fn list(&self, args: &Args, cx: &CallContext) -> Result<Output, ToolError> {
        if args.reveal {
            return Err(ToolError::invalid("list never reveals secrets; get one variable with reveal"));
        }
        let prefix = args.prefix.as_deref().unwrap_or_default();
        let visible = self.variables.visible(args.scope, cx).await?;
        let variables = visible.into_iter().filter(|(name, _)| name.starts_with(prefix));
        Ok(Output {
            variables: Some(
                variables
                    .map(|(name, (value, source))| {
                        let secret = self.is_secret(&name, &value);
                        Variable {
                            value: (!secret).then(|| value.chars().take(MAX_SHOWN_CHARS).collect()),
                            masked: secret.then_some(MASK),
                            length: value.chars().count(),
                            source,
                            name,
                        }
                    })
                    .collect(),
            ),
            ..Output::default()
        })
    }

    async fn set(&self, name: &str, args: &Args, cx: &CallContext) -> Result<Output, ToolError> {
        check_changeable(name)?;
        let value = args.value.as_deref().ok_or_else(|| ToolError::invalid("set needs a value"))?;
        if value.contains('\0') {
            return Err(ToolError::invalid("value must not contain a NUL character"));
        }
        if value.len() > MAX_VALUE_BYTES {
            return Err(ToolError::new(ErrorCode::TooLarge, "value must not be longer than 32 KB"));
        }
        judge(name, value, cx).await?;
        let scope = args.scope.unwrap_or(Scope::Session);
        self.variables.set(scope, name, value, cx).await?;
        Ok(changed(name, true, scope))
    }

    async fn unset(&self, name: &str, args: &Args, cx: &CallContext) -> Result<Output, ToolError> {
        check_changeable(name)?;
        let scope = args.scope.unwrap_or(Scope::Session);
        self.variables.unset(scope, name, cx).await?;
        Ok(changed(name, false, scope))
    }

    /// Whether a value must not be shown: its name says so, or the operator, or it is a URL with a password in it.
    fn is_secret(&self, name: &str, value: &str) -> bool {
        secrets::is_secret_name(name)
            || self.secret.contains(name)
            || !secrets::gather([(name, value)], &self.secret).is_empty()
    }
}

fn changed(name: &str, set: bool, scope: Scope) -> Output {
    Output { name: Some(name.to_owned()), set: Some(set), scope: Some(scope.into()), ..Output::default() }
}

register_tool!(EnvManager);
