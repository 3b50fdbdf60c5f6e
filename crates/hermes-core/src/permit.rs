//! The only key that opens a handler.
//!
//! A [`Permit`] has no public constructor. It comes out of [`authorise`], which asks the policy and,
//! where the policy says so, the approver. Every path to a handler therefore carries a decision:
//!
//! ```compile_fail
//! // A permit cannot be made by hand.
//! let permit = hermes_core::Permit { granted: vec![], decision: todo!() };
//! ```
//!
//! ```compile_fail
//! // A prepared call runs in a context, and there is no context without a permit.
//! use hermes_core::{CallContext, Prepared, SessionIdentity};
//! fn sneak(prepared: Box<dyn Prepared>, session: std::sync::Arc<SessionIdentity>) {
//!     let cx = CallContext::new("id".into(), session, Default::default(), Default::default());
//!     let _ = prepared.run(cx);
//! }
//! ```
//!
//! The same with a permit compiles, so the test above fails for the right reason:
//!
//! ```
//! use hermes_core::{CallContext, Permit, Prepared, SessionIdentity};
//! fn run(prepared: Box<dyn Prepared>, session: std::sync::Arc<SessionIdentity>, permit: Permit) {
//!     let cx = CallContext::new("id".into(), session, permit, Default::default(), Default::default());
//!     let _ = prepared.run(cx);
//! }
//! ```

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::access::{Access, Permission, Target};
use crate::error::{ErrorCode, ToolError};
use crate::policy::{AccessRequest, Decision, InnerJudge, Policy, Verdict};

/// A person, a service or nobody, asked when policy says ask.
pub trait Approver: Send + Sync {
    /// Answers whether the request may go ahead, and who said so. No answer in time is a no.
    fn ask<'a>(&'a self, request: &'a AccessRequest<'a>, decision: &'a Decision) -> BoxFuture<'a, Approval>;
}

/// What the approver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    Granted {
        by: String,
    },
    Denied {
        by: String,
    },
    /// Nobody is there to ask, or nobody answered in time.
    Unanswered {
        hint: String,
    },
}

/// Proof that policy, and where needed an approver, agreed to exactly these accesses.
#[derive(Clone)]
pub struct Permit {
    granted: Arc<[Access]>,
    decision: Arc<Decision>,
    inner: Option<InnerJudge>,
    shell: Option<Arc<Path>>,
    effects: Arc<[Access]>,
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("granted", &self.granted)
            .field("decision", &self.decision)
            .finish_non_exhaustive()
    }
}

impl Permit {
    pub fn granted(&self) -> &[Access] {
        &self.granted
    }

    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Where the session's shell stood when its command was judged.
    pub fn shell(&self) -> Option<&Path> {
        self.shell.as_deref()
    }

    /// Whether somebody was asked and agreed; otherwise the rules alone did.
    pub fn is_approved(&self) -> bool {
        self.decision.verdict == Verdict::Ask
    }

    /// What its commands would themselves do, by where links led when somebody was asked. What they lead to by now
    /// nobody has agreed to.
    pub fn effects(&self) -> &[Access] {
        &self.effects
    }

    /// Whether this permit names the access: the same permission on the same target.
    pub fn covers(&self, access: &Access) -> bool {
        self.granted.iter().any(|granted| {
            granted.permission == access.permission
                && (granted.target == access.target || granted.target == Target::Any)
        })
    }

    /// Whether this permit reaches `path`: the very path, or a folder above it. The path must be free of
    /// `..` and symlinks.
    pub fn reaches(&self, permission: &Permission, path: &Path) -> bool {
        self.granted.iter().any(|granted| {
            granted.permission == *permission
                && matches!(&granted.target, Target::Resolved(root) if path.starts_with(root))
        })
    }

    /// Whether this permit opens a file that nobody named: it lies inside a granted folder and is not
    /// closed there. What was named itself was judged when the permit was made.
    pub fn opens(&self, permission: &Permission, path: &Path) -> bool {
        self.reaches(permission, path) && self.agrees(permission, path)
    }

