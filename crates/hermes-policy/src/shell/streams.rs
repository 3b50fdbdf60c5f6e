//! Which redirections take the place of a command's standard input and output.

use super::model::{Redirect, RedirectKind};

/// Whether a redirection changes the standard input.
pub(super) fn is_input(redirect: &Redirect) -> bool {
    let first = redirect.fd.is_none_or(|fd| fd == 0);
    match redirect.kind {
        RedirectKind::Read
        | RedirectKind::ReadWrite
        | RedirectKind::HereDocument
        | RedirectKind::HereString => first,
        RedirectKind::Duplicate => redirect.fd == Some(0),
        _ => false,
    }
}

/// Whether a redirection changes the standard output.
pub(super) fn is_output(redirect: &Redirect) -> bool {
    let second = redirect.fd.is_none_or(|fd| fd == 1);
    match redirect.kind {
        RedirectKind::Write | RedirectKind::Append => second,
        RedirectKind::WriteBoth | RedirectKind::AppendBoth => true,
        RedirectKind::Duplicate => redirect.fd == Some(1),
        _ => false,
    }
}
