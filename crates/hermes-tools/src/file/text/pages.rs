//! Pages as they were shown, for as long as their files stay as they were: the sessions of one piece of work read the
//! same files, and a model asks again for what is out of its sight.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_host::workspace::FileVersion;

use super::render::Rendered;

/// Pages that are remembered; beyond that all are forgotten.
const MOST: usize = 32;

/// What a page depends on beside its file and how many lines were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::file) struct Form {
    /// The number of its first line.
    pub(in crate::file) first: u64,
    pub(in crate::file) encoding: &'static str,
    pub(in crate::file) numbers: bool,
    pub(in crate::file) room: usize,
}

/// A page.
#[derive(Clone, Debug)]
pub(in crate::file) struct Shown {
    pub(in crate::file) text: Rendered,
    pub(in crate::file) total_lines: Option<u64>,
    /// Of the whole file.
    pub(in crate::file) sha256: Option<String>,
    /// How many lines were asked for.
    pub(in crate::file) limit: u64,
}

impl Shown {
    /// Whether it is also what a question for so many lines is answered with.
    fn answers(&self, first: u64, limit: u64) -> bool {
        let lines = self.total_lines.map(|total| total.saturating_sub(first.max(1) - 1));
        limit == self.limit || (self.text.next.is_none() && lines.is_some_and(|lines| lines <= limit))
    }
}

/// Each with the state of its file; the page itself is kept when it is shown for the second time.
#[derive(Debug, Default)]
pub(in crate::file) struct Pages(Mutex<HashMap<(PathBuf, Form), Known>>);

type Known = (FileVersion, Option<Arc<Shown>>);

impl Pages {
    pub(in crate::file) fn find(
        &self,
        path: &Path,
        version: FileVersion,
        form: Form,
        limit: u64,
    ) -> Option<Arc<Shown>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, page) = pages.get(&(path.to_owned(), form))?;
        page.clone().filter(|page| *known == version && page.answers(form.first, limit))
    }

    /// To be called only for what no other state of the file can look like.
    pub(in crate::file) fn remember(&self, path: &Path, version: FileVersion, form: Form, page: &Shown) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MOST {
            pages.clear();
        }
        let key = (path.to_owned(), form);
        let again = pages.get(&key).is_some_and(|(known, _)| *known == version);
        pages.insert(key, (version, again.then(|| Arc::new(page.clone()))));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::file::text::sniff::Charset;

    #[test]
    fn a_page_answers_every_question_that_would_be_answered_with_it_and_no_other() {
        let version = |seconds: u64| -> FileVersion {
            let changed = [seconds, 0];
            let kept = json!({"object": [1, 2], "size": 3, "modified": [0, 0], "changed": changed});
            serde_json::from_value(kept).unwrap()
        };
        let form = Form { first: 3, encoding: "auto", numbers: true, room: 1_000 };
        let page = |next: Option<u64>, limit: u64| {
            let text = Rendered {
                content: "3|c\n4|d\n".to_owned(),
                charset: Charset::Utf8,
                next,
                hint: None,
                line_endings: None,
            };
            Shown { text, total_lines: Some(4), sha256: None, limit }
        };
        let (pages, path, one) = (Pages::default(), Path::new("/f"), version(1));
        let find = |version, form, limit| pages.find(path, version, form, limit).is_some();
        pages.remember(path, one, form, &page(None, 10));
        assert!(!find(one, form, 10), "shown once");
        pages.remember(path, one, form, &page(None, 10));
        assert!(find(one, form, 10) && find(one, form, 99) && find(one, form, 2), "all to the end");
        assert!(!find(one, form, 1), "fewer lines than it has");
        assert!(!find(version(2), form, 10), "another state of the file");
        assert!(!find(one, Form { numbers: false, ..form }, 10) && !find(one, Form { first: 2, ..form }, 10));
        for _ in 0..2 {
            pages.remember(path, one, form, &page(Some(4), 1));
        }
        assert!(find(one, form, 1) && !find(one, form, 2), "it goes on behind this page");
    }
}
