//! The walk: which folders, on how many threads.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hermes_core::{CallContext, Permission, ToolError};
use rustix::fs::{FileType, OFlags, fstat};

use super::folder::{Look, Waiting};
use super::queue::{Place, Queue};
use super::visit::{At, Verdicts, Visit, Visitor};
use crate::workspace::errors::{cancelled, explain, not_a_file};
use crate::workspace::folder::Folder;
use crate::workspace::ignored::IgnoreRules;
use crate::workspace::open::open_exact;
use crate::workspace::{EntryKind, Found, Unreadable, Workspace};

/// More threads than this only fight over the kernel's locks.
const MOST_THREADS: usize = 8;
/// A deeper tree is a loop of mounts or an attack.
const MOST_DEPTH: usize = 256;

#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// Names that begin with a dot too.
    pub hidden: bool,
    /// Leave out what `.gitignore` and `.ignore` files name.
    pub ignore: bool,
    /// 1 looks at the folder itself, 2 at its sub-folders too, and so on.
    pub max_depth: Option<usize>,
}

/// What a walk came to.
#[derive(Debug)]
pub struct Walked<V> {
    /// One for each thread, in no particular order.
    pub visitors: Vec<V>,
    /// Folders and files that could not be read, sorted by path.
    pub unreadable: Vec<Unreadable>,
}

impl Workspace {
    /// Visits everything below a folder, in no particular order; or the one file that `raw` names.
    pub fn walk<V: Visitor>(
        &self,
        cx: &CallContext,
        raw: &str,
        options: WalkOptions,
        make: impl Fn() -> V + Sync,
    ) -> Result<Walked<V>, ToolError> {
        let root = self.judge(cx, raw, &Permission::FILE_READ)?;
        let failed = |errno| explain("search", &root, errno);
        let named = open_exact(&root, OFlags::PATH).map_err(failed)?;
        match FileType::from_raw_mode(fstat(&named).map_err(failed)?.st_mode) {
            FileType::Directory => {}
            FileType::RegularFile => return self.visit_one(cx, root, make()),
            _ => return Err(not_a_file(&root, Found::Special, "searched")),
        }
        let rules = if options.ignore { IgnoreRules::above(&root) } else { IgnoreRules::default() };
        let queue = Queue::new(Waiting { path: PathBuf::new(), depth: 1, rules });
        let unreadable = Mutex::new(Vec::new());
        let look = Look {
            workspace: self,
            cx,
            root: &root,
            hermes_home: self.own_home.now().ok(),
            depth: options.max_depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH),
            options,
            unreadable: &unreadable,
            verdicts: &Verdicts::default(),
        };
        let work = || {
            let mut visitor = make();
            while let Some(waiting) = queue.take() {
                let mut place = Place::new(&queue);
                if cx.cancel().is_cancelled() || look.folder(waiting, &mut place, &mut visitor).is_break() {
                    queue.stop();
                }
            }
            visitor
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
        let visitors = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut visitors = vec![work()];
            for other in others {
                visitors.push(other.join().map_err(|_| ToolError::internal("a search thread failed"))?);
            }
            Ok::<_, ToolError>(visitors)
        })?;
        if cx.cancel().is_cancelled() {
            return Err(cancelled());
        }
        let mut unreadable = unreadable.into_inner().unwrap_or_else(PoisonError::into_inner);
        unreadable.sort_by(|a: &Unreadable, b| a.path.cmp(&b.path));
        Ok(Walked { visitors, unreadable })
    }

    fn visit_one<V: Visitor>(
        &self,
        cx: &CallContext,
        root: PathBuf,
        mut visitor: V,
    ) -> Result<Walked<V>, ToolError> {
        use std::os::fd::AsFd;
        let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else {
            return Err(ToolError::invalid("the path names no file"));
        };
        let folder = Folder::open(parent)?
            .ok_or_else(|| ToolError::not_found(format!("'{}' does not exist", root.display())))?;
        let (verdicts, unreadable) = (Verdicts::default(), Mutex::new(Vec::new()));
        let folder = folder.handle().as_fd();
        let (verdicts, told) = (&verdicts, &unreadable);
        let at = At::Here { workspace: self, folder, name, root: &root, verdicts, unreadable: told };
        let visit = Visit { cx, at, path: "".as_ref(), kind: EntryKind::File };
        let _ = visitor.visit(&visit);
        let unreadable = unreadable.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Walked { visitors: vec![visitor], unreadable })
    }
}
