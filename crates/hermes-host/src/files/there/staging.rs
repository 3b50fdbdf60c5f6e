//! New contents beside the files they are for, and the change of names that puts them in place.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, ToolError};

use super::answer::Record;
use super::complaints::{complaint, confused};
use super::scripts::{ABANDON, COMMIT, STAGE};
use super::side::{Question, Side};
use super::words::word;
use crate::terminal::Sent;
use crate::workspace::{changed, temporary_name};

/// Contents up to this size go there together with the order to put them in place.
const AT_ONCE: usize = 1024 * 1024;

/// What becomes of one file over there.
pub(super) struct Edit<'a> {
    /// Where it really is.
    pub(super) path: &'a Path,
    pub(super) expected: Expected<'a>,
    /// `None` takes it away.
    pub(super) after: Option<&'a [u8]>,
    /// Whose mode and owner a new file gets.
    pub(super) like: Option<&'a Path>,
    /// Whether missing folders are made.
    pub(super) make: bool,
}

/// What must be there before.
#[derive(Clone, Copy)]
pub(super) enum Expected<'a> {
    Nothing,
    Hash(&'a str),
    /// Any file.
    Something,
}

impl Expected<'_> {
    fn word(&self) -> &str {
        match self {
            Expected::Nothing => "absent",
            Expected::Hash(hash) => hash,
            Expected::Something => "any",
        }
    }
}

/// An edit that only lacks its name.
pub(super) struct Staged {
    folder: PathBuf,
    name: Vec<u8>,
    temporary: String,
    /// How many folders were made for it.
    made: usize,
}

impl Staged {
    fn of(edit: &Edit<'_>) -> Result<Self, ToolError> {
        let (Some(folder), Some(name)) = (edit.path.parent(), edit.path.file_name()) else {
            return Err(ToolError::invalid("the path names the root folder, not a file"));
        };
        let (folder, name) = (folder.to_owned(), name.as_bytes().to_vec());
        Ok(Staged { folder, name, temporary: temporary_name(), made: 0 })
    }

    /// What [`STAGE`] is about; `line` is what [`COMMIT`] is to do at once.
    fn words<'a>(&'a self, edit: &Edit<'_>, size: &'a str, line: &'a str) -> [&'a [u8]; 6] {
        let flag = |on: bool| if on { "y" } else { "" }.as_bytes();
        let private = !matches!(edit.expected, Expected::Nothing) || edit.like.is_some();
        let (folder, temporary) = (self.folder.as_os_str().as_bytes(), self.temporary.as_bytes());
        [folder, temporary, size.as_bytes(), flag(edit.make), flag(private), line.as_bytes()]
    }

    /// How many folders [`STAGE`] says it made.
    fn made_by(&self, record: Option<Record>, edit: &Edit<'_>, sent: &Sent) -> Result<usize, ToolError> {
        let Some(Record { words, .. }) = record else { return Err(complaint("write", edit.path, sent)) };
        match words.split_once(' ').unwrap_or((&words, "")) {
            ("staged", made) => Ok(made.parse().unwrap_or(0)),
            ("nofolder", _) => {
                Err(ToolError::not_found(format!("the folder '{}' does not exist", self.folder.display()))
                    .with_hint("Pass create_dirs: true to make it."))
            }
            ("changed", _) => Err(changed(edit.path)),
            _ => Err(confused(&words)),
        }
    }
}

/// What came of a commit.
pub(super) enum Outcome {
    Done,
    /// Nothing was changed, because of this edit: the reason, its number, and what else was said.
    Refused(String, usize, String),
}

