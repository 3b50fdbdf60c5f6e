//! Names that must exist: permissions, tools, toolsets.

use hermes_core::Permission;
use hermes_core::names::nearest;

use super::reader::Reader;
use crate::pattern::Pattern;
use crate::profile::matchers::Wildcard;
use hermes_core::yaml::{At, quote};
use hermes_core::yaml::{Mark, Node};

impl Reader<'_> {
    /// Permission patterns of a list.
    pub(super) fn patterns(&mut self, node: &Node, what: &str) -> Option<Vec<At<Pattern>>> {
        let texts = self.texts(node, what)?;
        Some(texts.into_iter().filter_map(|(text, mark)| self.pattern(&text.value, mark)).collect())
    }

    pub(super) fn pattern(&mut self, text: &str, at: Mark) -> Option<At<Pattern>> {
        match Pattern::parse(text) {
            Ok(pattern) => Some(self.at(pattern, at)),
            Err(_) if self.is_full() => None,
            Err(_) => {
                self.error(at, format!("no such permission: {}", quote(text)), Some(meant(text)));
                None
            }
        }
    }

    /// The canonical name of a tool; an unknown one is refused.
    pub(super) fn tool(&mut self, name: &str, at: Mark) -> String {
        if !self.known.may_be_tool(name) && !self.is_full() {
            let near = nearest(name, self.known.tools.keys().map(String::as_str), 1)
                .first()
                .map(|near| format!("did you mean {near}?"));
            let hint = near.unwrap_or_else(|| "'hermes tools list' shows them".to_owned());
            self.error(at, format!("no such tool: {}", quote(name)), Some(hint));
        }
        self.known.canonical(name)
    }

    /// Tools by name or wildcard. A wildcard that meets an alias means the tool behind it.
    pub(super) fn tools(&mut self, name: &str, at: Mark) -> Vec<Wildcard> {
        let wildcard = Wildcard::new(name);
        if wildcard.is_exact() {
            return vec![Wildcard::new(self.tool(name, at))];
        }
        let met = self.known.tools.iter().filter(|(known, _)| wildcard.matches(known));
        let mut all: Vec<Wildcard> = met.map(|(_, canonical)| Wildcard::new(canonical.as_str())).collect();
        if all.is_empty()
            && !self.known.tools.is_empty()
            && !name.starts_with("mcp_")
            && !name.starts_with('*')
        {
            self.error(at, format!("no tool matches {}, so the rule can never match", quote(name)), None);
        }
        all.push(wildcard);
        all.sort();
        all.dedup();
        all
    }

    pub(super) fn toolset(&mut self, name: &str, at: Mark) -> Wildcard {
        let wildcard = Wildcard::new(name);
        let known = &self.known.toolsets;
        let met =
            known.is_empty() || name.starts_with("mcp-") || known.iter().any(|known| wildcard.matches(known));
        if !met && !self.is_full() {
            let near = nearest(name, known.iter().map(String::as_str), 1)
                .first()
                .map(|near| format!("did you mean {near}?"));
            self.error(at, format!("no such toolset: {}", quote(name)), near);
        }
        wildcard
    }
}

/// What a misspelt permission was meant to be. A hint never widens what was meant: wildcards are offered only
/// to those who wrote one.
fn meant(text: &str) -> String {
    let (domain, action) = text.split_once(':').unwrap_or((text, "*"));
    let mut actions: Vec<&str> =
        Permission::KNOWN.iter().filter_map(|known| known.strip_prefix(domain)?.strip_prefix(':')).collect();
    if actions.is_empty() {
        let domains = Permission::KNOWN.iter().filter_map(|known| known.split(':').next());
        let wild = format!("{domain}:*");
        return match nearest(domain, domains, 1).first() {
            Some(near) if action == "*" => format!("did you mean {near}:*?"),
            _ => match nearest(text, Permission::KNOWN.iter().copied().chain([wild.as_str()]), 1).first() {
                Some(near) if *near != wild => format!("did you mean {near}?"),
                _ => "write domain:action, domain:* or *".to_owned(),
            },
        };
    }
    if !text.contains(':') {
        return format!("did you mean {domain}:*?");
    }
    match nearest(action, actions.iter().copied(), 1).first() {
        Some(near) => format!("did you mean {domain}:{near}?"),
        None => {
            actions.push("*");
            format!("{domain} has {}", actions.join(", "))
        }
    }
}
