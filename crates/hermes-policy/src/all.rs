//! Several levels at once: a child never exceeds its parent.

use std::sync::Arc;

use hermes_core::{AccessRequest, CommandEffect, Decision, InnerJudge, Offer, Policy, Verdict};

/// Agrees only to what every level agrees to. Levels are held by reference, so a parent that is
/// narrowed later narrows its children at once.
pub struct All {
    levels: Vec<Arc<dyn Policy>>,
}

impl All {
    pub fn of(levels: impl IntoIterator<Item = Arc<dyn Policy>>) -> Self {
        All { levels: levels.into_iter().collect() }
    }
}

impl Policy for All {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        strictest(self.levels.iter().map(|level| level.decide(request)))
    }

    fn look(&self, request: &AccessRequest<'_>) -> Decision {
        strictest(self.levels.iter().map(|level| level.look(request)))
    }

    fn effects(&self, request: &AccessRequest<'_>) -> Vec<CommandEffect> {
        // Every level that reads commands reads the same in them; what they say about a place may differ.
        let found = self.levels.iter().map(|level| level.effects(request)).find(|found| !found.is_empty());
        let mut found = found.unwrap_or_default();
        for effect in found.iter_mut().filter(|effect| effect.led.is_some()) {
            let access = std::slice::from_ref(&effect.access);
            effect.led = Some(self.look(&AccessRequest { access, ..request.clone() }).verdict);
        }
        found
    }

    fn singled_out(&self) -> Vec<String> {
        let mut patterns: Vec<String> = self.levels.iter().flat_map(|level| level.singled_out()).collect();
        patterns.sort();
        patterns.dedup();
        patterns
    }

    fn may_ask(&self) -> bool {
        self.levels.iter().all(|level| level.may_ask())
    }

    fn shuts_out(&self, offer: &Offer<'_>) -> Option<Decision> {
        self.levels.iter().find_map(|level| level.shuts_out(offer))
    }

    fn generation(&self) -> u64 {
        self.levels.iter().fold(0, |all, level| all.wrapping_mul(31).wrapping_add(level.generation()))
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        let judges: Vec<InnerJudge> =
            self.levels.iter().filter_map(|level| level.inner_judge(request)).collect();
        (!judges.is_empty()).then(|| -> InnerJudge {
            Arc::new(move |permission, path| strictest(judges.iter().map(|judge| judge(permission, path))))
        })
    }
}

fn strictest(decisions: impl Iterator<Item = Decision>) -> Decision {
    decisions
        .reduce(|strictest, next| if next.verdict > strictest.verdict { next } else { strictest })
        .unwrap_or_else(|| Decision::new(Verdict::Deny, "no policy", "no policy is in force"))
}
