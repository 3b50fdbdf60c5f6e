//! Ends every process below this one. As the sub-reaper we inherit whatever loses its parent, so a tree
//! that forks, changes groups and sessions or ignores signals is still ours.

use std::fs;
use std::os::unix::ffi::OsStrExt;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};

/// Kills and reaps until no child is left. Returns how many processes there were.
pub(super) fn sweep() -> u32 {
    let mut reaped = 0;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => reaped += 1,
            Err(Errno::CHILD) => return reaped,
            Ok(None) => {
                for pid in descendants() {
                    let _ = kill_process(pid, Signal::KILL);
                }
                // One that is being killed is worth waiting for; the others were killed before it.
                if let Ok(Some(_)) = wait(WaitOptions::empty()) {
                    reaped += 1;
                }
            }
            Err(_) => {}
        }
    }
}

/// Everything below this process, by the parents that `/proc` names.
fn descendants() -> Vec<Pid> {
    let parents: Vec<(i32, i32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let pid = std::str::from_utf8(entry.ok()?.file_name().as_bytes()).ok()?.parse().ok()?;
            Some((pid, parent_of(pid)?))
        })
        .collect();
    let mut below = vec![getpid().as_raw_pid()];
    let mut found = Vec::new();
    while let Some(parent) = below.pop() {
        for (pid, _) in parents.iter().filter(|(_, above)| *above == parent) {
            below.push(*pid);
            found.extend(Pid::from_raw(*pid));
        }
    }
    found
}

/// The fourth word of `stat`, counted after the name, which may hold anything.
fn parent_of(pid: i32) -> Option<i32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(after_name + 1..)?).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}
