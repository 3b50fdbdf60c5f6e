//! The body of a level: lists, restrictions and rules.

use super::reader::Reader;
use crate::profile::model::Body;
use hermes_core::yaml::{Key, Node};

/// The keys that every level has.
pub(super) const BODY: &[&str] = &["allow", "deny", "approval_required", "restrictions", "rules"];

impl Reader<'_> {
    /// A body from its entries; keys that are not a body's are the caller's.
    pub(super) fn body(&mut self, entries: &[(&Key, &Node)]) -> Body {
        let mut body = Body::default();
        for (key, node) in entries {
            match key.name.as_str() {
                // A list that cannot be read still closes the level: nothing is allowed by mistake.
                "allow" => body.allow = Some(self.patterns(node, "allow").unwrap_or_default()),
                "deny" => body.deny = self.patterns(node, "deny").unwrap_or_default(),
                "approval_required" => {
                    body.approval_required = self.patterns(node, "approval_required").unwrap_or_default();
                }
                "restrictions" => body.restrictions = self.restrictions(node),
                "rules" => {
                    let items = self.list(node, "rules").unwrap_or_default();
                    body.rules = items.iter().filter_map(|item| self.rule(item)).collect();
                }
                _ => {}
            }
        }
        self.contradictions(&body);
        body
    }
}
