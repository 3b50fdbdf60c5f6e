//! The command line of `hermes explain path`.

use std::path::PathBuf;

use crate::commands::explain::stage::Stage;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A line of --jsonl is a case such as {\"path\": \"~/.ssh/id_rsa\", \"op\": \"read\"}. It may also have \"home\", \
\"cwd\", \"root\" (a folder or a list), \"policy\" ({\"read\", \"write\", \"deny\", \"deny_write\": [globs]}), \
\"links\" ({name: target}), and, by operation, \"to\", \"pattern\", \"entries\" and \"dest\". {W}, {T}, {O} and \
{CONF} stand for the workspace, the temporary folder, a folder outside and Hermes's own. Symbolic links are \
followed where the path exists; elsewhere the letters decide.

The answer has \"verdict\" (allow, ask, deny), \"allowed\", \"decision\" (allow, deny, contained, \
error_contained), \"category\", \"reasons\", \"effects\" and \"resolved\".

What --root means:
  a folder that holds workspace/, tmp/ and outside/: the tree of the security cases, with its policy
  a folder that holds the given home, as in --root T --home /home/a: a machine seen from T, as by chroot
  otherwise: the only folders that may be touched; below --home it is the workspace, and the rest of
  the machine stays what it is

  hermes explain path ~/.ssh/id_rsa --op read
  hermes explain path --jsonl --home /home/alice --cwd /home/alice/proj < cases.jsonl
  hermes explain path --jsonl --tree path_tree.json < cases.jsonl")]
pub(crate) struct PathArgs {
    /// The path, as a tool would get it
    pub(super) path: Option<String>,
    /// read, write, append, patch, delete, mkdir, rename, symlink, hardlink, extract, search, list, glob, cwd or execute
    #[arg(long, value_name = "OP", default_value = "read")]
    pub(super) op: String,
    /// The other end of a rename or a link
    #[arg(long, value_name = "PATH")]
    pub(super) to: Option<String>,
    #[command(flatten)]
    pub(super) stage: Stage,
    /// A file with folders, files, links and a policy; without --root the tree is only imagined
    #[arg(long, value_name = "FILE", visible_alias = "policy-file")]
    pub(super) tree: Option<PathBuf>,
    /// One case per line: {"path", "op", ...}
    #[arg(long)]
    pub(super) jsonl: bool,
}
