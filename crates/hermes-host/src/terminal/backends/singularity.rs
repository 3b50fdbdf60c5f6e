//! Commands in an instance of apptainer or singularity, by their own program: one instance for a session.
//! Command line as documented in the Apptainer user guide ("Running services", "apptainer instance").

use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hermes_core::{ErrorCode, ToolError};
use tokio::sync::Mutex;

use super::container::short_hash;
use super::contract::{Backend, Job, Prepared, with_hint};
use super::programs::Vendor;
use super::{ended_there, other_side};
use crate::env::Env;
use crate::terminal::job::Place;
use crate::terminal::settings::ContainerSettings;

const ASK: Duration = Duration::from_secs(30);
/// An image may have to be fetched and built first.
const START: Duration = Duration::from_secs(600);

/// Instances on one machine.
pub(in crate::terminal) struct Singularity {
    settings: ContainerSettings,
    vendor: Result<Vendor, String>,
    hermes_home: String,
    making: Mutex<()>,
}

impl Singularity {
    pub(in crate::terminal) fn new(settings: ContainerSettings, env: &Env, hermes_home: &Path) -> Self {
        let variables =
            ["APPTAINER_CACHEDIR", "APPTAINER_TMPDIR", "APPTAINER_CONFIGDIR", "SINGULARITY_CACHEDIR"];
        let vendor = Vendor::find(&["apptainer", "singularity"], env, &variables);
        Singularity {
            settings,
            vendor,
            hermes_home: hermes_home.display().to_string(),
            making: Mutex::new(()),
        }
    }

    fn vendor(&self) -> Result<&Vendor, ToolError> {
        self.vendor.as_ref().map_err(|reason| {
            unavailable(reason).with_hint("Install apptainer, or set terminal.env_type to local.")
        })
    }

    fn image(&self) -> Result<&str, ToolError> {
        let image =
            self.settings.image.as_deref().filter(|image| !image.is_empty() && !image.starts_with('-'));
        image.ok_or_else(|| {
            let hint = "Set terminal.singularity_image, for instance to docker://debian:12.";
            ToolError { retryable: false, ..unavailable("terminal.singularity_image is not set") }
                .with_hint(hint)
        })
    }

    /// How the names of this installation's instances begin.
    fn owned(&self) -> String {
        format!("hermes-{}-", short_hash(&[&self.hermes_home]))
    }

    /// The session's instance, running. Its name says how it was made.
    async fn instance(&self, session: &str) -> Result<String, ToolError> {
        let _making = self.making.lock().await;
        let (vendor, image) = (self.vendor()?, self.image()?);
        let mut flags: Vec<String> =
            ["--containall", "--no-home", "--writable-tmpfs", "--no-privs"].map(str::to_owned).to_vec();
        flags.extend(self.settings.mounts.iter().flat_map(|mount| ["--bind".to_owned(), mount.clone()]));
        if !self.settings.network {
            flags.extend(["--net".to_owned(), "--network".to_owned(), "none".to_owned()]);
        }
        let made = short_hash(&flags.iter().map(String::as_str).chain([image]).collect::<Vec<_>>());
        let name = format!("{}{}-{made}", self.owned(), short_hash(&[session]));
        let listed =
            vendor.ask(&["instance", "list", &name], ASK).await.map_err(|reason| unavailable(&reason))?;
        if !listed.lines().any(|line| line.split_whitespace().next() == Some(&name)) {
            let mut arguments = vec!["instance", "start"];
            arguments.extend(flags.iter().map(String::as_str));
            arguments.extend([image, &name]);
            vendor.ask_and_leave(&arguments, START).await.map_err(|reason| unavailable(&reason))?;
        }
        Ok(name)
    }
}

impl Backend for Singularity {
    fn first_folder(&self) -> Option<&str> {
        Some(&self.settings.cwd)
    }

    fn prepare<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Prepared, ToolError>> {
        Box::pin(async move {
            let name = self.instance(job.session).await?;
            let (vendor, image) = (self.vendor()?, self.image()?);
            let mut argv: Vec<String> =
                [vendor.program.as_str(), "exec", "--cleanenv", "--no-privs"].map(str::to_owned).to_vec();
            argv.push(format!("instance://{name}"));
            argv.extend(other_side::argv(&job, false));
            let launch = other_side::client(argv, vendor.env(), &job);
            let identity = Some(format!("{name} {image}"));
            let place = Place { backend: "singularity", sandbox: "container", identity, ..Place::default() };
            Ok(Prepared { launch, input: other_side::input(&job), place })
        })
    }

    fn end<'a>(&'a self, session: &'a str, mark: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let (Ok(vendor), Ok(name)) = (self.vendor(), self.instance(session).await) else { return false };
            let instance = format!("instance://{name}");
            let end = ended_there::end(mark);
            let said = vendor.ask(&["exec", "--no-privs", &instance, "sh", "-c", &end], ASK).await;
            ended_there::is_done(said)
        })
    }

    fn clean(&self) -> BoxFuture<'_, Result<usize, String>> {
        Box::pin(async move {
            let vendor = self.vendor().map_err(|error| with_hint(&error))?;
            let listed = vendor.ask(&["instance", "list"], ASK).await?;
            let names = listed.lines().filter_map(|line| line.split_whitespace().next());
            let own = self.owned();
            let own: Vec<&str> = names.filter(|name| name.starts_with(&own)).collect();
            for name in &own {
                vendor.ask(&["instance", "stop", name], ASK).await?;
            }
            Ok(own.len())
        })
    }

    fn check(&self) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            let vendor = self.vendor().map_err(|error| with_hint(&error))?;
            let version = vendor.ask(&["--version"], ASK).await?;
            let image = self.image().map_err(|error| with_hint(&error))?;
            Ok(format!("{version}, image {image}"))
        })
    }
}

fn unavailable(reason: &str) -> ToolError {
    ToolError::new(ErrorCode::Unavailable, format!("the singularity backend cannot be used: {reason}"))
}