    /// Whether nothing is said against the path, wherever it lies: for other names of what this permit reaches.
    pub fn agrees(&self, permission: &Permission, path: &Path) -> bool {
        let is_named = || {
            self.granted.iter().any(|granted| {
                granted.permission == *permission
                    && matches!(&granted.target, Target::Resolved(named) if named == path)
            })
        };
        // Whoever agreed to the folder has agreed to this reason for asking, and to no other.
        let agreed = |inner: &Decision| match inner.verdict {
            Verdict::Allow => true,
            Verdict::Ask => inner.rule == self.decision.rule,
            Verdict::Deny => false,
        };
        is_named() || self.inner.as_ref().is_none_or(|judge| agreed(&judge(permission, path)))
    }
}

/// A decision against a call: what the model reads, and the decision behind it.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub decision: Decision,
    pub error: ToolError,
}

/// A model that is told no tends to look for another way to the same end.
const NO_IS_NO: &str =
    "Do not repeat it, rephrase it or reach the same end another way; go on without it or ask.";

/// Asks policy, then the approver if policy says ask. The one place where a [`Permit`] is made.
pub async fn authorise(
    policy: &dyn Policy,
    approver: &dyn Approver,
    request: &AccessRequest<'_>,
) -> Result<Permit, Refusal> {
    let decision = policy.decide(request);
    match decision.verdict {
        Verdict::Allow => Ok(permit(policy, request, decision)),
        Verdict::Deny => Err(refusal(decision, ErrorCode::PermissionDenied, None)),
        Verdict::Ask => {
            // Looked at once, for whoever is asked and for whoever runs it: names may lead elsewhere at any moment.
            let effects = policy.effects(request);
            ask(policy, approver, &AccessRequest { effects: &effects, ..request.clone() }, decision).await
        }
    }
}

async fn ask(
    policy: &dyn Policy,
    approver: &dyn Approver,
    request: &AccessRequest<'_>,
    decision: Decision,
) -> Result<Permit, Refusal> {
    match approver.ask(request, &decision).await {
        Approval::Granted { by } => {
            // A person may take minutes, and the rules may have become stricter meanwhile.
            let now = policy.look(request);
            if now.verdict == Verdict::Deny {
                return Err(refusal(now, ErrorCode::PermissionDenied, None));
            }
            let reason = format!("{} (approved by {by})", decision.reason);
            Ok(permit(policy, request, Decision { reason, ..decision }))
        }
        Approval::Denied { by } => {
            let reason = format!("{} (refused by {by})", decision.reason);
            let hint = Some(NO_IS_NO.to_owned());
            Err(refusal(Decision { reason, ..decision }, ErrorCode::PermissionDenied, hint))
        }
        Approval::Unanswered { hint } => Err(refusal(decision, ErrorCode::ApprovalRequired, Some(hint))),
    }
}

fn permit(policy: &dyn Policy, request: &AccessRequest<'_>, decision: Decision) -> Permit {
    let names_path = |access: &Access| matches!(access.target, Target::Resolved(_));
    let inner = if request.access.iter().any(names_path) { policy.inner_judge(request) } else { None };
    let shell = request.shell.map(Arc::from);
    // Hardly any call has them, and an empty list needs no memory of its own.
    let effects = match request.effects {
        [] => Arc::default(),
        found => found.iter().map(|effect| effect.access.clone()).collect(),
    };
    Permit { granted: request.access.into(), decision: Arc::new(decision), inner, shell, effects }
}

fn refusal(decision: Decision, code: ErrorCode, hint: Option<String>) -> Refusal {
    let mut error = ToolError::new(code, decision.reason.clone()).with_field("rule", decision.rule.clone());
    if let Some(permission) = &decision.permission {
        error = error.with_field("permission", permission.as_str());
    }
    if let Some(profile) = &decision.profile {
        error = error.with_field("profile", profile.as_str());
    }
    error.hint = hint.or_else(|| decision.hint.clone());
    Refusal { decision, error }
}
