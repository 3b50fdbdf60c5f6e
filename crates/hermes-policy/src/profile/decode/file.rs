//! A whole policy text: `global`, `tools` and `profiles`.

use std::sync::Arc;

use hermes_core::yaml::{self, Budget, Key, Mark, Node, Problem, quote};

use super::body::BODY;
use super::reader::Reader;
use crate::profile::ground::{Ground, Known};
use crate::profile::model::{PolicyFile, Profile, ToolBody};

/// A long policy takes some tens of kilobytes.
const BUDGET: Budget = Budget { what: "a policy", max_bytes: 512 << 10 };

const TOP: &[&str] = &["global", "tools", "profiles"];
const PROFILE: &[&str] = &[
    "description",
    "extends",
    "unattended",
    "tools",
    "allow",
    "deny",
    "approval_required",
    "restrictions",
    "rules",
];

/// Reads a policy text, or says everything that is wrong with it. `name` is what messages call the text.
pub fn read_policy(
    name: &str,
    text: &str,
    ground: &Ground,
    known: &Known,
) -> Result<PolicyFile, Vec<Problem>> {
    let mut reader = Reader { yaml: yaml::Reader::new(name), ground, known };
    let file = reader.root(text, BUDGET).map(|root| reader.file_of(&root));
    reader.yaml.finish(file)
}

impl Reader<'_> {
    fn file_of(&mut self, root: &Node) -> PolicyFile {
        let mut file = PolicyFile {
            name: Arc::clone(&self.file),
            global: None,
            tools: Vec::new(),
            profiles: Vec::new(),
        };
        if root.is_null() {
            // Half-written files are empty for a moment, and an empty one must not stand for "no rules".
            let hint = "write profiles: {…}, or remove the file to use the built-in profiles";
            self.error(Mark { line: 1, column: 1 }, "the policy is empty", Some(hint.to_owned()));
            return file;
        }
        for (key, node) in self.table(root, "a policy", TOP) {
            match key.name.as_str() {
                "global" => {
                    let entries = self.table(node, "global", BODY);
                    file.global = Some(Arc::new(self.body(&entries)));
                }
                "tools" => file.tools = self.tool_bodies(node),
                _ => {
                    let profiles = self.entries(node, "profiles");
                    file.profiles =
                        profiles.into_iter().map(|(key, node)| Arc::new(self.profile(key, node))).collect();
                }
            }
        }
        file
    }

    fn profile(&mut self, key: &Key, node: &Node) -> Profile {
        if !is_name(&key.name) {
            let hint = "use letters, digits, - and _".to_owned();
            self.error(key.at, format!("{} is no name for a profile", quote(&key.name)), Some(hint));
        }
        let entries = self.table(node, &format!("profile {}", key.name), PROFILE);
        let mut profile = Profile {
            name: key.name.clone(),
            at: self.place(key.at),
            description: None,
            extends: Vec::new(),
            unattended: false,
            body: Arc::new(self.body(&entries)),
            tools: Vec::new(),
        };
        for (key, node) in entries {
            match key.name.as_str() {
                "description" => profile.description = self.text(node, "description").map(|text| text.value),
                "extends" => {
                    profile.extends =
                        self.one_or_more(node, "extends").into_iter().map(|(name, _)| name).collect();
                }
                "unattended" => profile.unattended = self.switch(node, "unattended"),
                "tools" => profile.tools = self.tool_bodies(node),
                _ => {}
            }
        }
        profile
    }

    fn tool_bodies(&mut self, node: &Node) -> Vec<ToolBody> {
        let mut bodies: Vec<ToolBody> = Vec::new();
        for (key, node) in self.entries(node, "tools") {
            let tool = self.tool(&key.name, key.at);
            if let Some(first) = bodies.iter().find(|body| body.tool.value == tool) {
                let hint = format!("line {} speaks of it under another name", first.tool.at.line);
                self.error(key.at, format!("{tool} is written twice"), Some(hint));
            }
            let entries = self.table(node, &format!("tool {}", key.name), BODY);
            let body = Arc::new(self.body(&entries));
            bodies.push(ToolBody { tool: self.at(tool, key.at), body });
        }
        bodies
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}
