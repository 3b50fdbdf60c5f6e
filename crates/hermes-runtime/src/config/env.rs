//! The environment variables that settings can come from: one table for the loader, the host and the docs.

/// An environment variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvVar {
    /// Its name.
    pub name: &'static str,
    /// The key it sets, empty where the host reads it before there is a configuration.
    pub key: &'static str,
    /// What it is for.
    pub help: &'static str,
}

const fn variable(name: &'static str, key: &'static str, help: &'static str) -> EnvVar {
    EnvVar { name, key, help }
}

/// Every variable Hermes knows. An empty value counts as not set; a list is separated by commas.
pub const ENV: &[EnvVar] = &[
    variable("HERMES_HOME", "", "The folder that holds config.yaml and all state."),
    variable(
        "HERMES_LOG",
        "",
        "What is told on standard error beside the answers: off, error, warn, info, debug or trace; warn if not set.",
    ),
    variable("HERMES_TOOLSETS", "toolsets", "Toolsets a session starts with."),
    variable("HERMES_DISABLED_TOOLSETS", "disabled_toolsets", "Toolsets taken away last."),
    variable("HERMES_PROVIDER", "provider", "Whose rules the tool schemas are shaped for."),
    variable("HERMES_PROFILE", "permissions.profile", "The permission profile in force."),
    variable("HERMES_NAMING", "tools.naming", "Which names of tools the model sees."),
    variable("TERMINAL_ENV", "terminal.env_type", "Where commands run."),
    variable("TERMINAL_CWD", "terminal.cwd", "Where a session's first command runs."),
    variable("TERMINAL_TIMEOUT", "terminal.timeout", "Seconds after which a command is ended."),
    variable("TERMINAL_SSH_HOST", "terminal.ssh_host", "The machine that ssh talks to."),
    variable("TERMINAL_SSH_USER", "terminal.ssh_user", "The user there."),
    variable("TERMINAL_SSH_PORT", "terminal.ssh_port", "The port there."),
    variable("TERMINAL_SSH_KEY", "terminal.ssh_key", "The private key to log in with."),
    variable("TERMINAL_DOCKER_IMAGE", "terminal.docker_image", "The image of docker and podman."),
    variable("TERMINAL_SINGULARITY_IMAGE", "terminal.singularity_image", "The image of singularity."),
    variable("TERMINAL_MODAL_IMAGE", "terminal.modal_image", "The image of modal."),
    variable("HERMES_WIDTH", "limits.batch_width", "Calls of one batch that may run side by side."),
    variable("HERMES_JOURNAL", "journal.enabled", "Whether calls are recorded: true or false."),
];
