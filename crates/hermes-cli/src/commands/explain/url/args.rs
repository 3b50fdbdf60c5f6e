//! The command line of `hermes explain url`.

use crate::commands::explain::stage::Stage;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A line of --jsonl is a case such as {\"url\": \"https://a.example/\"}. \"dns\" ({name: [[address, ...], ...]}) stands \
in for the resolver: a list of answers, used in order, the last one again and again; a name that is not there has no \
answer. \"redirects\" lists the Location values that the server would give. A case without \"dns\" is judged by its \
text; the addresses are judged when a connection is made. Folders are taken as in the other guards; a URL means the \
same in all of them.

The answer has \"verdict\" (allow, deny), \"allowed\", \"safe\", \"decision\" (allow, block), \"category\", \
\"reasons\", \"effects\", \"host\", \"port\" and \"pinned\", the only addresses that would be connected to.

  hermes explain url http://2130706433/
  hermes explain url --jsonl < cases.jsonl")]
pub(crate) struct UrlArgs {
    /// The URL, as a tool would get it
    pub(super) url: Option<String>,
    /// Judge as if private addresses and local names were allowed
    #[arg(long)]
    pub(super) allow_private: bool,
    #[command(flatten)]
    pub(super) stage: Stage,
    /// One case per line: {"url", "dns", "redirects"}
    #[arg(long)]
    pub(super) jsonl: bool,
}
