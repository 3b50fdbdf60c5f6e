//! The folder in which a session begins on the other side. Rules take it for the session's own folder here.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Duration;

use hermes_core::CallContext;

use super::door::{Inner, Terminals};
use super::elsewhere::Errand;

/// How long the other side may take to say where its home is.
const PATIENCE: Duration = Duration::from_secs(30);

impl Terminals {
    /// Has the other side say where its home is, where the session begins there. Asked once: what a command exports
    /// as its home is not that.
    pub(super) async fn learn_home(&self, cx: &CallContext) {
        let (inner, session) = (&*self.inner, &cx.session().id);
        let is_known = || inner.homes().contains_key(session);
        if inner.is_local() || !inner.first_folder(cx.cwd()).starts_with("~") || is_known() {
            return;
        }
        let errand = Errand {
            session,
            script: "printf %s \"$HOME\"",
            input: b"",
            patience: PATIENCE,
            cancel: cx.cancel(),
        };
        let asked = self.ask(&errand).await;
        // Where it does not say so, commands are judged as what runs outside of the session's folder.
        if let Ok(Ok(home)) = asked.map(|(_, said)| String::from_utf8(said)) {
            inner.homes().insert(session.clone(), PathBuf::from(home));
        }
    }
}

impl Inner {
    /// The folder as rules speak of it.
    pub(super) fn seen_from_here(&self, folder: &Path, cx: &CallContext) -> PathBuf {
        if self.is_local() {
            return folder.to_owned();
        }
        let home = self.homes().get(&cx.session().id).cloned();
        let absolute = |path: &Path| match path.strip_prefix("~") {
            Ok(inside) => home.as_ref().map(|home| home.join(inside)),
            Err(_) => Some(path.to_owned()),
        };
        let first = absolute(&self.first_folder(cx.cwd()));
        // What holds everything is nobody's folder.
        let first = first.filter(|first| first.is_absolute() && first != Path::new("/"));
        let inside = first.zip(absolute(folder)).and_then(|(first, folder)| {
            // What is hidden in a home is a person's.
            let inside = folder.strip_prefix(first).ok()?;
            (!inside.as_os_str().as_encoded_bytes().starts_with(b".")).then(|| inside.to_owned())
        });
        match inside {
            Some(inside) if inside.as_os_str().is_empty() => cx.cwd().to_owned(),
            Some(inside) => cx.cwd().join(inside),
            None => folder.to_owned(),
        }
    }

    fn homes(&self) -> std::sync::MutexGuard<'_, std::collections::HashMap<String, PathBuf>> {
        self.homes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
