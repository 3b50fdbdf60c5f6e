//! What is said to the service: apps, images and sandboxes. The messages are those that we send and read, with the vendor's names and field numbers. Fields that we neither set nor
//! read are left out: the format skips what it does not know.

use prost::Message;

use super::call::calls;

calls! {
    "modal.client.ModalClient":
    AppGetOrCreate(AppGetOrCreateRequest) -> AppGetOrCreateResponse,
    EnvironmentGetOrCreate(EnvironmentGetOrCreateRequest) -> EnvironmentGetOrCreateResponse,
    ImageGetOrCreate(ImageGetOrCreateRequest) -> ImageGetOrCreateResponse,
    ImageJoinStreaming(ImageJoinStreamingRequest) -> ImageJoinStreamingResponse,
    SandboxCreate(SandboxCreateRequest) -> SandboxCreateResponse,
    SandboxGetFromName(SandboxGetFromNameRequest) -> SandboxGetFromNameResponse,
    SandboxGetTaskId(SandboxGetTaskIdRequest) -> SandboxGetTaskIdResponse,
    TaskGetCommandRouterAccess(TaskGetCommandRouterAccessRequest) -> TaskGetCommandRouterAccessResponse,
}

/// `OBJECT_CREATION_TYPE_CREATE_IF_MISSING`.
pub(super) const IF_MISSING: i32 = 1;
/// `GENERIC_STATUS_SUCCESS`.
pub(super) const SUCCESS: i32 = 1;
/// `NetworkAccess.OPEN` and `NetworkAccess.BLOCKED`.
pub(super) const NETWORK_OPEN: i32 = 1;
pub(super) const NETWORK_BLOCKED: i32 = 2;

#[derive(Clone, PartialEq, Message)]
pub(super) struct AppGetOrCreateRequest {
    #[prost(string, tag = "1")]
    pub(super) app_name: String,
    #[prost(string, tag = "2")]
    pub(super) environment_name: String,
    #[prost(int32, tag = "3")]
    pub(super) object_creation_type: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AppGetOrCreateResponse {
    #[prost(string, tag = "1")]
    pub(super) app_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EnvironmentGetOrCreateRequest {
    #[prost(string, tag = "1")]
    pub(super) deployment_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EnvironmentGetOrCreateResponse {
    #[prost(message, optional, tag = "2")]
    pub(super) metadata: Option<EnvironmentMetadata>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EnvironmentMetadata {
    #[prost(message, optional, tag = "2")]
    pub(super) settings: Option<EnvironmentSettings>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EnvironmentSettings {
    #[prost(string, tag = "1")]
    pub(super) image_builder_version: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ImageGetOrCreateRequest {
    #[prost(message, optional, tag = "2")]
    pub(super) image: Option<Image>,
    #[prost(string, tag = "4")]
    pub(super) app_id: String,
    #[prost(string, tag = "9")]
    pub(super) builder_version: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Image {
    #[prost(string, repeated, tag = "6")]
    pub(super) dockerfile_commands: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ImageGetOrCreateResponse {
    #[prost(string, tag = "1")]
    pub(super) image_id: String,
    #[prost(message, optional, tag = "2")]
    pub(super) result: Option<GenericResult>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct GenericResult {
    #[prost(int32, tag = "1")]
    pub(super) status: i32,
    #[prost(string, tag = "2")]
    pub(super) exception: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ImageJoinStreamingRequest {
    #[prost(string, tag = "1")]
    pub(super) image_id: String,
    #[prost(float, tag = "2")]
    pub(super) timeout: f32,
    #[prost(string, tag = "3")]
    pub(super) last_entry_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ImageJoinStreamingResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) result: Option<GenericResult>,
    #[prost(string, tag = "3")]
    pub(super) entry_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SandboxCreateRequest {
    #[prost(string, tag = "1")]
    pub(super) app_id: String,
    #[prost(message, optional, tag = "2")]
    pub(super) definition: Option<Sandbox>,
    #[prost(string, tag = "3")]
    pub(super) environment_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Sandbox {
    #[prost(string, repeated, tag = "1")]
    pub(super) entrypoint_args: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) image_id: String,
    #[prost(message, optional, tag = "5")]
    pub(super) resources: Option<Resources>,
    #[prost(uint32, tag = "7")]
    pub(super) timeout_secs: u32,
    #[prost(message, optional, tag = "22")]
    pub(super) network_access: Option<NetworkAccess>,
    #[prost(string, optional, tag = "30")]
    pub(super) name: Option<String>,
    #[prost(uint32, optional, tag = "33")]
    pub(super) idle_timeout_secs: Option<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Resources {
    #[prost(uint32, tag = "2")]
    pub(super) memory_mb: u32,
    #[prost(uint32, tag = "3")]
    pub(super) milli_cpu: u32,
    #[prost(uint32, tag = "5")]
    pub(super) memory_mb_max: u32,
    #[prost(uint32, tag = "7")]
    pub(super) milli_cpu_max: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct NetworkAccess {
    #[prost(int32, tag = "1")]
    pub(super) network_access_type: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SandboxCreateResponse {
    #[prost(string, tag = "1")]
    pub(super) sandbox_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SandboxGetFromNameRequest {
    #[prost(string, tag = "1")]
    pub(super) sandbox_name: String,
    #[prost(string, tag = "2")]
    pub(super) environment_name: String,
    #[prost(string, tag = "3")]
    pub(super) app_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SandboxGetFromNameResponse {
    #[prost(string, tag = "1")]
    pub(super) sandbox_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SandboxGetTaskIdRequest {
    #[prost(string, tag = "1")]
    pub(super) sandbox_id: String,
    #[prost(float, optional, tag = "2")]
    pub(super) timeout: Option<f32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SandboxGetTaskIdResponse {
    #[prost(string, optional, tag = "1")]
    pub(super) task_id: Option<String>,
    #[prost(message, optional, tag = "2")]
    pub(super) task_result: Option<GenericResult>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskGetCommandRouterAccessRequest {
    #[prost(string, tag = "1")]
    pub(super) task_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskGetCommandRouterAccessResponse {
    #[prost(string, tag = "1")]
    pub(super) jwt: String,
    #[prost(string, tag = "2")]
    pub(super) url: String,
}
