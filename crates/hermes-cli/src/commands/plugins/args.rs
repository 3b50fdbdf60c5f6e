//! The words of `hermes plugins`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

#[derive(Subcommand, Debug)]
pub(crate) enum PluginsCommand {
    /// List plugins: the user's, the project's and the system's
    List,
    /// Copy a plugin folder, or a Python file with tools, to the user's plugins
    Install {
        /// A folder with a plugin.yaml, or a .py file
        path: PathBuf,
        /// Enable it too
        #[arg(long)]
        enable: bool,
        /// Ask for this beside the network, such as file:write; for a .py file, which has no manifest
        #[arg(long = "permission", value_name = "NAME")]
        permissions: Vec<String>,
    },
    /// Agree to a plugin as it is now and to what it asks for
    Enable {
        /// The plugin, by its id
        id: String,
    },
    /// Take that agreement back
    Disable {
        /// The plugin, by its id
        id: String,
    },
    /// Start a plugin with nothing granted and see whether it keeps to the rules
    Check {
        /// The id of a plugin, or a folder with a plugin.yaml
        plugin: String,
    },
    /// Write a new plugin to start from
    New {
        /// The plugin, by its id
        id: String,
        /// What it is written in
        #[arg(long, value_enum, default_value = "python")]
        language: Written,
        /// The folder to write it in
        #[arg(long, value_name = "DIR", default_value = ".")]
        into: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    Python,
    Node,
    Shell,
    Rust,
}
