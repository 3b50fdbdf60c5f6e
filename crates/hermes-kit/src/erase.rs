//! From the typed tool to the erased form that the registry stores.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{
    Access, AnyTool, CallContext, ErrorCode, Need, Prepared, SchemaOverride, SchemaView, ToolError, ToolInfo,
};
use hermes_host::Host;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::example::{Example, Expect};
use crate::schema::{description_of, parameters_of};
use crate::tool::Tool;

/// Makes the tool and wraps it for the registry.
pub fn erase<T: Tool>(host: &Host) -> Arc<dyn AnyTool> {
    Arc::new(Erased::<T> {
        info: ToolInfo::from_meta(&T::META, description_of::<T::Args>(), parameters_of::<T::Args>()),
        tool: Arc::new(T::new(host)),
        host: host.clone(),
    })
}

struct Erased<T> {
    info: ToolInfo,
    tool: Arc<T>,
    host: Host,
}

impl<T: Tool> AnyTool for Erased<T> {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn check(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async {
            check_needs(&self.host, T::META.needs)?;
            self.tool.probe().await
        })
    }

    fn dynamic_schema(&self, view: &SchemaView<'_>) -> Option<SchemaOverride> {
        self.tool.dynamic_schema(view)
    }

    fn examples(&self) -> Vec<Value> {
        let works = |example: &Example| matches!(example.expect, Expect::Success(_));
        let is_right = |example: &Example| example.expect != Expect::Failure(ErrorCode::InvalidArgument);
        let (working, failing): (Vec<_>, Vec<_>) =
            T::examples().into_iter().filter(is_right).partition(works);
        working.into_iter().chain(failing).map(|example| example.args).collect()
    }

    fn has_lifecycle(&self) -> bool {
        T::HAS_LIFECYCLE
    }

    fn setup(&self) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(self.tool.setup())
    }

    fn teardown(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.tool.teardown())
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let args = decode(arguments)?;
        Ok(Box::new(Ready { tool: Arc::clone(&self.tool), args }))
    }
}

pub(crate) fn decode<A: DeserializeOwned>(arguments: &Value) -> Result<A, ToolError> {
    // Keeping track of the place costs more than decoding; it is needed only to explain a failure.
    if let Ok(args) = A::deserialize(arguments) {
        return Ok(args);
    }
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { "arguments".to_owned() } else { path };
        ToolError::invalid(format!("{place}: {}", error.into_inner()))
    })
}

/// Whether everything is there that a tool needs; the first thing that is not is the reason.
pub(crate) fn check_needs(host: &Host, needs: &[Need]) -> Result<(), String> {
    needs.iter().try_for_each(|need| check_need(host, *need))
}

/// Ports belong to the runtime, which checks them itself.
fn check_need(host: &Host, need: Need) -> Result<(), String> {
    match need {
        Need::Env(name) if host.keys.get(name).is_none() => {
            Err(format!("the environment variable {name} is not set"))
        }
        Need::Binary(name) if host.env.find_binary(name).is_none() => {
            Err(format!("the program '{name}' is not on PATH"))
        }
        Need::Interpreter(programs) => match host.terminals.interpreters(programs) {
            Some(here) if here.is_empty() => Err(format!("none of {} is on PATH", programs.join(", "))),
            _ => Ok(()),
        },
        Need::Env(_) | Need::Binary(_) | Need::Port(_) => Ok(()),
    }
}

fn result_of<T: Tool>(mut output: T::Output) -> Result<Value, ToolError> {
    let long_text = T::long_text(&mut output);
    let mut value = hermes_core::tool_result(output)?;
    if let Some((field, text)) = long_text
        && let Some(place) = value.get_mut(field)
    {
        *place = Value::String(text);
    }
    Ok(value)
}

/// Decoded arguments and the tool they are for.
struct Ready<T: Tool> {
    tool: Arc<T>,
    args: T::Args,
}

impl<T: Tool> Prepared for Ready<T> {
    fn access(&self) -> Vec<Access> {
        self.tool.access(&self.args)
    }

    fn judged_later(&self) -> Result<Vec<Access>, ToolError> {
        self.tool.judged_later(&self.args)
    }

    fn run(self: Box<Self>, cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(async move {
            let Ready { tool, args } = *self;
            result_of::<T>(tool.call(args, &cx).await?)
        })
    }
}
