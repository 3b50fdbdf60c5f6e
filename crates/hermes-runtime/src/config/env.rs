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

/// Every variable Hermes knows. An empty value counts as not set; a list is separated by commas.
pub const ENV: &[EnvVar] = &[
    EnvVar { name: "HERMES_HOME", key: "", help: "The folder that holds config.yaml and all state." },
    EnvVar {
        name: "HERMES_LOG",
        key: "",
        help: "What is told on standard error beside the answers: off, error, warn, info, debug or trace; warn if not set.",
    },
    EnvVar { name: "HERMES_TOOLSETS", key: "toolsets", help: "Toolsets a session starts with." },
    EnvVar { name: "HERMES_DISABLED_TOOLSETS", key: "disabled_toolsets", help: "Toolsets taken away last." },
    EnvVar { name: "HERMES_PROVIDER", key: "provider", help: "Whose rules the tool schemas are shaped for." },
    EnvVar { name: "HERMES_PROFILE", key: "permissions.profile", help: "The permission profile in force." },
    EnvVar { name: "HERMES_NAMING", key: "tools.naming", help: "Which names of tools the model sees." },
    EnvVar { name: "TERMINAL_ENV", key: "terminal.env_type", help: "Where commands run." },
    EnvVar { name: "TERMINAL_CWD", key: "terminal.cwd", help: "Where a session's first command runs." },
    EnvVar {
        name: "TERMINAL_TIMEOUT",
        key: "terminal.timeout",
        help: "Seconds after which a command is ended.",
    },
    EnvVar { name: "TERMINAL_SSH_HOST", key: "terminal.ssh_host", help: "The machine that ssh talks to." },
    EnvVar { name: "TERMINAL_SSH_USER", key: "terminal.ssh_user", help: "The user there." },
    EnvVar { name: "TERMINAL_SSH_PORT", key: "terminal.ssh_port", help: "The port there." },
    EnvVar { name: "TERMINAL_SSH_KEY", key: "terminal.ssh_key", help: "The private key to log in with." },
    EnvVar {
        name: "TERMINAL_DOCKER_IMAGE",
        key: "terminal.docker_image",
        help: "The image of docker and podman.",
    },
    EnvVar {
        name: "TERMINAL_SINGULARITY_IMAGE",
        key: "terminal.singularity_image",
        help: "The image of singularity.",
    },
    EnvVar { name: "TERMINAL_MODAL_IMAGE", key: "terminal.modal_image", help: "The image of modal." },
    EnvVar {
        name: "HERMES_WIDTH",
        key: "limits.batch_width",
        help: "Calls of one batch that may run side by side.",
    },
    EnvVar {
        name: "HERMES_JOURNAL",
        key: "journal.enabled",
        help: "Whether calls are recorded: true or false.",
    },
];
