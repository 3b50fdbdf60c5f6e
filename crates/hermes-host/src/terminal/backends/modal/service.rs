//! Modal's service: apps, images, sandboxes, and the way to the machine that one runs on.

use std::time::Duration;

use super::call::Call;
use super::grpc::{ALREADY_EXISTS, Channel, NOT_FOUND, PERMISSION_DENIED, Status, UNAUTHENTICATED};
use super::messages::{
    AppGetOrCreateRequest, EnvironmentGetOrCreateRequest, GenericResult, IF_MISSING, Image,
    ImageGetOrCreateRequest, ImageJoinStreamingRequest, NETWORK_BLOCKED, NETWORK_OPEN, NetworkAccess,
    Resources, SUCCESS, Sandbox, SandboxCreateRequest, SandboxGetFromNameRequest, SandboxGetTaskIdRequest,
    TaskGetCommandRouterAccessRequest, TaskGetCommandRouterAccessResponse,
};
use crate::env::Env;
use crate::terminal::settings::ContainerSettings;

const SERVER: &str = "https://api.modal.com:443";
/// The version of the vendor's client whose protocol this is.
const CLIENT_VERSION: &str = "1.6.3";
/// `CLIENT_TYPE_CLIENT`.
const CLIENT_TYPE: &str = "1";
/// The app that all our sandboxes belong to.
const APP: &str = "hermes";
const ASK: Duration = Duration::from_secs(30);
/// How long the vendor may take to build an image, and to find a machine.
const BUILD: Duration = Duration::from_secs(600);
const SCHEDULE: Duration = Duration::from_secs(300);
/// How long one question after either waits.
const POLL: f32 = 20.0;
/// A sandbox lives at most this long, and this long without a command.
const LIFE: u32 = 24 * 3600;
const IDLE: u32 = 3600;
const ATTEMPTS: u32 = 3;
const FIRST_DELAY: Duration = Duration::from_millis(100);

/// Variables that say who we are, by the vendor's own names.
pub(super) const VARIABLES: &[&str] =
    &["MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET", "MODAL_SERVER_URL", "MODAL_ENVIRONMENT"];

/// Why something could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) reason: String,
    /// Whether the vendor does not know us.
    pub(super) auth: bool,
}

impl From<Status> for Fault {
    fn from(status: Status) -> Self {
        let auth = matches!(status.code, UNAUTHENTICATED | PERMISSION_DENIED);
        Fault { reason: status.message, auth }
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Fault { reason, auth: false }
    }
}

/// The service as one user sees it.
#[derive(Clone, Debug)]
pub(super) struct Service {
    channel: Channel,
    environment: String,
}

impl Service {
    pub(super) fn new(env: &Env) -> Result<Self, Fault> {
        let (Some(id), Some(secret)) = (env.get("MODAL_TOKEN_ID"), env.get("MODAL_TOKEN_SECRET")) else {
            return Err(Fault {
                reason: "MODAL_TOKEN_ID or MODAL_TOKEN_SECRET is not set".to_owned(),
                auth: true,
            });
        };
        let metadata = [
            ("x-modal-client-version", CLIENT_VERSION),
            ("x-modal-client-type", CLIENT_TYPE),
            ("x-modal-token-id", id),
            ("x-modal-token-secret", secret),
        ];
        let channel = Channel::new(env.get("MODAL_SERVER_URL").unwrap_or(SERVER), &metadata)?;
        Ok(Service { channel, environment: env.get("MODAL_ENVIRONMENT").unwrap_or_default().to_owned() })
    }

    /// Asks again where nobody knows what became of the first time; every call here may be repeated.
    async fn ask<C: Call>(&self, call: &C, limit: Duration) -> Result<C::Answer, Status> {
        let mut delay = FIRST_DELAY;
        for _ in 1..ATTEMPTS {
            match self.channel.call(call, limit).await {
                Err(status) if status.passes() => tokio::time::sleep(delay).await,
                done => return done,
            }
            delay *= 2;
        }
        self.channel.call(call, limit).await
    }

    /// The app, made where it is missing.
    pub(super) async fn app(&self) -> Result<String, Fault> {
        let call = AppGetOrCreateRequest {
            app_name: APP.to_owned(),
            environment_name: self.environment.clone(),
            object_creation_type: IF_MISSING,
        };
        Ok(self.ask(&call, ASK).await?.app_id)
    }

