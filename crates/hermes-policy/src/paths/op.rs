//! What can be done with a path, and which sides of it that touches.

use serde::{Deserialize, Serialize};

/// One operation on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathOp {
    Read,
    Write,
    Append,
    Patch,
    Delete,
    Mkdir,
    /// Either end of a rename: the old name is read and removed, the new one written.
    Rename,
    /// The new link; what it points to is judged apart, as something read.
    Symlink,
    /// Either end of a second name: whoever has it reads and writes the same file.
    Hardlink,
    /// The folder that an archive is unpacked into, and each file that comes out of it.
    Extract,
    /// Content below a folder, or of a file.
    Search,
    /// Names only.
    List,
    Glob,
    /// As the working folder of a command.
    Cwd,
    Execute,
}

/// The sides of a file that an operation can touch. The table has a verdict for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Names and attributes.
    Look,
    Read,
    Write,
    Delete,
}

impl PathOp {
    pub const ALL: &'static [PathOp] = &[
        PathOp::Read,
        PathOp::Write,
        PathOp::Append,
        PathOp::Patch,
        PathOp::Delete,
        PathOp::Mkdir,
        PathOp::Rename,
        PathOp::Symlink,
        PathOp::Hardlink,
        PathOp::Extract,
        PathOp::Search,
        PathOp::List,
        PathOp::Glob,
        PathOp::Cwd,
        PathOp::Execute,
    ];

    /// The operation of this name.
    pub fn named(name: &str) -> Option<PathOp> {
        Self::ALL.iter().copied().find(|op| op.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            PathOp::Read => "read",
            PathOp::Write => "write",
            PathOp::Append => "append",
            PathOp::Patch => "patch",
            PathOp::Delete => "delete",
            PathOp::Mkdir => "mkdir",
            PathOp::Rename => "rename",
            PathOp::Symlink => "symlink",
            PathOp::Hardlink => "hardlink",
            PathOp::Extract => "extract",
            PathOp::Search => "search",
            PathOp::List => "list",
            PathOp::Glob => "glob",
            PathOp::Cwd => "cwd",
            PathOp::Execute => "execute",
        }
    }

    /// Whether the operation changes anything on disk.
    pub fn changes(self) -> bool {
        self.sides().iter().any(|side| matches!(side, Side::Write | Side::Delete))
    }

    /// Whether the operation puts a file, not a folder, at the path.
    pub fn makes_file(self) -> bool {
        matches!(self, PathOp::Write | PathOp::Append | PathOp::Patch | PathOp::Symlink | PathOp::Hardlink)
    }

    /// Whoever moves or links a whole folder into place puts its files there too.
    pub(super) fn moves_folders(self) -> bool {
        matches!(self, PathOp::Rename | PathOp::Symlink)
    }

    pub(super) fn sides(self) -> &'static [Side] {
        match self {
            PathOp::Read | PathOp::Search | PathOp::Execute => &[Side::Read],
            PathOp::List | PathOp::Glob | PathOp::Cwd => &[Side::Look],
            PathOp::Write | PathOp::Append | PathOp::Mkdir | PathOp::Extract | PathOp::Symlink => {
                &[Side::Write]
            }
            PathOp::Patch | PathOp::Hardlink => &[Side::Read, Side::Write],
            PathOp::Delete => &[Side::Delete],
            PathOp::Rename => &[Side::Read, Side::Write, Side::Delete],
        }
    }
}
