//! The backend that the settings name.

use std::path::Path;

use super::contract::Backend;
use super::docker::Docker;
use super::local::Local;
use super::modal::Modal;
use super::singularity::Singularity;
use super::ssh::Ssh;
use crate::env::Env;
use crate::terminal::settings::{BackendSettings, TerminalSettings};

/// Where the settings say.
pub(in crate::terminal) fn backend(
    settings: &TerminalSettings,
    env: &Env,
    hermes_home: &Path,
) -> Box<dyn Backend> {
    match &settings.backend {
        BackendSettings::Local => Box::new(Local { limits: settings.limits }),
        BackendSettings::Ssh(ssh) => Box::new(Ssh::new(ssh.clone(), env, hermes_home)),
        BackendSettings::Docker(docker) => Box::new(Docker::new("docker", docker.clone(), env, hermes_home)),
        BackendSettings::Podman(podman) => Box::new(Docker::new("podman", podman.clone(), env, hermes_home)),
        BackendSettings::Singularity(instance) => {
            Box::new(Singularity::new(instance.clone(), env, hermes_home))
        }
        BackendSettings::Modal(sandbox) => Box::new(Modal::new(sandbox.clone(), env, hermes_home)),
    }
}
