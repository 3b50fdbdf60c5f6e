//! The limits of the control group this process lives in: the container's, not the host's.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Look, System};

/// A limit this large is how the first version of control groups says "none".
const NO_LIMIT: u64 = 1 << 62;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CgroupLimits {
    /// Bytes this group may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// Bytes it uses, without what the kernel could drop at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_used: Option<u64>,
    /// How many processors' worth of time it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_quota: Option<f64>,
}

impl Look<'_> {
    /// The tightest limits on the way from this process's group to the root; `None` if there are none.
    pub fn cgroup(&self) -> Option<CgroupLimits> {
        self.system.cgroup_limits()
    }
}

impl System {
    pub(super) fn cgroup_limits(&self) -> Option<CgroupLimits> {
        let groups = Self::text(self.proc.join("self/cgroup"))?;
        let root = self.sys.join("fs/cgroup");
        let mut limits = CgroupLimits::default();
        for line in groups.lines() {
            let mut parts = line.splitn(3, ':');
            let (Some(_), Some(controllers), Some(group)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            let controls = |name: &str| controllers.split(',').any(|controller| controller == name);
            if controllers.is_empty() {
                tighten(&mut limits, &ladder(&root, group), "memory.max", "memory.current");
                quota(&mut limits, &ladder(&root, group), second_version_quota);
            } else if controls("memory") {
                let ladder = ladder(&root.join("memory"), group);
                tighten(&mut limits, &ladder, "memory.limit_in_bytes", "memory.usage_in_bytes");
            } else if controls("cpu") {
                quota(&mut limits, &ladder(&root.join(controllers), group), first_version_quota);
            }
        }
        (limits != CgroupLimits::default()).then_some(limits)
    }
}

/// The group's folder and those above it, up to the root. Inside a container the group's own path may not
/// be visible; the root stands for it then.
fn ladder(root: &Path, group: &str) -> Vec<PathBuf> {
    let group = root.join(group.trim_start_matches('/'));
    group.ancestors().take_while(|folder| folder.starts_with(root)).map(Path::to_owned).collect()
}

fn tighten(limits: &mut CgroupLimits, ladder: &[PathBuf], limit_file: &str, usage_file: &str) {
    for folder in ladder {
        let Some(limit) = System::number(folder.join(limit_file)).filter(|limit| *limit < NO_LIMIT) else {
            continue;
        };
        if limits.memory_limit.is_none_or(|known| limit < known) {
            limits.memory_limit = Some(limit);
            limits.memory_used =
                System::number(folder.join(usage_file)).map(|used| used.saturating_sub(droppable(folder)));
        }
    }
}

/// File pages that the kernel gives back when memory runs short; `docker stats` leaves them out too.
fn droppable(folder: &Path) -> u64 {
    let text = System::text(folder.join("memory.stat")).unwrap_or_default();
    let value =
        |wanted: &str| text.lines().find_map(|line| line.strip_prefix(wanted)?.trim().parse::<u64>().ok());
    value("total_inactive_file ").or_else(|| value("inactive_file ")).unwrap_or(0)
}

fn quota(limits: &mut CgroupLimits, ladder: &[PathBuf], read: fn(&Path) -> Option<f64>) {
    for folder in ladder {
        if let Some(found) = read(folder)
            && limits.cpu_quota.is_none_or(|known| found < known)
        {
            limits.cpu_quota = Some(found);
        }
    }
}

fn second_version_quota(folder: &Path) -> Option<f64> {
    let text = System::text(folder.join("cpu.max"))?;
    let (quota, period) = text.trim().split_once(' ')?;
    share(quota.parse().ok()?, period.parse().ok()?)
}

fn first_version_quota(folder: &Path) -> Option<f64> {
    let quota = System::text(folder.join("cpu.cfs_quota_us"))?.trim().parse().ok()?;
    let period = System::text(folder.join("cpu.cfs_period_us"))?.trim().parse().ok()?;
    share(quota, period)
}

fn share(quota: f64, period: f64) -> Option<f64> {
    (quota > 0.0 && period > 0.0).then(|| (quota / period * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(files: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let system = System { proc: dir.path().join("proc"), sys: dir.path().join("sys") };
        (dir, system)
    }

    #[test]
    fn the_tightest_limit_on_the_way_up_counts() {
        let (_dir, system) = fixture(&[
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/memory.max", "1000\n"),
            ("sys/fs/cgroup/a/memory.current", "700\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 200\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/a/cpu.max", "max 100000\n"),
        ]);
        let limits = system.cgroup_limits().unwrap();
        let right = CgroupLimits { memory_limit: Some(1000), memory_used: Some(500), cpu_quota: Some(1.5) };
        assert_eq!(limits, right);
    }

    #[test]
    fn the_first_version_is_read_too_and_no_limit_is_none() {
        let (_dir, system) = fixture(&[
            ("proc/self/cgroup", "4:memory:/x\n2:cpu,cpuacct:/\n0::/\n"),
            ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "2048\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ]);
        let limits = system.cgroup_limits().unwrap();
        assert_eq!((limits.memory_limit, limits.cpu_quota), (Some(2048), Some(0.5)));
        let (_dir, free) = fixture(&[
            ("proc/self/cgroup", "4:memory:/\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        assert_eq!(free.cgroup_limits(), None);
    }
}
