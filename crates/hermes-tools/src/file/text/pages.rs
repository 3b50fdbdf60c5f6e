//! Pages as they were shown, of short files that are as they were: the sessions of one piece of work read the
//! same files, and a model asks again for what is out of its sight.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;

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

/// Each with the content of its file, which says whether it still is its page: times of files do not, where a program
/// writes without telling the kernel. The page is kept when it is asked for the second time.
#[derive(Debug, Default)]
pub(in crate::file) struct Pages(Mutex<HashMap<(OsString, Form), Known>>);

#[derive(Debug)]
struct Known {
    size: Option<usize>,
    page: Option<Arc<(Vec<u8>, Shown)>>,
}

impl Pages {
    pub(in crate::file) fn find(&self, path: &Path, content: &[u8], form: Form, limit: u64) -> Option<Shown> {
        let page = self.lock().get(&(path.into(), form))?.page.clone()?;
        let (of, shown) = &*page;
        (*of == content && shown.answers(form.first, limit)).then(|| shown.clone())
    }

    /// Whether a page of this form was asked for before, of content of this length.
    pub(in crate::file) fn is_asked_again(&self, path: &Path, size: usize, form: Form) -> bool {
        let mut pages = self.lock();
        if pages.len() >= MOST {
            pages.clear();
        }
        let known = pages.entry((path.into(), form)).or_insert(Known { size: None, page: None });
        known.size.replace(size) == Some(size)
    }

    pub(in crate::file) fn keep(&self, path: &Path, content: Vec<u8>, form: Form, page: &Shown) {
        let (size, page) = (Some(content.len()), Some(Arc::new((content, page.clone()))));
        self.lock().insert((path.into(), form), Known { size, page });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(OsString, Form), Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::text::sniff::Charset;

    #[test]
    fn a_page_answers_every_question_that_would_be_answered_with_it_and_no_other() {
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
        let (pages, path, one) = (Pages::default(), Path::new("/f"), "a\nb\nc\nd\n");
        let find = |content: &str, form, limit| pages.find(path, content.as_bytes(), form, limit).is_some();
        let keep = |page: &Shown| pages.keep(path, one.into(), form, page);
        assert!(!pages.is_asked_again(path, one.len(), form) && pages.is_asked_again(path, one.len(), form));
        assert!(!pages.is_asked_again(path, 99, form) && !find(one, form, 10));
        keep(&page(None, 10));
        assert!(find(one, form, 10) && find(one, form, 99) && find(one, form, 2), "all to the end");
        assert!(!find(one, form, 1), "fewer lines than it has");
        assert!(!find("a\nb\nc\nD\n", form, 10), "another content");
        assert!(!find(one, Form { numbers: false, ..form }, 10) && !find(one, Form { first: 2, ..form }, 10));
        keep(&page(Some(4), 1));
        assert!(find(one, form, 1) && !find(one, form, 2), "it goes on behind this page");
    }
}