impl Side<'_> {
    /// Makes all edits or none.
    pub(super) async fn edit(&self, edits: &[Edit<'_>]) -> Result<Outcome, ToolError> {
        let mut staged = Vec::with_capacity(edits.len());
        let outcome = async {
            if let [Edit { after: Some(content), .. }] = edits
                && content.len() <= AT_ONCE
            {
                return self.stage_and_put(edits, content, &mut staged).await;
            }
            for edit in edits {
                staged.push(self.stage(edit).await?);
            }
            self.put_in_place(edits, &staged).await
        };
        let outcome = outcome.await;
        if !matches!(outcome, Ok(Outcome::Done)) {
            self.abandon(&staged).await;
        }
        outcome
    }

    /// One small file, on one way there and back.
    async fn stage_and_put(
        &self,
        edits: &[Edit<'_>],
        content: &[u8],
        staged: &mut Vec<Staged>,
    ) -> Result<Outcome, ToolError> {
        for edit in edits {
            staged.push(Staged::of(edit)?);
        }
        let (Some(edit), Some(one)) = (edits.first(), staged.first()) else { return Ok(Outcome::Done) };
        let (size, line) = (content.len().to_string(), lines(edits, staged));
        let (words, script) = (one.words(edit, &size, line.trim_end()), format!("{STAGE}{COMMIT}"));
        let question = Question { content, ..Question::new(&script, &words) };
        // Half a change is worse than a late one.
        let (records, sent) = self.undisturbed().ask_all(&question).await?;
        let mut records = records.into_iter();
        match one.made_by(records.next(), edit, &sent) {
            Ok(made) => staged.iter_mut().for_each(|staged| staged.made = made),
            Err(error) => {
                // Nothing is there to be abandoned.
                staged.clear();
                return Err(error);
            }
        }
        outcome(records.next(), edits, &sent)
    }

    async fn stage(&self, edit: &Edit<'_>) -> Result<Staged, ToolError> {
        let mut staged = Staged::of(edit)?;
        let Some(content) = edit.after else { return Ok(staged) };
        let size = content.len().to_string();
        let words = staged.words(edit, &size, "");
        let question = Question { content, ..Question::new(STAGE, &words) };
        let (record, sent) = self.ask_once(&question).await?;
        staged.made = staged.made_by(record, edit, &sent)?;
        Ok(staged)
    }

    async fn put_in_place(&self, edits: &[Edit<'_>], staged: &[Staged]) -> Result<Outcome, ToolError> {
        let lines = lines(edits, staged);
        let question = Question { content: lines.as_bytes(), ..Question::new(COMMIT, &[]) };
        // Half a change is worse than a late one.
        let (record, sent) = self.undisturbed().ask_once(&question).await?;
        outcome(record, edits, &sent)
    }

    /// Best effort: a temporary file that stays behind harms nobody.
    async fn abandon(&self, staged: &[Staged]) {
        let lines: String = staged
            .iter()
            .rev()
            .map(|staged| {
                let folder = word(staged.folder.as_os_str().as_bytes());
                format!("{folder} {} {}\n", word(staged.temporary.as_bytes()), staged.made)
            })
            .collect();
        if !lines.is_empty() {
            let question = Question { content: lines.as_bytes(), ..Question::new(ABANDON, &[]) };
            let _ = self.undisturbed().ask_once(&question).await;
        }
    }
}

/// What [`COMMIT`] is to do, a line for each edit.
fn lines(edits: &[Edit<'_>], staged: &[Staged]) -> String {
    let line = |(edit, staged): (&Edit<'_>, &Staged)| {
        let operation = if edit.after.is_some() { "put" } else { "drop" };
        let like = edit.like.map_or("-".to_owned(), |path| word(path.as_os_str().as_bytes()));
        format!(
            "{operation} {} {} {} {} {like}\n",
            edit.expected.word(),
            word(staged.folder.as_os_str().as_bytes()),
            word(&staged.name),
            word(staged.temporary.as_bytes()),
        )
    };
    edits.iter().zip(staged).map(line).collect()
}

/// What [`COMMIT`] says.
fn outcome(record: Option<Record>, edits: &[Edit<'_>], sent: &Sent) -> Result<Outcome, ToolError> {
    let Some(Record { words, .. }) = record else { return Err(unknown(edits, sent)) };
    let mut parts = words.splitn(3, ' ');
    let (what, index, more) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    match what {
        "done" => Ok(Outcome::Done),
        "stuck" => Err(unknown(edits, sent)),
        "failed" => {
            let path = edits.first().map_or(Path::new("/"), |edit| edit.path);
            let cause = complaint("write", path, sent);
            let message = format!("{}; all files are as they were", cause.message);
            Err(ToolError { message, ..cause })
        }
        "busy" => {
            let text = "another process is writing over there; try again";
            Err(ToolError { retryable: true, ..ToolError::new(ErrorCode::Conflict, text) })
        }
        reason => {
            let index = index.and_then(|index| index.parse().ok()).ok_or_else(|| confused(&words))?;
            Ok(Outcome::Refused(reason.to_owned(), index, more.unwrap_or_default().to_owned()))
        }
    }
}

/// The connection broke, or files could not be put back: whoever asks must look.
fn unknown(edits: &[Edit<'_>], sent: &Sent) -> ToolError {
    let paths: Vec<String> = edits.iter().map(|edit| edit.path.display().to_string()).collect();
    let text = format!("whether the change was made is not known; read back: {}", paths.join(", "));
    ToolError::new(ErrorCode::OutcomeUnknown, text).with_operator(sent.complaints.clone())
}
