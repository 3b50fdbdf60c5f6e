//! Files below `/dev` and their kin: which are disks, which are harmless.

use super::place::Kind;

/// Drivers whose nodes are whole disks, partitions or volumes.
const BLOCK: &[&str] = &[
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "loop", "nbd", "rbd", "zd", "sr", "fd", "pmem",
    "mtdblock", "bcache", "drbd", "ubi", "disk", "rdisk", "ram", "dasd", "cciss", "ida", "rd", "ataraid",
    "root", "zram", "st", "nst", "mtd",
];

/// Folders of such nodes.
const BLOCK_FOLDERS: &[&str] = &["mapper", "disk", "block", "vg", "md", "zvol", "cciss", "ubuntu-vg", "dm"];

/// Nodes that anybody may read and write.
const SINKS: &[&str] =
    &["null", "stdout", "stderr", "stdin", "tty", "full", "zero", "random", "urandom", "ptmx"];

/// Nodes that reach memory, firmware or the kernel.
const RAW: &[&str] = &["mem", "kmem", "port", "kmsg", "watchdog", "watchdog0", "efi_test", "cpu_dma_latency"];

pub(crate) fn kind_of(path: &str) -> Option<Kind> {
    let node = path.strip_prefix("/dev/")?;
    let mut parts = node.split('/');
    let first = parts.next().unwrap_or("");
    let deeper = parts.next().is_some();
    if matches!(first, "fd" | "pts" | "shm") && deeper {
        return Some(if first == "shm" { Kind::Temp } else { Kind::Sink });
    }
    if matches!(first, "tcp" | "udp") && deeper {
        return Some(Kind::Elsewhere);
    }
    if SINKS.contains(&node) || node == "shm" || first.starts_with("tty") {
        return Some(Kind::Sink);
    }
    if RAW.contains(&first) {
        return Some(Kind::RawDevice);
    }
    let known = BLOCK.iter().any(|driver| {
        first.strip_prefix(driver).is_some_and(|rest| rest.len() <= 8 && rest.chars().all(is_node_letter))
    });
    // A folder that is not known, such as a volume group, holds volumes.
    if known || (deeper && (BLOCK_FOLDERS.contains(&first) || !is_plain_folder(first))) {
        return Some(Kind::BlockDevice);
    }
    Some(Kind::System)
}

fn is_node_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '*' | '?' | '[' | ']' | '-' | '{' | '}' | ',')
}

fn is_plain_folder(name: &str) -> bool {
    matches!(
        name,
        "input" | "dri" | "snd" | "net" | "usb" | "bus" | "char" | "mqueue" | "hugepages" | "vfio" | "pts"
    )
}
