//! One door for both places.

use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use hermes_core::ports::{Located, PathResolver, Ports};
use hermes_core::{Access, CallContext, ErrorCode, Permission, SessionIdentity, Target, ToolError};
use tokio_util::sync::CancellationToken;

use super::there::{Side, wait};
use crate::terminal::{Place, Terminals};
use crate::workspace::{
    Change, Committed, Current, Found, ListOptions, Listing, OpenFile, Visitor, WalkOptions, Walked,
    Workspace, WriteRequest, Written,
};

/// The files of an application's sessions. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Files {
    workspace: Workspace,
    terminals: Terminals,
}

impl Files {
    pub fn new(workspace: Workspace, terminals: Terminals) -> Self {
        Files { workspace, terminals }
    }

    /// The door for one call. Only for code that may block, and inside of a reactor.
    pub fn door<'a>(&'a self, cx: &'a CallContext) -> FileDoor<'a> {
        let side = self.side(cx.session(), cx.cancel());
        FileDoor { workspace: &self.workspace, cx, side }
    }

    /// Whether the session's files are on another machine or in a container.
    pub fn are_elsewhere(&self, session: &str) -> bool {
        self.terminals.of(session).folder_elsewhere().is_some()
    }

    /// The files of this machine, for `tool`, which cannot work anywhere else.
    pub fn here(&self, tool: &str, cx: &CallContext) -> Result<&Workspace, ToolError> {
        if !self.are_elsewhere(&cx.session().id) {
            return Ok(&self.workspace);
        }
        let text = format!("{tool} works on this machine only, and this session's files are elsewhere");
        Err(ToolError::new(ErrorCode::Unavailable, text)
            .with_hint("Use a command in the terminal, which runs where the files are."))
    }

    pub fn read_path(&self, path: impl Into<String>) -> Access {
        Access::new(Permission::FILE_READ, self.target(path.into()))
    }

    pub fn write_path(&self, path: impl Into<String>) -> Access {
        Access::new(Permission::FILE_WRITE, self.target(path.into()))
    }

    pub fn delete_path(&self, path: impl Into<String>) -> Access {
        Access::new(Permission::FILE_DELETE, self.target(path.into()))
    }

    /// Whose call it is shows when the path is looked for.
    fn target(&self, path: String) -> Target {
        if self.terminals.lead_elsewhere() { Target::Elsewhere(path) } else { Target::Path(path) }
    }

    fn side<'a>(&'a self, session: &'a SessionIdentity, cancel: &CancellationToken) -> Option<Side<'a>> {
        let terminals = self.terminals.of(&session.id);
        let folder = terminals.folder_elsewhere()?;
        Some(Side::new(&self.workspace, terminals, folder, session, cancel.clone()))
    }
}

impl PathResolver for Files {
    fn standing<'a>(
        &'a self,
        session: &'a SessionIdentity,
        ports: &'a Ports,
    ) -> BoxFuture<'a, Result<Option<PathBuf>, ToolError>> {
        Box::pin(self.terminals.standing(session, ports))
    }

    fn resolve(&self, cwd: &Path, raw: &str) -> Result<PathBuf, ToolError> {
        self.workspace.resolve(cwd, raw)
    }

    fn resolve_at_once(&self, cwd: &Path, raw: &str) -> Option<Result<PathBuf, ToolError>> {
        self.workspace.resolve_at_once(cwd, raw)
    }

    fn other_names(&self, folder: &Path, path: &Path) -> Vec<PathBuf> {
        self.workspace.other_names(folder, path)
    }

    fn has_other_names(&self, path: &Path) -> bool {
        self.workspace.has_other_names(path)
    }

    fn locate<'a>(
        &'a self,
        session: &'a SessionIdentity,
        raw: &'a str,
    ) -> BoxFuture<'a, Result<Located, ToolError>> {
        Box::pin(async move {
            let Some(side) = self.side(session, &CancellationToken::new()) else {
                let judged = self.workspace.resolve(&session.cwd, raw)?;
                return Ok(Located { judged, place: None });
            };
            let there = side.locate(raw).await?;
            let place = side.place().map(|place| place.shown(&there.path));
            Ok(Located { judged: there.judged, place })
        })
    }
}

/// What one call may do with files. Every path is judged again by the call's permit.
pub struct FileDoor<'a> {
    workspace: &'a Workspace,
    cx: &'a CallContext,
    /// The other side, if the files are there.
    side: Option<Side<'a>>,
}

impl FileDoor<'_> {
    /// Where the files are, once that is known; `None` for this machine.
    pub fn place(&self) -> Option<&Place> {
        self.side.as_ref().and_then(Side::place)
    }

    /// A small regular file of this machine, if it can be had without waiting.
    pub fn open_cached(&self, raw: &str) -> Option<OpenFile> {
        match &self.side {
            None => self.workspace.open_cached(self.cx, raw),
            Some(_) => None,
        }
    }

    /// Opens a regular file.
    pub fn open_read(&self, raw: &str) -> Result<OpenFile, ToolError> {
        match &self.side {
            None => self.workspace.open_read(self.cx, raw),
            Some(side) => wait(side.open_read(self.cx, raw)),
        }
    }

    /// What stands at a path that this call may read.
    pub fn look(&self, raw: &str) -> Result<Found, ToolError> {
        match &self.side {
            None => self.workspace.look(self.cx, raw),
            Some(side) => wait(side.look(self.cx, raw)),
        }
    }

    /// Up to `limit` files beside the missing `raw` whose names resemble it.
    pub fn similar(&self, raw: &str, limit: usize) -> Result<Vec<String>, ToolError> {
        match &self.side {
            None => self.workspace.similar(self.cx, raw, limit),
            Some(side) => wait(side.similar(self.cx, raw, limit)),
        }
    }

    /// A file that is to be edited: all of it, or that there is none.
    pub fn current(&self, raw: &str) -> Result<Current, ToolError> {
        match &self.side {
            None => self.workspace.current(self.cx, raw),
            Some(side) => wait(side.current(self.cx, raw)),
        }
    }

    /// Writes one file: the old content or the new.
    pub fn write(&self, raw: &str, request: &WriteRequest<'_>) -> Result<Written, ToolError> {
        match &self.side {
            None => self.workspace.write(self.cx, raw, request),
            Some(side) => wait(side.write(self.cx, raw, request)),
        }
    }

    /// Changes all of the files or none.
    pub fn commit(&self, changes: &[Change<'_>]) -> Result<Vec<Committed>, ToolError> {
        match &self.side {
            None => self.workspace.commit(self.cx, changes),
            Some(side) => wait(side.commit(self.cx, changes)),
        }
    }

    /// Lists a folder, in no particular order.
    pub fn list(&self, raw: &str, options: ListOptions) -> Result<Listing, ToolError> {
        match &self.side {
            None => self.workspace.list(self.cx, raw, options),
            Some(side) => wait(side.list(self.cx, raw, options)),
        }
    }

    /// Visits everything below a folder, in no particular order; or the one file that `raw` names.
    pub fn walk<V: Visitor>(
        &self,
        raw: &str,
        options: WalkOptions,
        make: impl Fn() -> V + Sync,
    ) -> Result<Walked<V>, ToolError> {
        match &self.side {
            None => self.workspace.walk(self.cx, raw, options, make),
            Some(side) => wait(side.walk(self.cx, raw, options, make())),
        }
    }
}
