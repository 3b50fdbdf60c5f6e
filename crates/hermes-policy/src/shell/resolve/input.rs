//! What stands on a command's standard input.

use std::sync::Arc;

use super::super::model::{Piece, Redirect, RedirectKind};
use super::super::streams::is_input;
use super::Resolver;
use super::env;

impl Resolver<'_> {
    /// The text that redirections put on the standard input, if the last one that does is certain.
    pub(super) fn own_input(&self, redirects: &[Redirect]) -> Option<Arc<str>> {
        let last = redirects.iter().rev().find(|redirect| is_input(redirect))?;
        match last.kind {
            RedirectKind::HereDocument => Some(Arc::from(env::literal(&last.target.pieces)?)),
            RedirectKind::HereString => {
                let mut text = env::literal(&last.target.pieces)?;
                text.push('\n');
                Some(Arc::from(text))
            }
            RedirectKind::Read => {
                // `< <(…)`: the process behind it.
                let [Piece::Unknown { hint }] = last.target.pieces.as_slice() else { return None };
                let process = self.processes.iter().find(|process| process.hint == *hint)?;
                process.output.as_deref().map(Arc::from)
            }
            _ => None,
        }
    }
}
