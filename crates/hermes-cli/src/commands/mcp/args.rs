//! The flags of `hermes mcp`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum McpCommand {
    /// Add a server to the configuration, start it once and show its tools
    Add(AddArgs),
    /// Take a server out of the configuration and forget its tools
    Remove {
        /// The server, by its name in the configuration
        name: String,
    },
    /// List servers with their state and tools
    List,
    /// List well-known servers that can be added by name alone
    Catalog,
    /// Start a server now and show what it offers
    Test {
        /// The server, by its name in the configuration
        name: String,
    },
    /// Show what changed in a server's tools since you agreed to them, and agree
    Trust(TrustArgs),
    /// Show what a server wrote to its log
    Logs {
        /// The server, by its name in the configuration
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
    /// Log in at a server that wants to know who asks, in a browser
    Login {
        /// The server, by its name in the configuration
        name: String,
        /// Forget the tokens instead
        #[arg(long)]
        forget: bool,
    },
    /// Be an MCP server for another client, over standard input and output or over HTTP
    Serve(ServeArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Stand in for this one configured server: its tools, prompts and resources, under its own names
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
    /// Listen for streamable HTTP, on this port of this machine or on this address
    #[arg(long, value_name = "PORT|ADDRESS", num_args = 0..=1, default_missing_value = "8765")]
    pub(crate) http: Option<String>,
    /// Read the token that clients must show from this file, instead of Hermes's own
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
    /// Another name under which clients may ask for this server
    #[arg(long = "allow-host", value_name = "NAME", requires = "http")]
    pub(crate) hosts: Vec<String>,
    /// A web page that may ask, such as https://example.com
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    pub(crate) origins: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// What to call the server
    pub(crate) name: String,
    /// An environment variable for it; ${VAR} refers to one of yours
    #[arg(short = 'e', long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// The address of a server elsewhere, instead of a program
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// A header for every request to it; ${VAR} refers to a variable of yours
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE", requires = "url")]
    pub(crate) headers: Vec<String>,
    /// It speaks as servers of 2024 did: a stream of events and a separate place to post to
    #[arg(long, requires = "url")]
    pub(crate) sse: bool,
    /// Do not start it now
    #[arg(long)]
    pub(crate) no_start: bool,
    /// The program and its arguments, after --; without it and without --url, the name is looked up in the catalog
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct TrustArgs {
    /// The server, by its name in the configuration
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
