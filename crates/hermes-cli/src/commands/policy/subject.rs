//! What is to be judged: a call as the runtime would prepare it, or accesses named outright.

use hermes_core::ports::PathResolver;
use hermes_core::{Access, Owner, Permission, SessionIdentity, Target, ToolCall};
use hermes_runtime::wire::{Asked, parse_request};
use hermes_runtime::{Preview, Session};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::app::App;
use crate::failure::Failure;

/// Accesses without a call, for tools that this build lacks or that do not run yet.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedAccess {
    #[serde(default)]
    pub(super) tool: String,
    #[serde(default)]
    pub(super) toolset: String,
    /// The MCP server that the tool comes from.
    pub(super) server: Option<String>,
    #[serde(default)]
    pub(super) arguments: Map<String, Value>,
    pub(super) access: Vec<AccessForm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AccessForm {
    permission: String,
    path: Option<String>,
    host: Option<String>,
    command: Option<String>,
    name: Option<String>,
}

impl NamedAccess {
    pub(super) fn preview(&self, app: &App) -> Result<Preview, Failure> {
        let access = self.access.iter().map(|form| form.access(app)).collect::<Result<Vec<_>, _>>()?;
        let registered = app.runtime.registry().snapshot();
        Ok(Preview {
            call_id: String::new(),
            tool: registered.canonical(&self.tool).unwrap_or(&self.tool).to_owned(),
            toolset: self.toolset.clone(),
            owner: self.server.clone().map_or(Owner::BuiltIn, Owner::Mcp),
            arguments: Value::Object(self.arguments.clone()),
            access,
            shell: None,
        })
    }
}

impl AccessForm {
    fn access(&self, app: &App) -> Result<Access, Failure> {
        if !Permission::is_known(&self.permission) {
            return Err(Failure::usage(format!("no such permission: '{}'", self.permission)));
        }
        let surroundings = &app.surroundings;
        let target = match (&self.path, &self.host, &self.command, &self.name) {
            (Some(path), None, None, None) => {
                Target::Resolved(surroundings.host.workspace.resolve(&surroundings.cwd, path)?)
            }
            (None, Some(host), None, None) => Target::Host(host.clone()),
            (None, None, Some(command), None) => Target::Command(command.clone()),
            (None, None, None, Some(name)) => Target::Name(name.clone()),
            (None, None, None, None) => Target::Any,
            _ => return Err(Failure::usage("an access has at most one of path, host, command and name")),
        };
        Ok(Access::new(Permission::named(self.permission.as_str()), target))
    }
}

/// What to judge in a JSON text, each with what to call it.
pub(super) async fn subjects(
    value: &Value,
    app: &App,
    session: &Session,
) -> Result<Vec<Result<Preview, Failure>>, Failure> {
    if value.get("access").is_some() {
        let named: NamedAccess =
            serde_json::from_value(value.clone()).map_err(|error| Failure::usage(error.to_string()))?;
        return Ok(vec![named.preview(app)]);
    }
    let request = parse_request(value).map_err(|error| {
        let failure = Failure::usage(error.message);
        match error.hint {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    })?;
    let mut previews = Vec::new();
    for Asked { call, refusal, .. } in request.calls {
        previews.push(match refusal {
            Some(error) => Err(Failure::from(error)),
            None => preview(&call, session).await,
        });
    }
    Ok(previews)
}

pub(super) async fn preview(call: &ToolCall, session: &Session) -> Result<Preview, Failure> {
    session.preview(call).await.map_err(Failure::from)
}

/// The session's identity, as somebody else if wanted.
pub(super) fn identity(session: &Session, actor: Option<&str>) -> SessionIdentity {
    let own = session.identity();
    SessionIdentity {
        id: own.id.clone(),
        actor: actor.map_or_else(|| own.actor.clone(), str::to_owned),
        cwd: own.cwd.clone(),
    }
}
