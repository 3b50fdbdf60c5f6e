//! Commands in a container, by the program of docker or podman: one container for a session, kept between
//! commands and runs, with no capability, no new privileges and bounds on what it may use.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};
use tokio::sync::Mutex;

use super::container::{name_of, short_hash};
use super::contract::{Backend, Job, Prepared, sentence, with_hint};
use super::programs::Vendor;
use super::{ended_there, other_side};
use crate::env::Env;
use crate::terminal::job::Place;
use crate::terminal::settings::ContainerSettings;

const ASK: Duration = Duration::from_secs(30);
/// An image may have to be fetched first.
const RUN: Duration = Duration::from_secs(600);
/// How long a container that was seen running is taken to run still by scripts of our own. They come in quick
/// succession, asking takes as long as they do, and they know whether they ran.
const BELIEVED: Duration = Duration::from_secs(5);
/// The label that says how a container was made.
const MADE: &str = "hermes-made";

/// The label that says whose they are.
const OWNER: &str = "hermes-home";
/// Stays for as long as something runs in the container, and a day longer. It is started again when it is needed.
const STAY: &str = "n=0; while [ $n -lt 24 ]; do sleep 3600; set -- /proc/[0-9]*; \
                    if [ $# -gt 2 ]; then n=0; else n=$((n+1)); fi; done";

/// What the two programs take from their environment.
const VARIABLES: &[&str] = &[
    "DOCKER_HOST",
    "DOCKER_CONTEXT",
    "DOCKER_CONFIG",
    "XDG_RUNTIME_DIR",
    "CONTAINER_HOST",
    "CONTAINERS_CONF",
    "CONTAINERS_STORAGE_CONF",
];

/// Containers of one machine.
pub(in crate::terminal) struct Docker {
    kind: &'static str,
    settings: ContainerSettings,
    vendor: Result<Vendor, String>,
    hermes_home: String,
    /// One at a time: two commands of a session must not make two containers. Holds those that were seen running, by
    /// session.
    making: Mutex<HashMap<String, Seen>>,
}

/// A container, and when it was seen running.
type Seen = (Instant, Container);

#[derive(Clone)]
struct Container {
    name: String,
    identity: String,
}

impl Docker {
    /// `kind` is the program: docker or podman.
    pub(in crate::terminal) fn new(
        kind: &'static str,
        settings: ContainerSettings,
        env: &Env,
        hermes_home: &Path,
    ) -> Self {
        let vendor = Vendor::find(&[kind], env, VARIABLES);
        let hermes_home = hermes_home.display().to_string();
        Docker { kind, settings, vendor, hermes_home, making: Mutex::default() }
    }

    fn vendor(&self) -> Result<&Vendor, ToolError> {
        self.vendor.as_ref().map_err(|reason| {
            let hint = format!("Install {}, or set terminal.env_type to local.", self.kind);
            self.unavailable(reason).with_hint(hint)
        })
    }

    fn unavailable(&self, reason: &str) -> ToolError {
        ToolError::new(ErrorCode::Unavailable, format!("the {} backend cannot be used: {reason}", self.kind))
    }

    fn image(&self) -> Result<&str, ToolError> {
        let image =
            self.settings.image.as_deref().filter(|image| !image.is_empty() && !image.starts_with('-'));
        image.ok_or_else(|| {
            let hint = "Set terminal.docker_image, for instance to debian:12.";
            ToolError { retryable: false, ..self.unavailable("terminal.docker_image is not set") }
                .with_hint(hint)
        })
    }

    /// How the session's container is made; a change makes another one.
    fn made_with(&self, image: &str) -> Vec<String> {
        let settings = &self.settings;
        let mut flags: Vec<String> =
            ["--init", "--cap-drop=ALL", "--security-opt=no-new-privileges"].map(str::to_owned).to_vec();
        flags.push(format!("--pids-limit={}", settings.pids));
        flags.push(format!("--memory={}m", settings.memory_mb));
        flags.push(format!("--cpus={}", settings.cpus));
        if !settings.network {
            flags.push("--network=none".to_owned());
        }
        flags.extend(settings.mounts.iter().map(|mount| format!("--volume={mount}")));
        flags.extend(["--entrypoint=sh".to_owned(), image.to_owned()]);
        flags.extend(["-c", STAY].map(str::to_owned));
        flags
    }

    /// The session's container, running.
    async fn container(&self, job: &Job<'_>) -> Result<Container, ToolError> {
        let mut seen = self.making.lock().await;
        seen.retain(|_, (when, _)| when.elapsed() < BELIEVED);
        match seen.get(job.session) {
            Some((_, container)) if job.fed => Ok(container.clone()),
            _ => {
                let container = self.running(job.session).await?;
                seen.insert(job.session.to_owned(), (Instant::now(), container.clone()));
                Ok(container)
            }
        }
    }

