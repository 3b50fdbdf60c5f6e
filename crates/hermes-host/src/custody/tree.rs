//! Ends every process below this one. As the sub-reaper we inherit whatever loses its parent, so a tree
//! that forks, changes groups and sessions or ignores signals is still ours.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::str::FromStr;

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
                for pid in below(getpid()) {
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

/// A shell that was told to end hears of it only when what it waits for has ended, and can still say then where it
/// stands. Kills what holds it up; whether there was anything, and it will hear. `is_first`: the root is not the program
/// but the first process of its namespaces.
pub(super) fn free(root: Pid, is_first: bool) -> bool {
    let mut others = below(root);
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

/// Everything below a process, by the parents that `/proc` names.
pub(super) fn below(top: Pid) -> Vec<Pid> {
    let parents = parents();
    let mut below = vec![top.as_raw_pid()];
    let mut found = Vec::new();
    while let Some(parent) = below.pop() {
        for (pid, _) in parents.iter().filter(|(_, above)| *above == parent) {
            below.push(*pid);
            found.extend(Pid::from_raw(*pid));
        }
    }
    found
}

/// What is right below a process.
pub(super) fn children(of: Pid) -> Vec<Pid> {
    let own = parents().into_iter().filter(|(_, parent)| *parent == of.as_raw_pid());
    own.filter_map(|(pid, _)| Pid::from_raw(pid)).collect()
}

/// Every process with its parent.
fn parents() -> Vec<(i32, i32)> {
    let pid_of = |entry: fs::DirEntry| std::str::from_utf8(entry.file_name().as_bytes()).ok()?.parse().ok();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(pid_of);
    all.filter_map(|pid: i32| Some((pid, word_of_stat(pid, PARENT)?))).collect()
}

/// When a process began, in ticks of the machine's clock; `None` where there is none.
pub(super) fn began(pid: Pid) -> Option<u64> {
    word_of_stat(pid.as_raw_pid(), BEGINNING)
}

/// Words of `stat`, counted after the name, which may hold anything.
const PARENT: usize = 1;
const BEGINNING: usize = 19;

fn word_of_stat<T: FromStr>(pid: i32, which: usize) -> Option<T> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(after_name + 1..)?).ok()?;
    rest.split_whitespace().nth(which)?.parse().ok()
}
