//! Writing one file over there.

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};

use super::located::Located;
use super::reading::MAX_EDITED;
use super::side::Side;
use super::staging::{Edit, Expected, Outcome};
use crate::workspace::{
    About, FileVersion, Fit, Found, SeenState, WriteMode, WriteRequest, Written, exists_already, gone,
    hash_bytes, not_a_file, stale,
};

/// How often a file is written that others write too.
const ATTEMPTS: usize = 5;

impl Side<'_> {
    pub(in crate::files) async fn write(
        &self,
        cx: &CallContext,
        raw: &str,
        request: &WriteRequest<'_>,
    ) -> Result<Written, ToolError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let mut located = self.judge_and_fetch(cx, raw, &Permission::FILE_WRITE, MAX_EDITED).await?;
            let before = self.before(&mut located, request).await?;
            self.refuse_stale(&located, before.as_deref(), request)
                .map_err(|error| self.workspace.without_what_is_closed(cx, &located.judged, error))?;
            match self.write_over(&located, before, request).await {
                // Somebody else wrote it in between; that one is replaced like any other.
                Err(error)
                    if error.code == ErrorCode::Conflict
                        && request.expected_sha256.is_none()
                        && request.mode != WriteMode::Create
                        && attempt < ATTEMPTS => {}
                written => {
                    return written
                        .map_err(|error| self.workspace.without_what_is_closed(cx, &located.judged, error));
                }
            }
        }
    }

    /// The content that is about to be replaced, if it is small enough to compare.
    async fn before(
        &self,
        located: &mut Located,
        request: &WriteRequest<'_>,
    ) -> Result<Option<Vec<u8>>, ToolError> {
        let path = &located.path;
        let size = match (located.found(), located.what) {
            (Found::Nothing, _) if request.expected_sha256.is_some() => return Err(gone(path)),
            (Found::Nothing, _) | (_, None) => return Ok(None),
            (Found::File, Some(_)) if request.mode == WriteMode::Create => return Err(exists_already(path)),
            (Found::File, Some(what)) => what.size,
            (found, _) => return Err(not_a_file(path, found, "written")),
        };
        if size > MAX_EDITED {
            return match request.mode {
                WriteMode::Append => Err(ToolError::new(
                    ErrorCode::TooLarge,
                    format!("'{}' has {size} bytes; appending stops at {MAX_EDITED}", path.display()),
                )
                .with_hint("Append with a shell command such as `cat part >> file`.")),
                WriteMode::Overwrite | WriteMode::Create => Ok(None),
            };
        }
        self.whole(located, MAX_EDITED).await.map(Some)
    }

    /// Refuses what was made for another content than the one that is there.
    fn refuse_stale(
        &self,
        located: &Located,
        before: Option<&[u8]>,
        request: &WriteRequest<'_>,
    ) -> Result<(), ToolError> {
        let Some(content) = before else { return Ok(()) };
        let found = hash_bytes(content);
        let is_stale = match request.expected_sha256 {
            Some(expected) => expected != found,
            None => {
                request.mode == WriteMode::Overwrite
                    && content != request.content
                    && self.eyes().missed(&located.path, &state_of(content, &found))
            }
        };
        let about = About::Whole(request.content);
        if is_stale { Err(stale(&located.path, &found, before, &about)) } else { Ok(()) }
    }

    async fn write_over(
        &self,
        located: &Located,
        before: Option<Vec<u8>>,
        request: &WriteRequest<'_>,
    ) -> Result<Written, ToolError> {
        let path = &located.path;
        let found = before.as_deref().map(hash_bytes);
        let created = located.found() == Found::Nothing;
        let expected = match (request.expected_sha256, &found) {
            (Some(hash), _) => Expected::Hash(hash),
            (None, Some(hash)) => Expected::Hash(hash),
            (None, None) if created => Expected::Nothing,
            (None, None) => Expected::Something,
        };
        let content = match (request.mode, &before) {
            (WriteMode::Append, Some(before)) => {
                let fitted = request.fit.map(|Fit(fit)| fit(before)).transpose()?;
                [before.as_slice(), fitted.as_deref().unwrap_or(request.content)].concat()
            }
            _ => request.content.to_vec(),
        };
        let edit = Edit { path, expected, after: Some(&content), like: None, make: request.create_dirs };
        let seen = self.eyes().last(path);
        let now = before.as_deref().zip(found.as_deref()).map(|(content, hash)| state_of(content, hash));
        let is_known = now.is_some_and(|now| seen.as_ref().is_some_and(|seen| seen.is_same(&now)));
        let is_settled = request.expected_sha256.is_some() || (before.is_none() && !created);
        let was_missed = seen.is_some() && !is_known && !is_settled;
        if let Outcome::Refused(reason, _, more) = self.edit(&[edit]).await? {
            return Err(self.refusal(Some(located), (&reason, &more), &About::Whole(&content)).await);
        }
        let sha256 = hash_bytes(&content);
        if is_known || created || request.mode != WriteMode::Append {
            self.eyes().saw(path, SeenState::of_hash(&sha256));
        }
        Ok(Written {
            path: path.clone(),
            through_link: located.through_link,
            created,
            was_missed,
            other_names: located.what.map_or(0, |what| what.names.saturating_sub(1)),
            before,
            sha256,
            size: u64::try_from(content.len()).unwrap_or(u64::MAX),
        })
    }
}

fn state_of(content: &[u8], sha256: &str) -> SeenState {
    SeenState::of_version(FileVersion::of_content(content)).with_hash(Some(sha256))
}
