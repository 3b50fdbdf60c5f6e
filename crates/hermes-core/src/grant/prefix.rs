//! What can never be stored as a pattern: programs that run other programs, because their first words
//! say nothing about what the rest would do.

use super::model::Pattern;
use super::plain::is_plain;
use super::runners::runs_others;

/// A grant that is not stored, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    pub reason: String,
}

impl Refused {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Refused { reason: reason.into() }
    }
}

pub(super) fn check_pattern(pattern: &Pattern) -> Result<(), Refused> {
    match pattern {
        Pattern::Prefix(words) => check_prefix(words),
        Pattern::Exact(digest)
            if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            Err(Refused::new("the digest of a call has 64 hexadecimal digits"))
        }
        Pattern::Command(text) if text.trim().is_empty() => Err(Refused::new("the command is empty")),
        Pattern::Path(glob) if glob.trim_matches(['/', '*', '?']).is_empty() => {
            Err(Refused::new("the path of a grant names a file or a folder, not everything"))
        }
        Pattern::Path(glob) if !glob.starts_with('/') => {
            Err(Refused::new("the path of a grant is absolute, so that it means the same everywhere"))
        }
        Pattern::Path(glob) if glob.split('/').any(|name| matches!(name, ".." | ".")) => {
            Err(Refused::new("the path of a grant has no '.' or '..' in it"))
        }
        Pattern::Host(host) if host.is_empty() || host.contains(['*', '/', ' ']) => {
            Err(Refused::new("the host of a grant is one host, without wildcards"))
        }
        Pattern::Exact(_) | Pattern::Command(_) | Pattern::Path(_) | Pattern::Host(_) => Ok(()),
    }
}

/// Whether these first words of a command say what it would do: only of programs that are known, and known to
/// run no others. What is not known may have an option that runs anything.
pub fn check_prefix(words: &[String]) -> Result<(), Refused> {
    let Some(program) = words.first() else { return Err(Refused::new("the prefix is empty")) };
    match runs_others(words) {
        // Some reasons say already what to write instead.
        Some(why) if why.contains("; ") => Err(Refused::new(why)),
        Some(why) => Err(Refused::new(format!("{why}; store the exact command instead"))),
        None if is_plain(program) => Ok(()),
        None => Err(Refused::new(format!(
            "nobody knows that '{program}' runs no other programs, so its first words may not say what would \
             happen; store the exact command instead"
        ))),
    }
}
