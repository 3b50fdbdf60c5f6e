//! What happened around a command that neither its output nor its exit code says.

use hermes_host::terminal::{Ending, Ran};

use crate::ran::left_running;
use crate::taken;

/// What one should know beside the output and the exit code.
pub(in crate::terminal) fn circumstances(ran: &Ran, output: &str) -> Option<String> {
    let mut notes = Vec::new();
    notes.extend(ran.moved.as_ref().map(|gone| {
        format!(
            "the session's folder {} is gone; the command ran in the nearest one above that is there",
            gone.display()
        )
    }));
    if ran.unsure {
        let lost = if ran.ending == Ending::Exited {
            "the exit code may be that of a lost connection; "
        } else {
            ""
        };
        notes.push(format!(
            "{lost}the other side did not say that the command ended, and it may still run there"
        ));
    }
    notes.extend(left_running(ran).map(|left| left + "; set background to keep what shall go on"));
    let walled = ran.place.sandbox != "open" && ran.exit_code != 0;
    let kept = kept_in(ran, output);
    if walled && kept.is_none() && output.contains("Read-only file system") {
        notes.push("commands can write only in the session's folder and in /tmp".to_owned());
    }
    if walled && output.contains("no new privileges") {
        notes.push(
            "the sandbox gives no command more rights than it began with, so sudo cannot work".to_owned(),
        );
    }
    if walled && output.contains(".git/") && is_refused(output) {
        notes.push(
            "the sandbox keeps .git/config and .git/hooks as they are, because git runs programs that they name; \
             the user can open them with terminal.sandbox.writable: [.git/config]"
                .to_owned(),
        );
    }
    notes.extend(kept.map(|place| {
        format!(
            "the sandbox keeps {place} as it is, because other programs run what it says; name it in the command \
             itself and the user is asked, or the user can open it with terminal.sandbox.writable"
        )
    }));
    if walled {
        notes.extend(ran.closed.iter().cloned());
    }
    notes.extend(taken::told(&ran.taken));
    if !ran.unkept.is_empty() {
        notes.push(format!(
            "{} will not be there for the next command: too large for a variable, or no text; keep it in a file",
            ran.unkept.join(", ")
        ));
    }
    if ran.exit_code != 0 && output.contains("sudo: ") && output.contains("password is required") {
        notes.push("nobody can type a password for sudo here; the user can allow it without one".to_owned());
    }
    (!notes.is_empty()).then(|| notes.join(". "))
}

/// How programs tell that they could not write, and that they could not remove or move.
fn is_refused(output: &str) -> bool {
    ["Read-only file system", "Device or resource busy"].iter().any(|why| output.contains(why))
}

/// What the output says could not be changed, and stays as it is wherever else the command may write. Of git's own
/// files more is said.
fn kept_in(ran: &Ran, output: &str) -> Option<String> {
    let refused: Vec<&str> = output.lines().filter(|line| is_refused(line)).collect();
    let names = ran.kept.iter().filter(|place| !place.iter().any(|name| name == ".git"));
    let names = names.filter_map(|place| place.file_name()?.to_str());
    let is_named = |name: &&str| refused.iter().any(|line| line.contains(name));
    names.filter(is_named).max_by_key(|name| name.len()).map(str::to_owned)
}
