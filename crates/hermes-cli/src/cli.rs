//! The command line, as data. The doc comments are the help texts.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::app::GlobalOptions;
use crate::commands::{
    ApprovalsCommand, ExplainCommand, GrantsCommand, LintArgs, McpCommand, PluginsCommand, PolicyCommand,
    SearchArgs, SearchEvalArgs, SetupArgs, ToolCommand, UndoArgs,
};

/// Runs the tool calls of AI models: fast, safely, and with the fewest tokens.
#[derive(Parser, Debug)]
#[command(name = "hermes", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0 ok, 2 usage, 3 denied by policy, 4 approval needed, 5 a tool failed, \
                        6 outcome unknown, 124 deadline, 130 interrupted, 143 terminated.\n\
                        Try: hermes run examples/hello.json")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Execute tool calls from a file or standard input
    Run(RunArgs),
    /// Look at tools, call one, or see what they cost
    #[command(subcommand)]
    Tools(ToolsCommand),
    /// Add tools of your own from YAML files
    #[command(subcommand)]
    Tool(ToolCommand),
    /// Install, enable and check plugins, or start a new one
    #[command(subcommand)]
    Plugins(PluginsCommand),
    /// List toolsets, or show what one comes to
    Toolsets(ToolsetsArgs),
    /// Show, check and explain the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// See how Hermes would read arguments, errors, names, schemas and batches, without running anything
    #[command(subcommand)]
    Explain(ExplainCommand),
    /// Read and verify the record of all calls
    #[command(subcommand)]
    Journal(JournalCommand),
    /// Take back what tools did to files
    Undo(UndoArgs),
    /// See how calls are judged: explain, test and check permission rules
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Answer runs that wait for a person's word
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    /// See, give and take back what needs no question any more
    #[command(subcommand)]
    Grants(GrantsCommand),
    /// Use the tools of MCP servers, and be one
    #[command(subcommand)]
    Mcp(McpCommand),
    /// List hooks and decide which may run
    #[command(subcommand)]
    Hooks(HooksCommand),
    /// List commands in the background, of all sessions, or end one
    Ps(PsArgs),
    /// See where commands can run
    #[command(subcommand)]
    Backends(BackendsCommand),
    /// Look at the walls around commands
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// Enter the keys that tools need; they are kept in Hermes's home, readable by you only
    Setup(SetupArgs),
    /// Check that everything Hermes needs is in place
    Doctor,
    /// Print a shell completion script
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page of Hermes, or of one of its commands: 'hermes man tools call'
    Man {
        /// The command, if not all of Hermes
        #[arg(value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Print a generated document
    #[command(hide = true)]
    Docs {
        /// Which page to print
        document: Document,
    },
}

#[derive(clap::Args, Debug)]
pub(crate) struct RunArgs {
    /// A request: {"tool_calls": [...]}, an assistant message, or one {"name", "arguments"}; '-' reads standard input
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// Stay up: one request per line of the input, one answer per line as each finishes
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// With --jsonl: also a line for what commands print while they run
    #[arg(long, requires = "jsonl")]
    pub(crate) live: bool,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) format: Format,
    /// Keep session state, such as the todo list, under this name
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write the seconds as a number".to_owned())?;
    match (0.001..=86_400.0).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err("from 0.001 to 86400 seconds".to_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people on a terminal, JSON elsewhere
    Auto,
    /// For people
    Human,
    /// The response object
    Json,
    /// A list of chat messages, content as text
    Messages,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ToolsCommand {
    /// List the tools of a session, and those it asked for and does not get
    List,
    /// Show one tool: its arguments, limits, needs and examples
    Show {
        /// The tool, by its name or an alias
        name: String,
    },
    /// Print the definitions exactly as a provider gets them
    Schema {
        /// Only these tools
        names: Vec<String>,
    },
    /// Call one tool
    Call {
        /// The tool, by its name or an alias
        name: String,
        /// The arguments as a JSON object, or '-' to read them from standard input
        #[arg(default_value = "{}")]
        arguments: String,
        /// Keep session state under this name
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
    },
    /// Find tools by what they do, as tool_search would
    Search(SearchArgs),
    /// Measure how well tools are found, on a catalog and queries of your own
    SearchEval(SearchEvalArgs),
    /// Find descriptions that are missing, alike, too long or suspicious
    Lint(LintArgs),
    /// Say in one line why a tool is or is not offered
    Why {
        /// The tools, by name or alias
        names: Vec<String>,
    },
    /// Show what each tool's definition costs in tokens, and what its results have cost
    Cost {
        /// Fail if the definitions cost more than this
        #[arg(long, value_name = "N")]
        max_tokens: Option<usize>,
    },
}

#[derive(clap::Args, Debug)]
pub(crate) struct PsArgs {
    /// Those that have ended too
    #[arg(short, long)]
    pub(crate) all: bool,
    /// End this one, with everything it started
    #[arg(long, value_name = "ID")]
    pub(crate) stop: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum BackendsCommand {
    /// List them, and which one is in use
    List,
    /// Remove the containers that sessions keep between commands
    Clean {
        /// docker or podman; the one in use where nothing is said
        name: Option<String>,
    },
    /// Check whether commands can run there, and say what is missing
    Check {
        /// local, ssh, docker, podman, singularity or modal; the one in use where nothing is said
        name: Option<String>,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum SandboxCommand {
    /// Try to get out, and show which walls held
    Test,
}

#[derive(clap::Args, Debug)]
pub(crate) struct ToolsetsArgs {
    /// Show only these, with every tool they come to
    pub(crate) names: Vec<String>,
    /// Fail if any toolset has a problem
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ConfigCommand {
    /// Show the settings that differ from the defaults, and where they come from
    Show,
    /// Show every setting in force
    Effective {
        /// Explain where this key's value comes from
        #[arg(long, value_name = "KEY")]
        why: Option<String>,
    },
    /// Check a configuration file, or the one in force
    Validate {
        /// The file to check; your own configuration without it
        file: Option<PathBuf>,
    },
    /// Print the JSON Schema of the configuration, for editors
    Schema,
    /// Show the project's configuration file and what it would do, and agree to exactly that
    Trust {
        /// Show it, agree to nothing
        #[arg(long)]
        show: bool,
        /// Agree only to the content with this digest, as --show --json told it
        #[arg(long, value_name = "SHA256")]
        digest: Option<String>,
    },
    /// Take that agreement back
    Untrust,
}

#[derive(Subcommand, Debug)]
pub(crate) enum JournalCommand {
    /// List recorded calls, newest last
    List {
        /// Only calls of this session
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
        /// Only calls of this tool
        #[arg(long, value_name = "NAME")]
        tool: Option<String>,
        /// 'success' or an error code such as permission_denied
        #[arg(long, value_name = "STATUS")]
        status: Option<String>,
        /// How many entries at most
        #[arg(short = 'n', long, default_value_t = 50)]
        limit: u32,
    },
    /// Show every entry of a call, by call id or entry number
    Show {
        /// The call, by the id that 'hermes journal list' shows
        id: String,
    },
    /// Check that no entry was changed, removed or added
    Verify,
}

#[derive(Subcommand, Debug)]
pub(crate) enum HooksCommand {
    /// List configured hooks and whether they may run
    List,
    /// Agree to all configured hooks as they are now
    Trust,
    /// Take that agreement back
    Revoke,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Document {
    Tools,
    Config,
}

#[cfg(test)]
mod tests;
