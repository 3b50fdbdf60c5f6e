//! What a session has read already, so that a model is not sent the same page twice in a row.

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use hermes_host::workspace::FileVersion;

/// Pages that are remembered; beyond that all are forgotten.
const MOST: usize = 1_000;
/// A shorter page costs less than the explanation why it is missing.
const WORTH_IT: usize = 2_000;

/// One question: who asked for which page of which file, in which form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    pub(crate) session: String,
    pub(crate) path: OsString,
    pub(crate) page: (u64, u64),
    pub(crate) form: (&'static str, bool),
}

/// The pages that were shown, each with the state of the file and the call that showed it.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<HashMap<Asked, (FileVersion, String)>>);

impl Seen {
    /// The call that showed this very page of this very file. Said once: whoever asks again gets the page,
    /// because the earlier one may be out of sight by now.
    pub(crate) fn unchanged(&self, asked: &Asked, version: FileVersion) -> Option<String> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, call) = pages.remove(asked)?;
        (known == version).then_some(call)
    }

    pub(crate) fn shown(&self, asked: Asked, version: FileVersion, call: &str, length: usize) {
        if length < WORTH_IT {
            return;
        }
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MOST {
            pages.clear();
        }
        pages.insert(asked, (version, call.to_owned()));
    }
}
