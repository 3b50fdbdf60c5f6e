//! The command line of `hermes explain command`.

use crate::commands::explain::stage::Stage;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A line of --jsonl is a case such as {\"command\": \"rm -rf build\"}. It may also have \"home\", \"cwd\" and \"root\" \
(a folder or a list). {CONF} in a command stands for Hermes's own folder.

The answer has \"verdict\" and \"decision\" (allow, ask, deny), \"class\" (read_only, safe, ask, deny), \"dangerous\", \
\"category\", \"effects\", \"reasons\" and \"findings\", each with the rule that was met and the bytes it is about.

The policy in force decides, as for the terminal tool: the profile of the configuration or of --profile, your rules, \
and permissions.dangerous_patterns.

  hermes explain command 'find . -name \"*.o\" -delete'
  hermes explain command --jsonl --home /home/agent --cwd /workspace < cases.jsonl")]
pub(crate) struct CommandArgs {
    /// The command line, as the terminal tool would get it
    pub(super) command: Option<String>,
    #[command(flatten)]
    pub(super) stage: Stage,
    /// One case per line: {"command", ...}
    #[arg(long)]
    pub(super) jsonl: bool,
}
