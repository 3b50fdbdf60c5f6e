//! One client's side of the server.

// Newer revisions deprecate the log and subscriptions by request; older clients know them alone.
#![allow(deprecated)]

use std::sync::{Mutex, PoisonError};

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, Reference, ServerCapabilities,
    ServerConfig, SetLevelRequestMethod, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter,
    Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use serde_json::{Value, json};

use super::answer;
use super::listing::{defined, whole};
use super::served::{Served, Told, Wanted, Who, is_stateless};
use super::watching::{Followed, News};
use crate::front::Completing;
use crate::log_line::LogLevel;

/// What a client is told about Hermes.
const INSTRUCTIONS: &str = "Tools of Hermes. Calls are judged by the permissions of the user who runs it; a call \
    that needs a person's word is asked about where this client can show a question, and waits for an answer \
    elsewhere where it cannot.";

/// Serves one client.
pub(super) struct Handler {
    served: Served,
    /// Who this client is among the others.
    number: u64,
    /// What a client with a session wants of the log.
    level: Mutex<LogLevel>,
    followed: Followed,
}

impl Handler {
    pub(super) fn new(served: Served) -> Self {
        let number = served.number();
        Handler { served, number, level: Mutex::new(LogLevel::DEFAULT), followed: Followed::default() }
    }

    /// How much log goes with a request.
    fn level(&self, context: &RequestContext<RoleServer>) -> Option<LogLevel> {
        match is_stateless(context) {
            true => context.meta.log_level().map(LogLevel),
            false => Some(*self.level.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    async fn run(&self, wanted: Wanted, context: &RequestContext<RoleServer>) -> Result<Told, ErrorData> {
        let who = Who { number: self.number, level: self.level(context) };
        self.served.run(wanted, who, context).await
    }
}

fn not_found(what: &str, uri: &str) -> ErrorData {
    ErrorData::resource_not_found(what.to_owned(), Some(json!({ "uri": uri })))
}

/// Only calls of tools have answers of the server's own.
fn no_call() -> ErrorData {
    ErrorData::internal_error("the answer to a call came where none was made", None)
}

/// Requests that have parameters, so that one of them without is known for what it is.
const WITH_PARAMETERS: [&str; 7] = [
    "tools/call",
    "prompts/get",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "completion/complete",
    "logging/setLevel",
];
/// Those of them that revisions without sessions do not have.
const WITH_SESSIONS_ONLY: &[&str] = &["logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_logging()
            .enable_completions()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hermes", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut news = News::new(&*self.served.backend, self.followed.clone());
        tokio::spawn(async move {
            while let Some(all) = news.next().await {
                for one in all {
                    if context.peer.send_notification(one).await.is_err() {
                        return;
                    }
                }
            }
        });
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let followed = Followed::default();
        for uri in context.accepted().resource_subscriptions.iter().flatten() {
            if let Ok(follow) = self.served.backend.follow(uri).await {
                followed.add(uri.clone(), follow);
            }
        }
        let mut news = News::new(&*self.served.backend, followed);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                all = news.next() => {
                    let Some(all) = all else { return Ok(()) };
                    for one in all {
                        // What the client did not ask for is refused here and now.
                        let _ = context.sink().send(one).await;
                    }
                }
            }
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let followed = self.served.backend.follow(&request.uri).await;
        let follow = followed.map_err(|reason| not_found(&reason, &request.uri))?;
        self.followed.add(request.uri, follow);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.followed.remove(&request.uri);
        Ok(())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_stateless(&context) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = LogLevel(request.level);
        Ok(())
    }

    /// What the SDK could not read as a request that it knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = hermes_core::text::visible(&request.method);
        let is_gone = is_stateless(&context) && WITH_SESSIONS_ONLY.contains(&request.method.as_str());
        Err(match !is_gone && WITH_PARAMETERS.contains(&request.method.as_str()) {
            true => ErrorData::invalid_params(format!("the parameters are not those of {method}"), None),
            false => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
        })
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        whole(page)?;
        self.served.backend.asked();
        let tools = self.served.list().await.to_vec();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.served.tool(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.run(Wanted::of_tool(request), &context).await? {
            Told::Outcome(outcome) => Ok(answer::result(&outcome, &*self.served.backend).await.into()),
            Told::Original(original) => Ok(original.into()),
            Told::Asked(asked) => Ok(CallToolResponse::InputRequired(asked)),
        }
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        whole(page)?;
        self.served.backend.asked();
        let prompts = defined(self.served.backend.listed().await.prompts);
        Ok(ListPromptsResult { prompts, ..Default::default() })
    }

    async fn get_prompt(
        &self,
        mut request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.take().unwrap_or_default());
        let Some(had) = self.served.backend.prompt(&request.name, &arguments).await else {
            return Err(ErrorData::invalid_params(format!("there is no prompt '{}'", request.name), None));
        };
        match self.run(Wanted::of_prompt(had.tool, had.arguments, request), &context).await? {
            Told::Outcome(outcome) => Ok(answer::prompt(&outcome)?.into()),
            Told::Asked(asked) => Ok(asked.into()),
            Told::Original(_) => Err(no_call()),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let what = match &request.r#ref {
            Reference::Prompt(prompt) => Completing::Prompt(prompt.name.clone()),
            Reference::Resource(template) => Completing::Template(template.uri.clone()),
            _ => return Ok(CompleteResult::default()),
        };
        let rest = json!({"argument": request.argument, "context": request.context});
        let suggested = self.served.backend.complete(what, rest).await;
        let completion = suggested.and_then(|suggested| serde_json::from_value(suggested).ok());
        Ok(completion.map(CompleteResult::new).unwrap_or_default())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        whole(page)?;
        self.served.backend.asked();
        let resources = defined(self.served.backend.listed().await.resources);
        Ok(ListResourcesResult { resources, ..Default::default() })
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        whole(page)?;
        self.served.backend.asked();
        let resource_templates = defined(self.served.backend.listed().await.templates);
        Ok(ListResourceTemplatesResult { resource_templates, ..Default::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (backend, uri) = (&*self.served.backend, request.uri.clone());
        if uri.starts_with(hermes_core::handle::SCHEME) {
            let stored = backend.stored(&uri).await;
            let stored = stored.ok_or_else(|| not_found("there is no such result", &uri))?;
            return Ok(answer::stored(&stored, uri).into());
        }
        let found = backend.resource(&uri).await.map_err(|reason| not_found(&reason, &uri))?;
        let had = found.ok_or_else(|| not_found("there is no such resource", &uri))?;
        match self.run(Wanted::of_resource(had.tool, had.arguments, request), &context).await? {
            Told::Outcome(outcome) => Ok(answer::contents(&outcome, &uri, backend).await?.into()),
            Told::Asked(asked) => Ok(asked.into()),
            Told::Original(_) => Err(no_call()),
        }
    }
}
