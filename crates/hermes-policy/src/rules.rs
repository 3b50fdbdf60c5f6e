//! The rule list of one level: which permissions are allowed, denied or asked, and under which roots.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobSet;
use hermes_core::{Access, AccessRequest, Decision, InnerJudge, Permission, Policy, Target, Verdict};

use crate::paths::{PathOp, PathVerdict, Places, classify};
use crate::pattern::Pattern;

/// The folders that file permissions reach. All paths are absolute and free of symlinks.
#[derive(Clone, Debug, Default)]
pub struct PathRoots {
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// Never reached by any file permission, whatever the roots say.
    pub closed: Vec<PathBuf>,
    /// Never written, wherever they are; a match on a folder covers what is beneath it.
    pub protected: GlobSet,
}

/// One level of rules. Deny beats ask beats allow, whatever the order they were written in; what no
/// rule allows is denied.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Named in decisions, so a person can find the rule.
    pub name: String,
    pub allow: Vec<Pattern>,
    pub deny: Vec<Pattern>,
    pub ask: Vec<Pattern>,
    pub roots: PathRoots,
    /// Where the table of sensitive and protected places applies; without it only the roots count.
    pub places: Option<Places>,
}

impl Policy for Rules {
    fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        let mut strictest: Option<Decision> = None;
        for access in request.access {
            let decision = self.decide_one(access);
            if strictest.as_ref().is_none_or(|found| decision.verdict > found.verdict) {
                strictest = Some(decision);
            }
        }
        strictest.unwrap_or_else(|| {
            Decision::new(Verdict::Allow, format!("{}: no access", self.name), "the call touches nothing")
        })
    }

    fn inner_judge(&self, request: &AccessRequest<'_>) -> Option<InnerJudge> {
        let differs = |access: &Access| match &access.target {
            Target::Resolved(path) => self.differs_inside(&access.permission, path),
            // Only a path can be a folder.
            _ => false,
        };
        request.access.iter().find(|access| differs(access))?;
        let rules = self.clone();
        Some(Arc::new(move |permission, path| {
            let access = Access::new(permission.clone(), Target::Resolved(path.to_owned()));
            rules.decide_one(&access)
        }))
    }
}

impl Rules {
    fn decide_one(&self, access: &Access) -> Decision {
        let decision = self.decide_by_rules(access);
        match self.by_place(access) {
            Some(found) if found.verdict > decision.verdict => found,
            _ => decision,
        }
    }

    /// Whether something in a folder may be judged otherwise than the folder.
    fn differs_inside(&self, permission: &Permission, folder: &Path) -> bool {
        self.places.is_some()
            || !self.roots.protected.is_empty()
            || self.roots.closed.iter().any(|closed| closed.starts_with(folder))
            // Who agrees to one question has not agreed to another.
            || first_match(&self.ask, permission).is_some()
    }

    /// What the table of sensitive and protected places says about a file.
    fn by_place(&self, access: &Access) -> Option<Decision> {
        // A permit for writing may name a folder, whose files are then written: the same as unpacking there.
        let op = match access.permission.as_str() {
            "file:read" => PathOp::Read,
            "file:write" => PathOp::Extract,
            "file:delete" => PathOp::Delete,
            _ => return None,
        };
        let Target::Resolved(path) = &access.target else { return None };
        let (verdict, category, reason) = match classify(path, op, self.places.as_ref()?) {
            PathVerdict::Allow => return None,
            PathVerdict::Ask { category, reason } => (Verdict::Ask, category, reason),
            PathVerdict::Deny { category, reason } => (Verdict::Deny, category, reason),
        };
        Some(self.decision(
            verdict,
            format_args!("path table {category}"),
            format!("{} {reason}", show(path)),
        ))
    }

    fn decide_by_rules(&self, access: &Access) -> Decision {
        let permission = &access.permission;
        if let Some(pattern) = first_match(&self.deny, permission) {
            let reason = format!("Permission {permission} is denied in profile {}", self.name);
            return self.decision(Verdict::Deny, format_args!("deny {pattern}"), reason);
        }
        if let Some(refused) = self.outside_roots(access) {
            return refused;
        }
        if let Some(pattern) = first_match(&self.ask, permission) {
            let reason = format!("Permission {permission} needs approval in profile {}", self.name);
            return self.decision(Verdict::Ask, format_args!("ask {pattern}"), reason);
        }
        match first_match(&self.allow, permission) {
            Some(pattern) => {
                // The most frequent answer, put together without the machinery of formats.
                let reason =
                    ["Permission ", permission.as_str(), " is allowed in profile ", &self.name].concat();
                self.decision(Verdict::Allow, format_args!("allow {pattern}"), reason)
            }
            None => {
                let reason = format!("Permission {permission} is not allowed in profile {}", self.name);
                self.decision(Verdict::Deny, "no rule allows it", reason)
            }
        }
    }

    fn outside_roots(&self, access: &Access) -> Option<Decision> {
        let (roots, verb) = match access.permission.as_str() {
            "file:read" => (&self.roots.read, "read"),
            "file:write" | "file:delete" => (&self.roots.write, "write"),
            _ => return None,
        };
        let path = match &access.target {
            Target::Resolved(path) => path,
            // A path that was not resolved cannot be judged, and what cannot be judged is denied.
            _ => {
                let reason = format!("{} has no resolved path to judge", access.permission);
                return Some(self.decision(Verdict::Deny, "unresolved path", reason));
            }
        };
        if let Some(closed) = self.roots.closed.iter().find(|closed| path.starts_with(closed)) {
            let reason = format!("{} is inside {}, which is closed to tools", show(path), show(closed));
            return Some(self.decision(Verdict::Deny, "closed path", reason));
        }
        if verb == "write" && path.ancestors().any(|part| self.roots.protected.is_match(part)) {
            let reason = format!("{} is protected from writing", show(path));
            return Some(self.decision(Verdict::Deny, "protected_paths", reason));
        }
        if roots.iter().any(|root| path.starts_with(root)) {
            return None;
        }
        let reason = format!("Path {} is outside the allowed {verb} scope", show(path));
        Some(self.decision(Verdict::Deny, format_args!("{verb}_roots"), reason))
    }

    fn decision(&self, verdict: Verdict, rule: impl Display, reason: String) -> Decision {
        Decision::new(verdict, format!("{}: {rule}", self.name), reason)
    }
}

fn first_match<'a>(patterns: &'a [Pattern], permission: &Permission) -> Option<&'a Pattern> {
    patterns.iter().find(|pattern| pattern.matches(permission))
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
