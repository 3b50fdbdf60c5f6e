//! One sandbox for a session, found again by its name.

use std::path::Path;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};
use tokio::sync::Mutex;

use super::client;
use super::service::{Fault, Service, VARIABLES};
use crate::env::Env;
use crate::process::{Program, run};
use crate::terminal::backends::container::{name_of, short_hash};
use crate::terminal::backends::contract::{Backend, Job, Prepared, with_hint};
use crate::terminal::backends::{ended_there, other_side};
use crate::terminal::job::Place;
use crate::terminal::settings::ContainerSettings;

const END: std::time::Duration = std::time::Duration::from_secs(30);

/// Sandboxes of one account.
pub(in crate::terminal) struct Modal {
    settings: ContainerSettings,
    service: Result<Service, Fault>,
    env: Vec<(String, String)>,
    hermes_home: String,
    /// One at a time: two commands of a session must not make two sandboxes.
    making: Mutex<()>,
}

struct Standing {
    sandbox_id: String,
    task_id: String,
}

impl Modal {
    pub(in crate::terminal) fn new(settings: ContainerSettings, env: &Env, hermes_home: &Path) -> Self {
        let own = env.iter().filter(|(name, _)| VARIABLES.contains(name));
        Modal {
            settings,
            service: Service::new(env),
            env: own.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            hermes_home: hermes_home.display().to_string(),
            making: Mutex::new(()),
        }
    }

    fn service(&self) -> Result<&Service, ToolError> {
        self.service.as_ref().map_err(|fault| unavailable(fault.clone()))
    }

    fn image(&self) -> Result<&str, ToolError> {
        let image = self.settings.image.as_deref().filter(|image| !image.is_empty());
        image.ok_or_else(|| {
            let unset = unavailable(Fault::from("terminal.modal_image is not set".to_owned()));
            ToolError { retryable: false, ..unset }
                .with_hint("Set terminal.modal_image, for instance to debian:12.")
        })
    }

    /// The session's sandbox, running. Its name says how it was made.
    async fn standing(&self, session: &str) -> Result<Standing, ToolError> {
        let _making = self.making.lock().await;
        let (service, image) = (self.service()?, self.image()?);
        let ContainerSettings { network, memory_mb, cpus, .. } = &self.settings;
        let made = short_hash(&[image, &network.to_string(), &memory_mb.to_string(), cpus]);
        let name = format!("{}-{made}", name_of(session, &self.hermes_home));
        let sandbox_id = service.sandbox(&name, image, &self.settings).await.map_err(unavailable)?;
        let task_id = service.task(&sandbox_id).await.map_err(unavailable)?;
        Ok(Standing { sandbox_id, task_id })
    }
}

impl Backend for Modal {
    fn first_folder(&self) -> Option<&str> {
        Some(&self.settings.cwd)
    }

    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>> {
        Box::pin(async move {
            let Standing { sandbox_id, task_id } = self.standing(job.session).await?;
            let argv = client::arguments(&task_id, &exec_id(), job.pty, other_side::argv(&job, false));
            let launch = other_side::client(argv, &self.env, &job);
            let identity = Some(format!("{sandbox_id} {}", self.image()?));
            let place = Place { backend: "modal", sandbox: "container", identity, ..Place::default() };
            Ok(Prepared { launch, input: other_side::input(&job), place })
        })
    }

    fn end<'a>(&'a self, session: &'a str, mark: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let Ok(standing) = self.standing(session).await else { return false };
            let argv = ["sh", "-c", &ended_there::end(mark)].map(str::to_owned).to_vec();
            let program = Program {
                argv: client::arguments(&standing.task_id, &exec_id(), false, argv),
                cwd: "/".into(),
                env: self.env.clone(),
                stdin: Vec::new(),
                timeout: END,
                max_output: 4_096,
            };
            let said = run(program).await.map(|done| String::from_utf8_lossy(&done.stdout).into_owned());
            ended_there::is_done(said)
        })
    }

    fn check(&self) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let text = |error: ToolError| with_hint(&error);
            let service = self.service().map_err(text)?;
            let app = service.app().await.map_err(unavailable).map_err(text)?;
            Ok(format!("app {app}, image {}", self.image().map_err(text)?))
        })
    }
}

fn exec_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

fn unavailable(fault: Fault) -> ToolError {
    let message = format!("the modal backend cannot be used: {}", fault.reason);
    let error = ToolError::new(ErrorCode::Unavailable, message);
    match fault.auth {
        true => error.with_hint("Make a token at modal.com and set MODAL_TOKEN_ID and MODAL_TOKEN_SECRET."),
        false => error,
    }
}
