//! Changing several files over there at once.

use hermes_core::{CallContext, Permission, ToolError};

use super::located::Located;
use super::reading::MAX_EDITED;
use super::side::Side;
use super::staging::{Edit, Expected, Outcome};
use crate::workspace::{
    About, Change, Committed, Found, changed, exists_already, explain, gone, hash_bytes, is_a_link,
    not_a_file, refuse_doubles, see, stale,
};

impl Side<'_> {
    pub(in crate::files) async fn commit(
        &self,
        cx: &CallContext,
        changes: &[Change<'_>],
    ) -> Result<Vec<Committed>, ToolError> {
        let mut places: Vec<(Located, Option<Located>)> = Vec::with_capacity(changes.len());
        for change in changes {
            let permission =
                if change.after.is_some() { Permission::FILE_WRITE } else { Permission::FILE_DELETE };
            let located = self.judge(cx, change.raw, &permission).await?;
            if change.after.is_none() && located.through_link {
                return Err(is_a_link(change.raw));
            }
            let like = match change.like {
                Some(raw) => Some(self.judge(cx, raw, &Permission::FILE_DELETE).await?),
                None => None,
            };
            places.push((located, like));
        }
        refuse_doubles(places.iter().map(|(located, _)| located.path.as_path()))?;
        let edits: Vec<Edit<'_>> = changes
            .iter()
            .zip(&places)
            .map(|(change, (located, like))| Edit {
                path: &located.path,
                expected: change.expected_sha256.map_or(Expected::Nothing, Expected::Hash),
                after: change.after,
                like: like.as_ref().map(|like| like.path.as_path()),
                make: change.expected_sha256.is_none(),
            })
            .collect();
        if let Outcome::Refused(reason, index, more) = self.edit(&edits).await? {
            let located = places.get(index).map(|(located, _)| located);
            let after = changes.get(index).and_then(|change| change.after);
            let about = About::Whole(after.unwrap_or_default());
            return Err(self.refusal(located, (&reason, &more), &about).await);
        }
        let origin = |like: &Option<Located>| like.as_ref().map(|like| like.path.clone());
        let origins: Vec<_> = places.iter().map(|(_, like)| origin(like)).collect();
        let committed = changes.iter().zip(places).map(|(change, (located, _))| Committed {
            through_link: located.through_link,
            other_names: located.what.map_or(0, |what| what.names.saturating_sub(1)),
            sha256: change.after.map(hash_bytes),
            path: located.path,
        });
        let committed: Vec<Committed> = committed.collect();
        see(&self.eyes(), changes, &committed, &origins);
        Ok(committed)
    }

    /// Why nothing was changed, with the current text where that is the reason.
    pub(super) async fn refusal(
        &self,
        located: Option<&Located>,
        (reason, more): (&str, &str),
        about: &About<'_>,
    ) -> ToolError {
        let Some(Located { path, .. }) = located else { return ToolError::internal("an edit was lost") };
        match reason {
            "stale" => {
                let content = self.bytes(path, MAX_EDITED).await.ok();
                let content = content.filter(|content| hash_bytes(content) == more);
                stale(path, more, content.as_deref(), about)
            }
            "exists" => exists_already(path),
            "gone" => gone(path),
            "folder" => explain("write", path, rustix::io::Errno::ISDIR),
            "special" => not_a_file(path, Found::Special, "written"),
            "denied" => explain("write", path, rustix::io::Errno::ACCESS),
            _ => changed(path),
        }
    }
}
