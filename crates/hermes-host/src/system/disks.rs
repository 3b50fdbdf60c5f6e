//! Mounted file systems that hold data, with the numbers of `df`.

use std::path::PathBuf;

use rustix::fs::statvfs;
use serde::Serialize;

use super::{Look, System};

/// File systems that show kernel state instead of holding files.
const PSEUDO: &[&str] = &[
    "autofs",
    "binfmt_misc",
    "bpf",
    "cgroup",
    "cgroup2",
    "configfs",
    "debugfs",
    "devpts",
    "devtmpfs",
    "efivarfs",
    "fusectl",
    "hugetlbfs",
    "mqueue",
    "nsfs",
    "proc",
    "pstore",
    "ramfs",
    "rpc_pipefs",
    "securityfs",
    "selinuxfs",
    "sysfs",
    "tracefs",
];

#[derive(Clone, Debug, Serialize)]
pub struct Disk {
    pub mount: String,
    pub fs: String,
    pub total: u64,
    pub used: u64,
    /// What an ordinary user may still write.
    pub free: u64,
}

impl Look<'_> {
    /// Sorted by mount point; a device mounted twice is shown once, at its shortest path.
    pub fn disks(&self) -> Vec<Disk> {
        let mounts = System::text(self.system.proc.join("self/mounts")).unwrap_or_default();
        let mut disks: Vec<(String, Disk)> = mounts.lines().filter_map(parse_mount).collect();
        disks.sort_by(|(_, a), (_, b)| (a.mount.len(), &a.mount).cmp(&(b.mount.len(), &b.mount)));
        let mut devices = std::collections::HashSet::new();
        disks.retain(|(device, _)| !device.starts_with('/') || devices.insert(device.clone()));
        let mut disks: Vec<Disk> = disks.into_iter().map(|(_, disk)| disk).collect();
        disks.sort_by(|a, b| a.mount.cmp(&b.mount));
        // Of what is mounted over something only the last is seen.
        disks.dedup_by(|later, earlier| {
            let hidden = later.mount == earlier.mount;
            if hidden {
                std::mem::swap(later, earlier);
            }
            hidden
        });
        disks
    }
}

fn parse_mount(line: &str) -> Option<(String, Disk)> {
    let mut fields = line.split(' ');
    let (device, mount, fs) = (fields.next()?, unescape(fields.next()?), fields.next()?);
    if PSEUDO.contains(&fs) {
        return None;
    }
    let space = statvfs(PathBuf::from(&mount)).ok().filter(|space| space.f_blocks > 0)?;
    let bytes = |blocks: u64| blocks.saturating_mul(space.f_frsize);
    let disk = Disk {
        fs: fs.to_owned(),
        total: bytes(space.f_blocks),
        used: bytes(space.f_blocks.saturating_sub(space.f_bfree)),
        free: bytes(space.f_bavail),
        mount,
    };
    Some((device.to_owned(), disk))
}

/// The kernel writes blanks and backslashes in mount points as `\040` and the like.
fn unescape(field: &str) -> String {
    let mut parts = field.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..3).and_then(|octal| u8::from_str_radix(octal, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(part.bytes().skip(3));
            }
            None => {
                bytes.push(b'\\');
                bytes.extend(part.bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_with_blanks_are_read() {
        assert_eq!(unescape(r"/mnt/a\040b\134c"), r"/mnt/a b\c");
        assert_eq!(unescape(r"/plain"), "/plain");
        assert_eq!(unescape(r"/odd\9"), r"/odd\9");
    }
}
