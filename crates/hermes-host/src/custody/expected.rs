//! What the next program will be shown, as far as the last one tells: walls for it can be built before it comes.

use std::path::{Path, PathBuf};

use super::bytes::{Reader, Writer};
use super::order::{read_confinement, write_confinement};
use crate::process::Confinement;

/// What is done before there is a program.
pub(super) enum Ahead {
    /// Nothing: the program is there.
    Nothing,
    /// What every program needs.
    Common,
    /// That, and walls that will likely fit.
    Walls(Box<Expected>),
}

/// The part of a confinement that does not come and go with single programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected(Confinement);

impl Expected {
    pub(super) fn of(confinement: &Confinement) -> Self {
        let Confinement { writable, hidden, shown, network, .. } = confinement.clone();
        Expected(Confinement { writable, hidden, shown, network, ..Confinement::default() })
    }

    pub(super) fn confinement(&self) -> &Confinement {
        &self.0
    }

    /// Whether walls for this are walls for that, once its protected places are kept too. A writable folder in one of
    /// those would have to be opened after it.
    pub(super) fn fits(&self, confinement: &Confinement) -> bool {
        let is_inside = |open: &PathBuf| confinement.protected.iter().any(|kept| lies_in(open, kept));
        Expected::of(confinement) == *self && !confinement.writable.iter().any(is_inside)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        write_confinement(&mut writer, &self.0);
        writer.framed()
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        read_confinement(&mut Reader(body)).map(Expected)
    }
}

fn lies_in(inner: &Path, outer: &Path) -> bool {
    inner != outer && inner.starts_with(outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confinement() -> Confinement {
        Confinement {
            writable: vec!["/project".into()],
            hidden: vec!["/home/.netrc".into()],
            shown: vec!["/home/shown".into()],
            network: true,
            ..Confinement::default()
        }
    }

    #[test]
    fn only_what_walls_are_built_of_counts() {
        let expected = Expected::of(&confinement());
        let same =
            Confinement { protected: vec!["/project/.git/config".into()], strict: true, ..confinement() };
        assert!(expected.fits(&same));
        let others = [
            Confinement { writable: vec!["/project".into(), "/tmp".into()], ..confinement() },
            Confinement { hidden: Vec::new(), ..confinement() },
            Confinement { shown: Vec::new(), ..confinement() },
            Confinement { network: false, ..confinement() },
        ];
        assert!(others.iter().all(|other| !expected.fits(other)));
    }

    #[test]
    fn a_writable_folder_in_a_protected_one_is_opened_when_that_is_kept() {
        let expected = Expected::of(&confinement());
        assert!(!expected.fits(&Confinement { protected: vec!["/".into()], ..confinement() }));
        assert!(expected.fits(&Confinement { protected: vec!["/project".into()], ..confinement() }));
    }

    #[test]
    fn it_crosses_a_pipe() {
        let expected = Expected::of(&confinement());
        assert_eq!(Expected::decode(&expected.encode()[4..]), Some(expected));
    }
}
