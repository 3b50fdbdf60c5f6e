//! Ends every process below this one. As the sub-reaper we inherit whatever loses its parent, so a tree
//! that forks, changes groups and sessions or ignores signals is still ours.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};

/// So long nothing may end that was killed: what a disk holds up ends later.
const PATIENCE: Duration = Duration::from_secs(10);
/// So many looks may find nothing that could be killed.
const MOST_IN_VAIN: u32 = 20;
/// Most of what is killed is gone by then.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Kills and reaps until no child is left, but for what somebody else owns by now or nobody can see. Returns how many
/// processes there were.
pub(super) fn sweep() -> u32 {
    let (mut reaped, mut in_vain, mut pause) = (0, 0, FIRST_PAUSE);
    let mut last = Instant::now();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {
                reaped += 1;
                (last, pause) = (Instant::now(), FIRST_PAUSE);
            }
            Err(Errno::CHILD) => return reaped,
            Ok(None) | Err(_) => {
                let left = left_of_own();
                let killed = left.iter().filter(|pid| kill_process(**pid, Signal::KILL).is_ok()).count();
                in_vain = if killed == 0 { in_vain + 1 } else { 0 };
                if in_vain > MOST_IN_VAIN || last.elapsed() > PATIENCE {
                    return reaped;
                }
                sleep(pause);
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

/// What is below this process, as far as it may look.
fn left_of_own() -> Vec<Pid> {
    let seen = below(getpid()).unwrap_or_default();
    if seen.is_empty() { children() } else { seen }
}

/// Those directly below this process, also where the machine shows nobody what is not his, or what may not be looked
/// into: the kernel names a process its own children.
pub(super) fn children() -> Vec<Pid> {
    let all = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    all.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
}

/// Whether nothing is below this process.
pub(super) fn is_alone() -> bool {
    wait(WaitOptions::NOHANG).is_err_and(|error| error == Errno::CHILD)
}

/// A shell that was told to end hears of it only when what it waits for has ended, and can still say then where it
/// stands. Kills what holds it up; whether there was anything, and it will hear. `is_first`: the root is not the program
/// but the first process of its namespaces.
pub(super) fn free(root: Pid, is_first: bool) -> bool {
    let Some(mut others) = below(root) else { return false };
    let program =
        if is_first { others.iter().copied().min_by_key(|pid| inner_number(*pid)) } else { Some(root) };
    // Left to itself, one that does not listen would go on with its next line.
    let Some(program) = program.filter(|program| listens(*program)) else { return false };
    others.retain(|pid| *pid != program);
    for pid in &others {
        let _ = kill_process(*pid, Signal::KILL);
    }
    !others.is_empty()
}

/// Its number in the innermost namespace. Nobody there but the first process has a lower one than the program: numbers
/// that come round again begin far above.
fn inner_number(pid: Pid) -> u64 {
    let number = status(pid, "NSpid:").and_then(|all| all.split_whitespace().last()?.parse().ok());
    number.unwrap_or(u64::MAX)
}

/// Whether it does something of its own when it is asked to end.
fn listens(pid: Pid) -> bool {
    let caught = status(pid, "SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask >> (Signal::TERM.as_raw() - 1) & 1 == 1)
}

/// A line of what the kernel says of a process.
fn status(pid: Pid, name: &str) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned)
}

/// Everything below a process, each before what is below it; `None` where nobody can look.
fn below(top: Pid) -> Option<Vec<Pid>> {
    Some(below_but(top, &[])?.pids)
}

pub(super) struct Below {
    pub(super) pids: Vec<Pid>,
    /// One that ended while somebody looked may have started another that was not there yet.
    pub(super) are_all: bool,
}

/// The same without some and what is below those.
pub(super) fn below_but(top: Pid, but: &[Pid]) -> Option<Below> {
    let parents = parents()?;
    let mut above = vec![top];
    let mut pids = Vec::new();
    while let Some(parent) = above.pop() {
        let is_own = |its: &Option<i32>| *its == Some(parent.as_raw_pid());
        for (pid, _) in parents.iter().filter(|(pid, its)| is_own(its) && !but.contains(pid)) {
            above.push(*pid);
            pids.push(*pid);
        }
    }
    Some(Below { pids, are_all: parents.iter().all(|(_, parent)| parent.is_some()) })
}

/// Every process that may be looked at with its parent, where it has not ended meanwhile.
fn parents() -> Option<Vec<(Pid, Option<i32>)>> {
    let pid_of = |entry: fs::DirEntry| std::str::from_utf8(entry.file_name().as_bytes()).ok()?.parse().ok();
    let all = fs::read_dir("/proc").ok()?.flatten().filter_map(pid_of);
    Some(all.filter_map(|pid: i32| Some((Pid::from_raw(pid)?, parent(pid)?))).collect())
}

/// In `stat`, after the name, which may hold anything.
const PLACE_OF_PARENT: usize = 1;

/// `None` for one that only others may look at, which is none of ours.
fn parent(pid: i32) -> Option<Option<i32>> {
    match fs::read(format!("/proc/{pid}/stat")) {
        Ok(stat) => Some(parent_in(&stat)),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => None,
        Err(_) => Some(None),
    }
}

fn parent_in(stat: &[u8]) -> Option<i32> {
    let after_name = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(after_name + 1..)?).ok()?;
    rest.split_whitespace().nth(PLACE_OF_PARENT)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn own_children_are_named_without_a_look_at_others() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = Pid::from_child(&child);
        assert!(children().contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children().contains(&pid));
    }
}
