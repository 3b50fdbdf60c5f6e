//! A tool as policy sees it before anybody calls it.

use std::path::Path;

use crate::access::Permission;
use crate::source::Owner;

/// A tool that a session could be offered.
#[derive(Clone, Copy)]
pub struct Offer<'a> {
    pub tool: &'a str,
    pub toolset: &'a str,
    /// Who registered the tool; an MCP tool's server stands here.
    pub owner: &'a Owner,
    pub session: &'a str,
    pub actor: &'a str,
    pub cwd: &'a Path,
    /// What its calls need, one list for each kind of call that is known; none if nobody can say. Asked only
    /// where it matters.
    pub uses: &'a dyn Fn() -> &'a [Vec<Permission>],
}
