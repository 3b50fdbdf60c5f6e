//! What can be explained, as data. The doc comments are the help texts.

use std::path::PathBuf;

use clap::Subcommand;

use super::{CommandArgs, PathArgs, UrlArgs};

#[derive(Subcommand, Debug)]
pub(crate) enum ExplainCommand {
    /// How arguments would be coerced and whether they would be valid
    Args {
        /// The tool whose schema applies
        tool: Option<String>,
        /// The arguments, an object or text
        arguments: Option<String>,
        /// One case per line: {"schema", "args"}, {"tool", "args"}, {"name"} or {"in"}
        #[arg(long)]
        jsonl: bool,
    },
    /// How an error text would be cleaned for the model
    Error {
        /// The error text; without it use --jsonl
        text: Option<String>,
        /// One case per line: {"input"}
        #[arg(long)]
        jsonl: bool,
    },
    /// How a batch of calls would be cut into parallel and sequential runs
    Plan {
        /// A request file; '-' reads standard input
        file: Option<PathBuf>,
        /// One case per line: {"calls": [[name, arguments], ...]}
        #[arg(long)]
        jsonl: bool,
        /// Plan as for this session: its results are what handles in arguments stand for
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
    },
    /// What an unknown tool name would be read as
    Name {
        /// The name as a model wrote it; without it use --jsonl
        name: Option<String>,
        /// One case per line: {"name"}; a line {"names": [...]} sets the valid names for the lines after it
        #[arg(long)]
        jsonl: bool,
    },
    /// How a parameters schema would be shown to the provider
    Schema {
        /// A file with the schema; '-' reads standard input
        file: Option<PathBuf>,
        /// One case per line: {"in"}
        #[arg(long)]
        jsonl: bool,
    },
    /// What a command line would do, and whether it would run, be asked about or be refused
    Command(CommandArgs),
    /// What an edit would make of a text, or why it would be refused
    Patch {
        /// One case per line: {"content", "old", "new", "replace_all"} or {"before", "patch"}
        #[arg(long, required = true)]
        jsonl: bool,
    },
    /// Whether a file operation would be allowed, asked about or denied
    Path(PathArgs),
    /// Whether a URL would be fetched
    Url(UrlArgs),
}

impl ExplainCommand {
    /// Whether the answer depends on what a session has kept.
    pub(crate) fn is_of_a_session(&self) -> bool {
        matches!(self, ExplainCommand::Plan { session: Some(_), .. })
    }
}
