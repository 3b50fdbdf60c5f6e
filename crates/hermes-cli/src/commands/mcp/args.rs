//! The flags of `hermes mcp`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum McpCommand {
    /// Add a server to the configuration, start it once and show its tools
    Add(AddArgs),
    /// Take a server out of the configuration and forget its tools
    Remove { name: String },
    /// List servers with their state and tools
    List,
    /// Start a server now and show what it offers
    Test { name: String },
    /// Show what changed in a server's tools since you agreed to them, and agree
    Trust(TrustArgs),
    /// Show what a server wrote to its log
    Logs {
        name: String,
        /// How many lines at most
        #[arg(short = 'n', long, default_value_t = 50)]
        lines: usize,
    },
    /// Take over the servers of another client's file, such as .mcp.json
    Import(ImportArgs),
    /// Look through texts of tools and results for hidden or instructive content, one JSON case a line
    Scan {
        /// A file with lines {"id", "field", "text"}; '-' reads standard input
        file: PathBuf,
    },
    /// Be an MCP server for another client, over standard input and output
    Serve,
}

#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// What to call the server
    pub(crate) name: String,
    /// An environment variable for it; ${VAR} refers to one of yours
    #[arg(short = 'e', long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// Do not start it now
    #[arg(long)]
    pub(crate) no_start: bool,
    /// The program and its arguments, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct TrustArgs {
    pub(crate) name: String,
    /// Only these tools
    pub(crate) tools: Vec<String>,
    /// Show what waits, agree to nothing
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// The file: .mcp.json, claude_desktop_config.json, .vscode/mcp.json or the like
    pub(crate) file: PathBuf,
    /// Only these servers
    pub(crate) names: Vec<String>,
    /// Show what would be written, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
