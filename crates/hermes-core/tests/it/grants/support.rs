//! Calls and grants of which tests change one thing.

use std::collections::BTreeMap;
use std::path::Path;

use hermes_core::grant::{Binding, Facts, Grant, NamedFile, Pattern, Scope};
use hermes_core::{Access, AccessRequest, Owner, Permission, Target};
use serde_json::{Value, json};

/// A call and its surroundings; tests change one thing.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) owner: Owner,
    pub(super) arguments: Value,
    pub(super) access: Vec<Access>,
    pub(super) actor: &'static str,
    pub(super) session: &'static str,
    pub(super) cwd: &'static str,
    pub(super) overlay: BTreeMap<String, Option<String>>,
    pub(super) files: Vec<NamedFile>,
}

pub(super) fn command(text: &str) -> Call {
    Call {
        tool: "terminal",
        owner: Owner::BuiltIn,
        arguments: json!({"command": text}),
        access: vec![Access::new(Permission::TERMINAL_EXECUTE, Target::Command(text.into()))],
        actor: "user",
        session: "s",
        cwd: "/w",
        overlay: BTreeMap::new(),
        files: Vec::new(),
    }
}

pub(super) fn touching(access: Vec<Access>) -> Call {
    Call { tool: "write_file", arguments: json!({}), access, ..command("") }
}

impl Call {
    pub(super) fn with<T>(&self, look: impl FnOnce(&AccessRequest<'_>) -> T) -> T {
        look(&AccessRequest {
            call_id: "c",
            tool: self.tool,
            toolset: "t",
            owner: &self.owner,
            session: self.session,
            actor: self.actor,
            cwd: Path::new(self.cwd),
            shell: None,
            access: &self.access,
            arguments: &self.arguments,
            effects: &[],
        })
    }

    pub(super) fn once(&self) -> String {
        self.with(|request| Binding { request, overlay: &self.overlay, files: &self.files }.once())
    }

    pub(super) fn call(&self) -> String {
        self.with(|request| Binding { request, overlay: &self.overlay, files: &self.files }.call())
    }

    pub(super) fn facts<T>(&self, look: impl FnOnce(&Facts<'_>) -> T) -> T {
        // The text stands in for its hash.
        let exact = self.call();
        self.with(|request| {
            look(&Facts { request, session: self.session, exact: &exact, files: &self.files, now_ms: 100 })
        })
    }

    pub(super) fn covered_by(&self, grant: &Grant) -> bool {
        self.facts(|facts| grant.covers(facts))
    }
}

pub(super) fn grant(pattern: Pattern) -> Grant {
    Grant {
        id: "g".into(),
        created_ms: 0,
        created_by: "ann".into(),
        tool: "terminal".into(),
        permission: None,
        pattern,
        files: Vec::new(),
        scope: Scope::Always,
        actor: None,
        uses_left: None,
        uses: 0,
        expires_ms: None,
        reason: String::new(),
        revoked_ms: None,
        last_used_ms: None,
    }
}

pub(super) fn prefix(words: &[&str]) -> Grant {
    grant(Pattern::Prefix(words.iter().map(|word| (*word).to_owned()).collect()))
}
