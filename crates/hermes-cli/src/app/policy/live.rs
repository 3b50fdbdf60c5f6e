//! The policy of a running process. A policy file that changes counts from the next call on; one that is wrong,
//! or gone, changes nothing and is reported once.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use hermes_core::{AccessRequest, CommandEffect, Decision, InnerJudge, Offer, Policy, Verdict};
use hermes_policy::profile::{Engine, PolicyCell};

use super::files::PolicyText;
use super::maker::PolicyMaker;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

/// A file that changed so lately may be half written. Until then what it takes away counts, what it gives does
/// not.
const SETTLING: Duration = Duration::from_secs(1);

/// A call is judged by what the files say then. What is asked while it is got ready, hundreds of questions for the
/// walls around a command, need not look at the files again each time.
const JUST_NOW: Duration = Duration::from_millis(10);

/// Every call begins with a look at what is offered, and so at the files; it is judged a moment later. Where no more time
/// has passed that look is its own, or a later call's.
const SAME_CALL: Duration = Duration::from_millis(1);

pub(crate) struct LivePolicy {
    maker: PolicyMaker,
    cell: PolicyCell,
    seen: Mutex<Seen>,
}

/// What was on disk when it was last looked at.
struct Seen {
    /// `None` after a failure, so that the next call looks again.
    stamps: Option<Vec<Option<Stamp>>>,
    /// When that was.
    looked: Instant,
    texts: Vec<PolicyText>,
    /// What was last complained about.
    complaint: Option<String>,
    /// The policy before the last change, while that change is settling.
    before: Option<(Arc<Engine>, Instant)>,
}

/// Changes whenever a file is written, replaced, or opened or closed to others.
type Stamp = (Option<SystemTime>, (i64, i64), u64, u64);

impl LivePolicy {
    /// Reads the policy. What is wrong with it stops the program: there is no policy to fall back to.
    pub(crate) fn start(maker: PolicyMaker) -> Result<Self, Failure> {
        let stamps = Some(stamps(&maker));
        let texts = maker.texts()?;
        let engine = maker.build(&texts, None).map_err(|problems| Failure::policy(&problems))?;
        let seen = Mutex::new(Seen { stamps, looked: Instant::now(), texts, complaint: None, before: None });
        Ok(LivePolicy { maker, cell: PolicyCell::new(engine), seen })
    }

    pub(crate) fn maker(&self) -> &PolicyMaker {
        &self.maker
    }

    /// The policy in force now.
    pub(crate) fn engine(&self) -> Arc<Engine> {
        self.refresh().0
    }

    /// The policy in force now, and the one before while a change is settling.
    fn refresh(&self) -> (Arc<Engine>, Option<Arc<Engine>>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = stamps(&self.maker);
        seen.looked = Instant::now();
        if seen.stamps.as_ref() != Some(&stamps) {
            let before = self.cell.current();
            let age = stamps.iter().flatten().filter_map(|stamp| stamp.0?.elapsed().ok()).min();
            match self.reload(&mut seen.texts) {
                Ok(changed) => {
                    seen.stamps = Some(stamps);
                    seen.complaint = None;
                    let rest = SETTLING.saturating_sub(age.unwrap_or_default());
                    if changed && !rest.is_zero() {
                        // Of several changes in a row the policy before the first one is kept.
                        let first = seen.before.take().map_or(before, |(engine, _)| engine);
                        seen.before = Some((first, Instant::now() + rest));
                    }
                }
                Err(why) => {
                    seen.stamps = None;
                    seen.complain(why);
                }
            }
        }
        seen.before.take_if(|(_, until)| Instant::now() >= *until);
        (self.cell.current(), seen.before.as_ref().map(|(engine, _)| Arc::clone(engine)))
    }

    /// The same as they were so lately.
    fn within(&self, lately: Duration) -> (Arc<Engine>, Option<Arc<Engine>>) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.stamps.is_none() || seen.looked.elapsed() >= lately {
            drop(seen);
            return self.refresh();
        }
        (self.cell.current(), seen.before.as_ref().map(|(engine, _)| Arc::clone(engine)))
    }

    /// Puts what the files say now in force; says whether that is something new.
    fn reload(&self, texts: &mut Vec<PolicyText>) -> Result<bool, String> {
        let now = self.maker.texts().map_err(|failure| failure.message)?;
        if let Some(gone) = texts.iter().find(|old| !now.iter().any(|text| text.path == old.path)) {
            return Err(format!("{} does not count any more", gone.path.display()));
        }
        if now == *texts {
            return Ok(false);
        }
        let lines = |problems: Vec<hermes_policy::profile::Problem>| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        self.cell.replace(self.maker.build(&now, None)).map_err(lines)?;
        *texts = now;
        Ok(true)
    }
}

impl Seen {
    /// Says it once, however often it is met.
    fn complain(&mut self, why: String) {
        if self.complaint.as_ref() != Some(&why) {
            let style = Style::for_stderr(ColorChoice::Auto);
            warn(style, "warning:", &format!("the policy files changed, and the previous rules stay: {why}"));
            self.complaint = Some(why);
        }
    }
}

impl Policy for LivePolicy {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        let (now, before) = self.within(SAME_CALL);
        stricter(now.decide(request), before, request)
    }

    fn look(&self, request: &AccessRequest<'_>) -> Decision {
        let (now, before) = self.within(JUST_NOW);
        stricter(now.look(request), before, request)
    }

    fn effects(&self, request: &AccessRequest<'_>) -> Vec<CommandEffect> {
        self.engine().effects(request)
    }

    fn singled_out(&self) -> Vec<String> {
        self.engine().singled_out()
    }

    fn may_ask(&self) -> bool {
        self.engine().may_ask()
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        self.cell.inner_judge(request)
    }

    fn shuts_out(&self, offer: &Offer<'_>) -> Option<Decision> {
        self.engine().shuts_out(offer)
    }

    fn generation(&self) -> u64 {
        self.refresh();
        self.cell.generation()
    }
}

fn stricter(now: Decision, before: Option<Arc<Engine>>, request: &AccessRequest<'_>) -> Decision {
    match before.filter(|_| now.verdict < Verdict::Deny).map(|before| before.look(request)) {
        Some(old) if old.verdict > now.verdict => old,
        _ => now,
    }
}

fn stamps(maker: &PolicyMaker) -> Vec<Option<Stamp>> {
    use std::os::unix::fs::MetadataExt;
    let stamp = |path: PathBuf| {
        let meta = path.metadata().ok()?;
        Some((meta.modified().ok(), (meta.ctime(), meta.ctime_nsec()), meta.len(), meta.ino()))
    };
    maker.paths().into_iter().map(stamp).collect()
}
