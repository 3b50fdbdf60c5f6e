//! The file itself: its bytes, and the tools in them.

use std::io;
use std::path::Path;

use hermes_core::Owner;
use hermes_core::egress::Reach;
use hermes_host::{Host, plain_file};

use super::load::{MAX_BYTES, load};
use super::spec::ToolSpec;

/// A file of tools.
pub struct YamlFile;

impl YamlFile {
    /// Who the tools of a file belong to.
    pub fn owner_of(path: &Path) -> Owner {
        Owner::Yaml(path.display().to_string())
    }

    /// The tools of the file as it is now, or everything that is wrong with it, a line each. Messages call
    /// it `shown`.
    pub fn read(path: &Path, shown: &str, host: &Host) -> Result<Vec<ToolSpec>, String> {
        let bytes = Self::bytes(path).map_err(|error| format!("{shown}: {error}"))?;
        Self::parse(&bytes, shown, host)
    }

    /// Its bytes, if it is a plain file that is not longer than tools may be.
    pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
        plain_file::read(path, MAX_BYTES)
    }

    pub(crate) fn parse(bytes: &[u8], shown: &str, host: &Host) -> Result<Vec<ToolSpec>, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| format!("{shown}: this is not UTF-8 text"))?;
        let judge = |url: &str, reach: Reach| host.http.origin(url, reach).map_err(|error| error.message);
        load(shown, text, &judge)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}
