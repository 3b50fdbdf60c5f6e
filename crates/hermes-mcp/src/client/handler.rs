//! What a server may tell or ask this side of the link.

// Older servers log, sample and ask for roots through the protocol; newer revisions deprecate it.
#![allow(deprecated)]

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorData, FormElicitationCapability,
    Implementation, InputRequest, ListRootsResult, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProtocolVersion, Root, RootsCapabilities, SamplingCapability,
    UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::Value;
use tokio::sync::Notify;

use super::asking::Asking;
use super::log::Log;
use crate::assistant::{Assistant, Elicitation, Elicited, Progress};
use crate::config::Allowed;

/// This side of one link.
pub(crate) struct Handler {
    pub(crate) server: String,
    pub(crate) log: Log,
    /// What the user lets this server ask.
    pub(crate) allowed: Allowed,
    /// The folder a server is told that the user works in, where it may know.
    pub(crate) root: PathBuf,
    pub(crate) asking: Asking,
    /// The server says that its tools are not what they were.
    pub(crate) tools_changed: Arc<Notify>,
}

impl Handler {
    /// Answers a question that came in place of a result.
    pub(crate) async fn answer(
        &self,
        request: InputRequest,
        behind: &dyn Assistant,
    ) -> Result<Value, ErrorData> {
        let answer = match request {
            InputRequest::Elicitation(request) => {
                serde_json::to_value(self.elicit(request.params, behind).await?)
            }
            InputRequest::CreateMessage(request) => {
                serde_json::to_value(self.sample(request.params, behind).await?)
            }
            InputRequest::ListRoots(_) => serde_json::to_value(self.roots()?),
            _ => return Err(ErrorData::invalid_request("unknown kind of question", None)),
        };
        answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn elicit(
        &self,
        request: ElicitRequestParams,
        behind: &dyn Assistant,
    ) -> Result<ElicitResult, ErrorData> {
        if !self.allowed.elicitation {
            return Err(not_allowed("questions to the user"));
        }
        let asked = match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let schema = serde_json::to_value(requested_schema)
                    .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
                Elicitation::Form { message, schema }
            }
            ElicitRequestParams::UrlElicitationParams { message, url, elicitation_id, .. } => {
                Elicitation::Url { message, url, id: elicitation_id }
            }
            _ => return Err(ErrorData::invalid_params("unknown kind of question", None)),
        };
        Ok(match behind.elicit(&self.server, asked).await {
            Elicited::Accepted(content) => {
                let mut result = ElicitResult::new(ElicitationAction::Accept);
                result.content = content;
                result
            }
            Elicited::Declined => ElicitResult::new(ElicitationAction::Decline),
            Elicited::Cancelled => ElicitResult::new(ElicitationAction::Cancel),
        })
    }

    async fn sample(
        &self,
        request: CreateMessageRequestParams,
        behind: &dyn Assistant,
    ) -> Result<CreateMessageResult, ErrorData> {
        if !self.allowed.sampling {
            return Err(not_allowed("questions to a model"));
        }
        let request = serde_json::to_value(request)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        // -1 is what the protocol's own examples say for "the user rejected it".
        let refused = |reason: String| ErrorData::new(rmcp::model::ErrorCode(-1), reason, None);
        let answer = behind.sample(&self.server, request).await.map_err(refused)?;
        serde_json::from_value(answer)
            .map_err(|error| ErrorData::internal_error(format!("the model's answer: {error}"), None))
    }

    fn roots(&self) -> Result<ListRootsResult, ErrorData> {
        if !self.allowed.roots {
            return Err(not_allowed("the user's folders"));
        }
        let folder = self.root.display().to_string();
        let url = url::Url::from_directory_path(&self.root)
            .map_or_else(|()| format!("file://{folder}"), String::from);
        let name = self.root.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut root = Root::new(url.trim_end_matches('/'));
        root.name = name;
        Ok(ListRootsResult::new(vec![root]))
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = self.allowed.roots.then(RootsCapabilities::default);
        capabilities.sampling = self.allowed.sampling.then(SamplingCapability::default);
        capabilities.elicitation = self.allowed.elicitation.then(|| {
            ElicitationCapability::new()
                .with_form(FormElicitationCapability::default())
                .with_url(UrlElicitationCapability::default())
        });
        let mut info =
            ClientConfig::new(capabilities, Implementation::new("hermes", env!("CARGO_PKG_VERSION")));
        info.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.elicit(request, &*self.asking.asked()).await
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.sample(request, &*self.asking.asked()).await
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        self.roots()
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    async fn on_progress(&self, report: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        if let Some(behind) = self.asking.reported(&report.progress_token) {
            let message = report.message.map(|text| hermes_core::text::visible(&text));
            behind.progress(&self.server, Progress { done: report.progress, total: report.total, message });
        }
    }

    async fn on_logging_message(
        &self,
        message: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.log.line(&format!("[{:?}] {}", message.level, message.data));
    }
}

fn not_allowed(what: &str) -> ErrorData {
    ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, format!("the user does not allow {what}"), None)
}
