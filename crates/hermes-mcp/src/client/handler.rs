//! What a server may tell or ask this side of the link.

// Older servers sample and ask for roots through the protocol; newer revisions deprecate it.
#![allow(deprecated)]

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorData, FormElicitationCapability,
    Implementation, InputRequest, InputRequests, InputResponses, ListRootsResult, ProtocolVersion,
    ResourceUpdatedNotificationParam, Root, RootsCapabilities, SamplingCapability, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::Value;
use tokio::sync::{Notify, OwnedSemaphorePermit};

use super::allowance::{Allowance, PER_CALL};
use super::asking::Asking;
use super::form::fitting;
use super::log::Log;
use super::updates::Updates;
use crate::assistant::{Assistant, Elicitation, Elicited, Question, Reply};
use crate::config::Allowed;
use crate::page;

/// This side of one link.
pub(crate) struct Handler {
    pub(crate) server: String,
    pub(crate) log: Log,
    /// What the user lets this server ask.
    pub(crate) allowed: Allowed,
    /// The folder a server is told that the user works in, where it may know.
    pub(crate) root: PathBuf,
    pub(crate) asking: Asking,
    /// The server says that its tools, prompts or resources are not what they were.
    pub(crate) lists_changed: Arc<Notify>,
    pub(crate) updates: Updates,
    pub(crate) allowance: Allowance,
}

impl Handler {
    /// Answers the questions that came in place of a result.
    pub(crate) async fn answer_all(
        &self,
        asked: InputRequests,
        behind: &dyn Assistant,
    ) -> Result<InputResponses, ErrorData> {
        let questions = asked.into_iter().map(|(key, request)| Ok((key, self.question(request)?)));
        let questions: Vec<_> = questions.collect::<Result<_, ErrorData>>()?;
        let _open = self.allowance.ask(questions.len()).map_err(refused)?;
        let forms: HashMap<String, Elicitation> = questions.iter().filter_map(form).collect();
        let replies = behind.answer_all(&self.server, questions).await;
        let told = replies.into_iter().map(|(key, reply)| match (forms.get(&key), reply) {
            (Some(asked), Reply::Elicited(answer)) => {
                Ok((key, self.told(Reply::Elicited(fitting(asked, answer)))?))
            }
            (_, reply) => Ok((key, self.told(reply)?)),
        });
        told.collect()
    }

    /// What is asked, if the user lets this server ask such things.
    fn question(&self, request: InputRequest) -> Result<Question, ErrorData> {
        match request {
            InputRequest::Elicitation(request) => Ok(Question::Elicit(self.elicitation(request.params)?)),
            InputRequest::CreateMessage(request) => Ok(Question::Sample(self.sampling(&request.params)?)),
            InputRequest::ListRoots(_) if self.allowed.roots => Ok(Question::Roots),
            InputRequest::ListRoots(_) => Err(not_allowed("the user's folders")),
            _ => Err(ErrorData::invalid_request("unknown kind of question", None)),
        }
    }

    fn told(&self, reply: Reply) -> Result<Value, ErrorData> {
        let told = match reply {
            Reply::Elicited(elicited) => serde_json::to_value(elicit_result(elicited)),
            Reply::Sampled(answer) => return answer.map_err(refused),
            Reply::Roots(Some(roots)) => return Ok(roots),
            Reply::Roots(None) => serde_json::to_value(self.own_roots()),
        };
        told.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    fn elicitation(&self, request: ElicitRequestParams) -> Result<Elicitation, ErrorData> {
        if !self.allowed.elicitation {
            return Err(not_allowed("questions to the user"));
        }
        match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let schema = serde_json::to_value(requested_schema)
                    .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
                let (message, schema) = (self.log.cover.text(message), self.log.cover.value(schema));
                Ok(Elicitation::Form { message, schema })
            }
            ElicitRequestParams::UrlElicitationParams { message, url, elicitation_id, .. } => {
                page::safe(&url).map_err(|reason| ErrorData::invalid_params(reason, None))?;
                Ok(Elicitation::Url { message: self.log.cover.text(message), url, id: elicitation_id })
            }
            _ => Err(ErrorData::invalid_params("unknown kind of question", None)),
        }
    }

    fn sampling(&self, request: &CreateMessageRequestParams) -> Result<Value, ErrorData> {
        if !self.allowed.sampling {
            return Err(not_allowed("questions to a model"));
        }
        let asked = serde_json::to_value(request);
        let asked = asked.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        Ok(self.log.cover.value(asked))
    }

    /// Leave to put one question, which is open until this is dropped.
    fn leave(&self) -> Result<OwnedSemaphorePermit, ErrorData> {
        if !self.asking.counts_question() {
            return Err(refused(format!("you may ask {PER_CALL} questions during one call")));
        }
        self.allowance.ask(1).map_err(refused)
    }

    /// The folder of this process.
    fn own_roots(&self) -> ListRootsResult {
        let folder = self.root.display().to_string();
        let url = url::Url::from_directory_path(&self.root)
            .map_or_else(|()| format!("file://{folder}"), String::from);
        let name = self.root.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut root = Root::new(url.trim_end_matches('/'));
        root.name = name;
        ListRootsResult::new(vec![root])
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
        let asked = self.elicitation(request)?;
        let _open = self.leave()?;
        let answer = self.asking.asked().elicit(&self.server, asked.clone()).await;
        Ok(elicit_result(fitting(&asked, answer)))
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let request = self.sampling(&request)?;
        let _open = self.leave()?;
        let answer = self.asking.asked().sample(&self.server, request).await.map_err(refused)?;
        serde_json::from_value(answer)
            .map_err(|error| ErrorData::internal_error(format!("the model's answer: {error}"), None))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        if !self.allowed.roots {
            return Err(not_allowed("the user's folders"));
        }
        self.allowance.ask_for_roots().map_err(refused)?;
        match self.asking.asked().roots().await {
            Some(roots) => serde_json::from_value(roots)
                .map_err(|error| ErrorData::internal_error(format!("the client's folders: {error}"), None)),
            None => Ok(self.own_roots()),
        }
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.lists_changed.notify_one();
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.lists_changed.notify_one();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.lists_changed.notify_one();
    }

    async fn on_resource_updated(
        &self,
        updated: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.updates.tell(&self.server, updated.uri);
    }
}

fn form((key, question): &(String, Question)) -> Option<(String, Elicitation)> {
    match question {
        Question::Elicit(asked) => Some((key.clone(), asked.clone())),
        Question::Sample(_) | Question::Roots => None,
    }
}

fn elicit_result(elicited: Elicited) -> ElicitResult {
    match elicited {
        Elicited::Accepted(content) => {
            let mut result = ElicitResult::new(ElicitationAction::Accept);
            result.content = content;
            result
        }
        Elicited::Declined => ElicitResult::new(ElicitationAction::Decline),
        Elicited::Cancelled => ElicitResult::new(ElicitationAction::Cancel),
    }
}

/// -1 is what the protocol's own examples say for "the user rejected it".
fn refused(reason: String) -> ErrorData {
    ErrorData::new(rmcp::model::ErrorCode(-1), reason, None)
}

fn not_allowed(what: &str) -> ErrorData {
    ErrorData::new(rmcp::model::ErrorCode::METHOD_NOT_FOUND, format!("the user does not allow {what}"), None)
}
