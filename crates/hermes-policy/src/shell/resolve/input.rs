//! What stands on a command's standard input, and on the other descriptors that it may be copied from.

use std::sync::Arc;

use super::super::model::{Piece, Redirect, RedirectKind};
use super::super::streams::is_input;
use super::Resolver;
use super::env;

/// A descriptor that was opened for what comes after, or inside.
pub(super) struct Descriptor {
    fd: u32,
    /// The text behind it, if it is certain.
    text: Option<Arc<str>>,
    /// The command that opened it.
    opener: usize,
}

/// More open descriptors are not told apart.
const MAX_DESCRIPTORS: usize = 32;

impl Resolver<'_> {
    /// The text that redirections put on the standard input, if the last one that does is certain.
    pub(super) fn own_input(&self, redirects: &[Redirect]) -> Option<Arc<str>> {
        let last = redirects.iter().rev().find(|redirect| is_input(redirect))?;
        if last.kind != RedirectKind::Duplicate {
            return self.text_of(last);
        }
        let from = env::literal(&last.target.pieces)?;
        self.text_behind(from.trim_end_matches('-').parse().ok()?, redirects)
    }

    /// The text behind a descriptor, for a command with these redirections.
    pub(super) fn text_behind(&self, fd: u32, redirects: &[Redirect]) -> Option<Arc<str>> {
        match redirects.iter().find(|redirect| redirect.fd == Some(fd)) {
            Some(own) => self.text_of(own),
            None => self.descriptor(fd).and_then(|open| open.text.clone()),
        }
    }

    /// The text that a redirection makes readable.
    fn text_of(&self, redirect: &Redirect) -> Option<Arc<str>> {
        match redirect.kind {
            RedirectKind::HereDocument => Some(Arc::from(env::literal(&redirect.target.pieces)?)),
            RedirectKind::HereString => {
                let mut text = env::literal(&redirect.target.pieces)?;
                text.push('\n');
                Some(Arc::from(text))
            }
            RedirectKind::Read => {
                // `< <(…)`: the process behind it.
                let [Piece::Unknown { hint }] = redirect.target.pieces.as_slice() else { return None };
                let process = self.processes.iter().find(|process| process.hint == *hint)?;
                process.output.as_deref().map(Arc::from)
            }
            _ => None,
        }
    }

    fn descriptor(&self, fd: u32) -> Option<&Descriptor> {
        self.descriptors.iter().rev().find(|open| open.fd == fd)
    }

    /// Remembers what redirections put on descriptors, for what runs under them; how many there were before.
    pub(super) fn open_descriptors(&mut self, redirects: &[Redirect]) -> usize {
        let before = self.descriptors.len();
        let opener = self.script.commands.len();
        for redirect in redirects {
            let fd = if is_input(redirect) { Some(0) } else { redirect.fd };
            let Some(fd) = fd.filter(|_| self.descriptors.len() < MAX_DESCRIPTORS) else { continue };
            let text = match fd {
                0 => self.own_input(redirects),
                _ => self.text_of(redirect),
            };
            self.descriptors.push(Descriptor { fd, text, opener });
        }
        before
    }

    /// What an `exec` put on the standard input of everything behind it, and the `exec` itself.
    pub(super) fn standing_input(&self) -> Option<(usize, Option<Arc<str>>)> {
        self.descriptor(0).map(|open| (open.opener, open.text.clone()))
    }
}
