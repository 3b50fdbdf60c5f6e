//! Where a case plays, as every guard takes it on the command line.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(super) struct Stage {
    /// The home folder that ~ means [default: your own]
    #[arg(long, value_name = "DIR")]
    pub(super) home: Option<PathBuf>,
    /// The folder it is done in; it need not exist [default: where you are]
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// A folder that may be worked in; may be given again [default: the working folder]
    #[arg(long = "root", value_name = "DIR")]
    pub(super) roots: Vec<PathBuf>,
}