    async fn running(&self, session: &str) -> Result<Container, ToolError> {
        let (vendor, image) = (self.vendor()?, self.image()?);
        let flags = self.made_with(image);
        let made = short_hash(&flags.iter().map(String::as_str).collect::<Vec<_>>());
        let name = name_of(session, &self.hermes_home);
        let format = format!(
            "{{{{.State.Running}}}} {{{{index .Config.Labels \"{MADE}\"}}}} {{{{.Id}}}} {{{{.Image}}}}"
        );
        for _ in 0..3 {
            let found = vendor.ask(&["inspect", "--type=container", "--format", &format, &name], ASK).await;
            let words: Vec<String> = match found {
                Ok(text) => text.split(' ').map(str::to_owned).collect(),
                Err(_) => {
                    self.make(&name, &made, &flags).await?;
                    continue;
                }
            };
            let [running, label, id, image] = words.as_slice() else { break };
            if *label != made {
                let _ = vendor.ask(&["rm", "-f", &name], ASK).await;
            } else if running != "true" {
                vendor
                    .ask_and_leave(&["start", &name], ASK)
                    .await
                    .map_err(|reason| self.unavailable(&reason))?;
            } else {
                let identity = format!("{} {image}", id.get(..12).unwrap_or(id));
                return Ok(Container { name, identity });
            }
        }
        Err(self.unavailable("the session's container does not come up"))
    }

    async fn make(&self, name: &str, made: &str, flags: &[String]) -> Result<(), ToolError> {
        let (label, own) = (format!("--label={MADE}={made}"), format!("--name={name}"));
        let owner = format!("--label={OWNER}={}", short_hash(&[&self.hermes_home]));
        let mut arguments = vec!["run", "-d", &own, "--label=hermes=1", &label, &owner];
        arguments.extend(flags.iter().map(String::as_str));
        let run = self.vendor()?.ask_and_leave(&arguments, RUN).await;
        run.map(|_| ()).map_err(|reason| {
            let hint = format!("'hermes backends check {}' says what is there.", self.kind);
            self.unavailable(&reason).with_hint(hint)
        })
    }
}

impl Backend for Docker {
    fn first_folder(&self) -> Option<&str> {
        Some(&self.settings.cwd)
    }

    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>> {
        Box::pin(async move {
            let container = self.container(&job).await?;
            let vendor = self.vendor()?;
            let mut argv = vec![vendor.program.clone(), "exec".to_owned()];
            if job.pty {
                argv.push("-it".to_owned());
            } else if job.fed || job.lasts || job.is_told_by_input() {
                argv.push("-i".to_owned());
            }
            argv.push(container.name);
            argv.extend(other_side::argv(&job, false));
            let launch = other_side::client(argv, vendor.env(), &job);
            let place = Place {
                backend: self.kind,
                sandbox: "container",
                identity: Some(container.identity),
                ..Place::default()
            };
            Ok(Prepared { launch, input: other_side::input(&job), place })
        })
    }

    fn doubt<'a>(&'a self, session: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(async move { self.making.lock().await.remove(session).is_some() })
    }

    fn end<'a>(&'a self, session: &'a str, mark: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let (Ok(vendor), name) = (self.vendor(), name_of(session, &self.hermes_home)) else {
                return false;
            };
            let said = vendor.ask(&["exec", &name, "sh", "-c", &ended_there::end(mark)], ASK).await;
            ended_there::is_done(said)
        })
    }

    fn clean(&self) -> BoxFuture<'_, Result<usize, String>> {
        Box::pin(async move {
            let vendor = self.vendor().map_err(|error| with_hint(&error))?;
            self.making.lock().await.clear();
            let owner = format!("label={OWNER}={}", short_hash(&[&self.hermes_home]));
            let listed = vendor.ask(&["ps", "-aq", "--filter", &owner], ASK).await?;
            let ids: Vec<&str> = listed.lines().collect();
            if !ids.is_empty() {
                let arguments: Vec<&str> = ["rm", "-f"].into_iter().chain(ids.iter().copied()).collect();
                vendor.ask(&arguments, RUN).await?;
            }
            Ok(ids.len())
        })
    }

    fn check(&self) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let vendor = self.vendor().map_err(|error| with_hint(&error))?;
            let version = vendor.ask(&["version", "--format", "{{.Server.Version}}"], ASK).await;
            let version = version.map_err(|reason| {
                format!(
                    "its daemon does not answer: {} Start it, or set terminal.env_type to another backend.",
                    sentence(&reason)
                )
            })?;
            let image = self.image().map_err(|error| with_hint(&error))?;
            vendor
                .ask(&["image", "inspect", "--format", "{{.Id}}", image], ASK)
                .await
                .map(|id| format!("{} {version}, image {image} {id}", self.kind))
                .map_err(|_| format!("image {image} is not there; get it with: {} pull {image}", self.kind))
        })
    }
}