    /// The image, built where it is missing: by its id at the vendor, or by its name in a registry.
    async fn image(&self, app_id: &str, image: &str) -> Result<String, Fault> {
        if image.starts_with("im-") {
            return Ok(image.to_owned());
        }
        let environment = EnvironmentGetOrCreateRequest { deployment_name: self.environment.clone() };
        let settings = self.ask(&environment, ASK).await?.metadata.and_then(|metadata| metadata.settings);
        let call = ImageGetOrCreateRequest {
            image: Some(Image { dockerfile_commands: vec![format!("FROM {image}")] }),
            app_id: app_id.to_owned(),
            builder_version: settings.unwrap_or_default().image_builder_version,
        };
        let got = self.ask(&call, ASK).await?;
        let built = match got.result.filter(|result| result.status != 0) {
            Some(result) => result,
            None => self.built(&got.image_id).await?,
        };
        match built.status {
            SUCCESS => Ok(got.image_id),
            _ => Err(Fault::from(format!("image {image} could not be built: {}", built.exception))),
        }
    }

    /// Waits for an image.
    async fn built(&self, image_id: &str) -> Result<GenericResult, Fault> {
        let deadline = tokio::time::Instant::now() + BUILD;
        let mut last_entry_id = String::new();
        while tokio::time::Instant::now() < deadline {
            let call = ImageJoinStreamingRequest {
                image_id: image_id.to_owned(),
                timeout: POLL,
                last_entry_id: last_entry_id.clone(),
            };
            let mut answers = self.channel.stream(&call).await?;
            while let Some(answer) = answers.next().await? {
                if let Some(result) = answer.result.filter(|result| result.status != 0) {
                    return Ok(result);
                }
                if !answer.entry_id.is_empty() {
                    last_entry_id = answer.entry_id;
                }
            }
        }
        Err(Fault::from("its image was not built in time".to_owned()))
    }

    /// The sandbox of this name, made where it is missing.
    pub(super) async fn sandbox(
        &self,
        name: &str,
        image: &str,
        settings: &ContainerSettings,
    ) -> Result<String, Fault> {
        if let Some(found) = self.find(name).await? {
            return Ok(found);
        }
        let app_id = self.app().await?;
        let image_id = self.image(&app_id, image).await?;
        let call = SandboxCreateRequest {
            app_id,
            definition: Some(definition(name, image_id, settings)),
            environment_name: self.environment.clone(),
        };
        match self.ask(&call, ASK).await {
            Ok(made) => Ok(made.sandbox_id),
            // Another process of ours was faster, or the first attempt did it.
            Err(status) if status.code == ALREADY_EXISTS => {
                self.find(name).await?.ok_or_else(|| Fault::from(status.message))
            }
            Err(status) => Err(status.into()),
        }
    }

    async fn find(&self, name: &str) -> Result<Option<String>, Fault> {
        let call = SandboxGetFromNameRequest {
            sandbox_name: name.to_owned(),
            environment_name: self.environment.clone(),
            app_name: APP.to_owned(),
        };
        match self.ask(&call, ASK).await {
            Ok(found) => Ok(Some(found.sandbox_id)),
            Err(status) if status.code == NOT_FOUND => Ok(None),
            Err(status) => Err(status.into()),
        }
    }

    /// What runs the sandbox, once it runs.
    pub(super) async fn task(&self, sandbox_id: &str) -> Result<String, Fault> {
        let deadline = tokio::time::Instant::now() + SCHEDULE;
        let call = SandboxGetTaskIdRequest { sandbox_id: sandbox_id.to_owned(), timeout: Some(POLL) };
        while tokio::time::Instant::now() < deadline {
            let answer = self.ask(&call, ASK).await?;
            if let Some(task_id) = answer.task_id.filter(|id| !id.is_empty()) {
                return Ok(task_id);
            }
            if let Some(result) = answer.task_result {
                return Err(Fault::from(format!("the sandbox has ended: {}", result.exception)));
            }
        }
        Err(Fault::from("the sandbox does not come up".to_owned()))
    }

    pub(super) async fn access(&self, task_id: &str) -> Result<TaskGetCommandRouterAccessResponse, Status> {
        let call = TaskGetCommandRouterAccessRequest { task_id: task_id.to_owned() };
        self.ask(&call, ASK).await
    }
}

fn definition(name: &str, image_id: String, settings: &ContainerSettings) -> Sandbox {
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let memory = number(settings.memory_mb);
    let cpu = settings.cpus.parse::<u32>().unwrap_or(1).saturating_mul(1_000);
    let network = if settings.network { NETWORK_OPEN } else { NETWORK_BLOCKED };
    Sandbox {
        entrypoint_args: vec!["sleep".to_owned(), LIFE.to_string()],
        image_id,
        resources: Some(Resources {
            memory_mb: memory,
            milli_cpu: cpu,
            memory_mb_max: memory,
            milli_cpu_max: cpu,
        }),
        timeout_secs: LIFE,
        network_access: Some(NetworkAccess { network_access_type: network }),
        name: Some(name.to_owned()),
        idle_timeout_secs: Some(IDLE),
    }
}
