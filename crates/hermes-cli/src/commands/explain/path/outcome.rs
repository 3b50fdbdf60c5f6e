//! What was found about a case.

use std::path::PathBuf;

use hermes_core::Verdict;
use hermes_policy::paths::PathVerdict;

/// The strictest finding decides; all reasons are kept.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) category: Option<String>,
    pub(super) reasons: Vec<String>,
    pub(super) resolved: Option<PathBuf>,
    /// Nothing forbids it, but it would fail, or stay within bounds that it tries to leave.
    pub(super) kept: Option<Kept>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Inside,
    Failed,
}

impl Outcome {
    pub(super) fn allow() -> Self {
        Outcome { verdict: Verdict::Allow, category: None, reasons: Vec::new(), resolved: None, kept: None }
    }

    pub(super) fn deny(category: &str, reason: &str) -> Self {
        Outcome {
            verdict: Verdict::Deny,
            category: Some(category.to_owned()),
            reasons: vec![reason.to_owned()],
            ..Outcome::allow()
        }
    }

    /// Policy would let it pass, but it fails all the same.
    pub(super) fn fails(category: &str, reason: &str) -> Self {
        Outcome { kept: Some(Kept::Failed), ..Outcome::deny(category, reason) }
    }

    pub(super) fn of(verdict: &PathVerdict) -> Self {
        Outcome {
            verdict: verdict.verdict(),
            category: verdict.category().map(str::to_owned),
            reasons: verdict.reason().map(str::to_owned).into_iter().collect(),
            ..Outcome::allow()
        }
    }

    /// Takes another finding in.
    pub(super) fn add(&mut self, other: Outcome) {
        // That a rule forbids it says more than that it would fail.
        let is_firmer =
            self.kept == Some(Kept::Failed) && other.verdict > Verdict::Allow && other.kept.is_none();
        if other.verdict > self.verdict || is_firmer {
            (self.verdict, self.category, self.kept) = (other.verdict, other.category, other.kept);
            self.reasons.splice(0..0, other.reasons);
        } else {
            self.reasons.extend(
                other.reasons.into_iter().filter(|reason| !self.reasons.contains(reason)).collect::<Vec<_>>(),
            );
        }
        self.resolved = self.resolved.take().or(other.resolved);
        if self.verdict == Verdict::Allow {
            self.kept = self.kept.or(other.kept);
        }
    }

    pub(super) fn is_allowed(&self) -> bool {
        self.verdict == Verdict::Allow
    }

    /// In the words of the security cases.
    pub(super) fn decision(&self) -> &'static str {
        match (self.verdict, self.kept) {
            (_, Some(Kept::Failed)) => "error_contained",
            (Verdict::Allow, Some(Kept::Inside)) => "contained",
            (Verdict::Allow, None) => "allow",
            (Verdict::Ask | Verdict::Deny, _) => "deny",
        }
    }
}
