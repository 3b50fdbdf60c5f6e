//! The command line of `hermes explain command`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A line of --jsonl is a case such as {\"command\": \"rm -rf build\"}. It may also have \"home\", \"cwd\" and \"root\" \
(a folder or a list). {CONF} in a command stands for Hermes's own folder.

The answer has \"verdict\" and \"decision\" (allow, ask, deny), \"class\" (read_only, safe, ask, deny), \"dangerous\", \
\"category\", \"effects\", \"reasons\" and \"findings\", each with the rule that was met and the bytes it is about.

Rules of your own come from permissions.dangerous_patterns in the configuration.

  hermes explain command 'find . -name \"*.o\" -delete'
  hermes explain command --jsonl --home /home/agent --cwd /workspace < cases.jsonl")]
pub(crate) struct CommandArgs {
    /// The command line, as the terminal tool would get it
    pub(super) command: Option<String>,
    /// The home folder that ~ means [default: your own]
    #[arg(long, value_name = "DIR")]
    pub(super) home: Option<PathBuf>,
    /// The folder it would run in; it need not exist [default: where you are]
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// A folder that may be written without asking; may be given again [default: the working folder]
    #[arg(long = "root", value_name = "DIR")]
    pub(super) roots: Vec<PathBuf>,
    /// One case per line: {"command", ...}
    #[arg(long)]
    pub(super) jsonl: bool,
}
