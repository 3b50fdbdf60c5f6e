//! A control group of the program's own: what everything it starts may use together.
//!
//! Both versions are used as they are found. In the second a group with bounds must be made where its owner has
//! shared them out (`cgroup.subtree_control`); in the first every resource has a tree of its own. A session that is
//! not given any such place does without, and each process is bounded by itself.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, getpid};

use crate::process::Limits;

const ROOT: &str = "/sys/fs/cgroup";
/// How a group of ours begins; the number of its custodian follows.
const NAME: &str = "hermes-";
/// Where a process joins.
const MEMBERS: &str = "cgroup.procs";

/// The folders that the group is made of; removed by [`Group::remove`].
pub(super) struct Group(Vec<PathBuf>);

/// A resource, and its names in the two versions.
struct Resource {
    name: &'static str,
    first: &'static str,
    second: &'static str,
    /// Files and what to write into those that are there.
    swap: &'static [(&'static str, &'static str)],
}

const MEMORY: Resource = Resource {
    name: "memory",
    first: "memory.limit_in_bytes",
    second: "memory.max",
    swap: &[("memory.swap.max", "0"), ("memory.swappiness", "0")],
};
const PROCESSES: Resource = Resource { name: "pids", first: "pids.max", second: "pids.max", swap: &[] };

impl Group {
    /// Makes one that holds to the limits on memory and processes; `None` where this session may not.
    pub(super) fn make(limits: &Limits) -> Option<Self> {
        let mut group = Group(Vec::new());
        let wanted = [(MEMORY, limits.memory_bytes), (PROCESSES, limits.processes)];
        for (resource, value) in wanted.into_iter().filter_map(|(one, value)| Some((one, value?))) {
            if group.bound(&resource, value).is_none() {
                group.remove();
                return None;
            }
        }
        Some(group)
    }

    fn bound(&mut self, resource: &Resource, value: u64) -> Option<()> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let second =
            groups.lines().find_map(|line| line.strip_prefix("0::")).and_then(|own| shared(own, resource));
        let (parent, file) = match second {
            Some(parent) => (parent, resource.second),
            None => (first_version(&groups, resource)?, resource.first),
        };
        let folder = self.own_folder(&parent)?;
        for (file, text) in resource.swap {
            let _ = OpenOptions::new()
                .write(true)
                .open(folder.join(file))
                .and_then(|mut it| it.write_all(text.as_bytes()));
        }
        fs::write(folder.join(file), value.to_string()).ok()
    }

    fn own_folder(&mut self, parent: &Path) -> Option<PathBuf> {
        let folder = parent.join(format!("{NAME}{}", getpid().as_raw_pid()));
        if !self.0.contains(&folder) {
            clean(parent);
            fs::create_dir(&folder).ok()?;
            self.0.push(folder.clone());
        }
        Some(folder)
    }

    /// Takes a process in, with all that it will start. The calling one if no other is named.
    pub(super) fn admit(&self, process: Option<Pid>) -> Result<(), String> {
        let number = process.map_or(0, Pid::as_raw_pid).to_string();
        self.0.iter().try_for_each(|folder| {
            fs::write(folder.join(MEMBERS), &number).map_err(|error| format!("its control group: {error}"))
        })
    }

    /// Once everything in it has ended.
    pub(super) fn remove(self) {
        for folder in self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The nearest group at or above our own in the second version that shares the resource out.
fn shared(own: &str, resource: &Resource) -> Option<PathBuf> {
    let whole = Path::new(ROOT).join("cgroup.controllers").exists();
    let root = if whole { PathBuf::from(ROOT) } else { Path::new(ROOT).join("unified") };
    let here = root.join(own.trim_start_matches('/'));
    let shares = |folder: &&Path| {
        let words = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
        words.split_whitespace().any(|word| word == resource.name)
    };
    here.ancestors().take_while(|folder| folder.starts_with(&root)).find(shares).map(Path::to_owned)
}

/// Our own group in the resource's tree of the first version.
fn first_version(groups: &str, resource: &Resource) -> Option<PathBuf> {
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, own) = (parts.next()?, parts.next()?);
        let root = Path::new(ROOT).join(controllers);
        let controls = controllers.split(',').any(|name| name == resource.name);
        let here = root.join(own.trim_start_matches('/'));
        // In a container the path may be one of the machine outside.
        controls.then(|| if here.exists() { here } else { root })
    })
}

/// A custodian that was killed could not take its group away.
fn clean(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let custodian = name.to_str().and_then(|name| name.strip_prefix(NAME)?.parse::<u32>().ok());
        if custodian.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}
