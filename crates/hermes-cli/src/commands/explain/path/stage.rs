//! Where a case plays: the places, what is there to be seen, and the limits.

use std::path::{Path, PathBuf};

use hermes_policy::paths::{PathOp, Places, judge};

use super::files::{Files, Kind, Source};
use super::forms::{Forms, NoForms};
use super::limits::Limits;
use super::outcome::Outcome;
use super::setup::expand;

pub(super) struct Stage {
    /// Free of links, as the resolved forms are.
    places: Places,
    home: PathBuf,
    pub(super) cwd: PathBuf,
    pub(super) files: Files,
    limits: Option<Limits>,
    marks: Vec<(String, PathBuf)>,
}

impl Stage {
    pub(super) fn new(
        mut places: Places,
        home: PathBuf,
        cwd: PathBuf,
        files: Files,
        limits: Option<Limits>,
        marks: Vec<(String, PathBuf)>,
    ) -> Self {
        let real = |path: &Path| {
            let forms = path.to_str().and_then(|text| Forms::of(text, &home, &cwd, &files).ok());
            forms.map_or_else(|| path.to_owned(), |forms| forms.resolved)
        };
        places.home = real(&places.home);
        places.hermes_home = real(&places.hermes_home);
        places.roots = places.roots.iter().map(|root| real(root)).collect();
        Stage { places, home, cwd, files, limits, marks }
    }

    /// The text with paths in place of marks, as the stage names them.
    pub(super) fn expand(&self, text: &str) -> String {
        let text = expand(text, &self.marks);
        let outer = match &self.files.source {
            Source::Below(root) if root != Path::new("/") => root.to_str(),
            _ => None,
        };
        match outer.and_then(|root| text.strip_prefix(root)) {
            Some(inside) if inside.starts_with('/') => inside.to_owned(),
            _ => text,
        }
    }

    /// Whether this stage keeps to folders, and says what fails in them.
    pub(super) fn is_confined(&self) -> bool {
        self.limits.is_some()
    }

    /// Whether the working folder is there, so that what is not there is known to be missing.
    pub(super) fn is_known(&self) -> bool {
        self.files.kind(&self.cwd) == Some(Kind::Folder)
    }

    pub(super) fn forms(&self, raw: &str) -> Result<Forms, Outcome> {
        self.forms_from(raw, &self.cwd)
    }

    /// The forms of a path that starts from another folder, as the target of a link does.
    pub(super) fn forms_from(&self, raw: &str, cwd: &Path) -> Result<Forms, Outcome> {
        Forms::of(raw, &self.home, cwd, &self.files).map_err(|none| match none {
            NoForms::Refused(refusal) => Outcome::deny(refusal.category(), &refusal.to_string()),
            NoForms::Loop => Outcome::deny("link_loop", "the links of this path lead round in a circle"),
        })
    }

    /// The verdict of table and limits, whether or not the path exists.
    pub(super) fn judge(&self, forms: &Forms, op: PathOp) -> Outcome {
        let mut outcome = Outcome::of(&judge(forms.all(), op, &self.places));
        // What is renamed, removed or made is the name; whoever follows it meets the object.
        let acts_on_name = matches!(
            op,
            PathOp::Delete | PathOp::Rename | PathOp::Symlink | PathOp::Hardlink | PathOp::Mkdir
        );
        if acts_on_name {
            outcome.add(Outcome::of(&judge([forms.entry.as_path()], op, &self.places)));
        }
        if let Some(limits) = &self.limits {
            let named = forms.all().chain([forms.entry.as_path()]).find_map(|form| limits.names(form, op));
            if let Some((category, reason)) = named {
                outcome.add(Outcome::deny(category, reason));
            }
            if limits.is_outside(&forms.resolved, op) || (acts_on_name && limits.is_outside(&forms.entry, op))
            {
                outcome
                    .add(Outcome::deny("outside_roots", "the path leads outside the folders that are open"));
            }
        }
        outcome.resolved.get_or_insert_with(|| forms.resolved.clone());
        outcome
    }

    /// Whether the operation would fail on what is, or is not, there.
    pub(super) fn obstacle(&self, forms: &Forms, op: PathOp) -> Option<(&'static str, &'static str)> {
        let kind = self.files.kind(&forms.resolved);
        if op.makes_file() && (kind == Some(Kind::Folder) || forms.names_folder) {
            return Some(("folder", "this is a folder, not a file"));
        }
        if !self.is_known() || !self.is_confined() {
            return None;
        }
        let needs_file = matches!(op, PathOp::Read | PathOp::Patch | PathOp::Execute);
        let needs_folder = matches!(op, PathOp::List | PathOp::Cwd | PathOp::Glob);
        let needs_any = matches!(op, PathOp::Search | PathOp::Delete | PathOp::Rename | PathOp::Hardlink);
        match kind {
            None if needs_file || needs_folder || needs_any => {
                Some(("missing", "there is nothing of this name"))
            }
            Some(Kind::Folder) if needs_file => Some(("folder", "this is a folder, not a file")),
            Some(Kind::File) if needs_folder || forms.names_folder => {
                Some(("not_a_folder", "this is a file, not a folder"))
            }
            _ => None,
        }
    }
}
