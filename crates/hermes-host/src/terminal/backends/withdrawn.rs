//! A command that is ended before it has begun over there. Its client may still be on its way then, and the command
//! would run with nobody to watch it. So whoever ends it leaves a sign first and looks for its processes afterwards; the
//! command bears its name first and looks for the sign afterwards. One of the two sees the other.
//!
//! The sign is an empty folder: to make one follows no link that somebody put in its place.

/// How the names of signs begin.
const SIGNS: &str = "/tmp/hermes-ended-";

/// Leaves the sign. Those of commands that never came are taken away an hour later, by whoever leaves the next one.
pub(super) fn leave(mark: &str) -> String {
    format!(
        "mkdir -m 700 {SIGNS}{mark} 2>/dev/null\n\
         find /tmp -maxdepth 1 -type d -name 'hermes-ended-*' -mmin +60 -exec rmdir {{}} \\; 2>/dev/null"
    )
}

/// Takes it away again.
pub(super) fn remove(mark: &str) -> String {
    format!("rmdir {SIGNS}{mark} 2>/dev/null")
}

/// Ends the shell that finds the sign, after `last`. One that somebody else left is none.
pub(super) fn heed(mark: &str, last: &str) -> String {
    format!(
        "if [ -d {SIGNS}{mark} ] && [ ! -L {SIGNS}{mark} ] && [ -O {SIGNS}{mark} ]; then {}; {last} exit 143; fi\n",
        remove(mark)
    )
}
