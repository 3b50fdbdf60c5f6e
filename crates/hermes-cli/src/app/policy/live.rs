//! The policy of a running process. A policy file that changes counts from the next call on; one that is wrong,
//! or gone, changes nothing and is reported once.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use hermes_core::{AccessRequest, Decision, InnerJudge, Policy};
use hermes_policy::profile::{Engine, PolicyCell};

use super::files::PolicyText;
use super::maker::PolicyMaker;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

pub(crate) struct LivePolicy {
    maker: PolicyMaker,
    cell: PolicyCell,
    seen: Mutex<Seen>,
}

/// What was on disk when it was last looked at.
struct Seen {
    stamps: Vec<Option<Stamp>>,
    texts: Vec<PolicyText>,
}

/// Changes whenever a file is written or replaced.
type Stamp = (Option<SystemTime>, u64, u64);

impl LivePolicy {
    /// Reads the policy. What is wrong with it stops the program: there is no policy to fall back to.
    pub(crate) fn start(maker: PolicyMaker) -> Result<Self, Failure> {
        let stamps = stamps(&maker);
        let texts = maker.texts()?;
        let engine = maker.build(&texts, None).map_err(|problems| Failure::policy(&problems))?;
        Ok(LivePolicy { maker, cell: PolicyCell::new(engine), seen: Mutex::new(Seen { stamps, texts }) })
    }

    pub(crate) fn maker(&self) -> &PolicyMaker {
        &self.maker
    }

    /// The policy in force now.
    pub(crate) fn engine(&self) -> Arc<Engine> {
        self.refresh();
        self.cell.current()
    }

    fn refresh(&self) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = stamps(&self.maker);
        if stamps == seen.stamps {
            return;
        }
        seen.stamps = stamps;
        if let Err(why) = self.reload(&mut seen.texts) {
            let style = Style::for_stderr(ColorChoice::Auto);
            warn(style, "warning:", &format!("the policy files changed, and the previous rules stay: {why}"));
        }
    }

    fn reload(&self, texts: &mut Vec<PolicyText>) -> Result<(), String> {
        let now = self.maker.texts().map_err(|failure| failure.message)?;
        if let Some(gone) = texts.iter().find(|old| !now.iter().any(|text| text.path == old.path)) {
            return Err(format!("{} does not count any more", gone.path.display()));
        }
        if now == *texts {
            return Ok(());
        }
        let lines = |problems: Vec<hermes_policy::profile::Problem>| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        self.cell.replace(self.maker.build(&now, None)).map_err(lines)?;
        *texts = now;
        Ok(())
    }
}

impl Policy for LivePolicy {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        self.engine().decide(request)
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        self.cell.inner_judge(request)
    }
}

fn stamps(maker: &PolicyMaker) -> Vec<Option<Stamp>> {
    use std::os::unix::fs::MetadataExt;
    let stamp = |path: &Path| {
        let meta = path.metadata().ok()?;
        Some((meta.modified().ok(), meta.len(), meta.ino()))
    };
    maker.paths().into_iter().map(stamp).collect()
}
