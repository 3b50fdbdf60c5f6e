//! `restrictions`: limits on how a permission may be used.

use super::reader::Reader;
use crate::pattern::Pattern;
use crate::profile::matchers::{CommandPattern, HostPattern, PathGlob};
use crate::profile::model::{OfCommands, Restriction};
use hermes_core::yaml::{At, Key, Kind, Mark, Node, quote};

const KEYS: &[&str] = &[
    "allowed_paths",
    "denied_paths",
    "allowed_commands",
    "denied_commands",
    "allowed_hosts",
    "denied_hosts",
    "allowed_methods",
    "max_bytes",
    "max_calls_per_minute",
    "commands",
];

const METHODS: &[&str] = &["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

/// Actions that bring nothing with them whose bytes could be counted before the call runs.
const BRINGS_NOTHING: &[&str] = &["read", "delete", "search", "dns", "reveal"];

impl Reader<'_> {
    pub(super) fn restrictions(&mut self, node: &Node) -> Vec<Restriction> {
        let entries = self.entries(node, "restrictions");
        entries
            .into_iter()
            .filter_map(|(key, value)| {
                let permission = self.pattern(&key.name, key.at)?;
                Some(self.restriction(key, permission, value))
            })
            .collect()
    }

    fn restriction(&mut self, key: &Key, permission: At<Pattern>, node: &Node) -> Restriction {
        let what = format!("the restriction of {}", key.name);
        let entries = self.table(node, &what, KEYS);
        if node.is_null() || matches!(&node.kind, Kind::Map(entries) if entries.is_empty()) {
            self.error(key.at, format!("{what} limits nothing"), Some("remove it".to_owned()));
        }
        let mut restriction = Restriction::on(permission);
        for (key, value) in entries {
            let what = key.name.as_str();
            match what {
                "allowed_paths" => restriction.allowed_paths = self.each(value, what, Self::path),
                "denied_paths" => {
                    restriction.denied_paths = self.each(value, what, Self::path).unwrap_or_default()
                }
                "allowed_commands" => {
                    restriction.allowed_commands = self.each(value, what, Self::allowed_command)
                }
                "denied_commands" => {
                    restriction.denied_commands = self.each(value, what, Self::command).unwrap_or_default();
                }
                "allowed_hosts" => restriction.allowed_hosts = self.each(value, what, Self::host),
                "denied_hosts" => {
                    restriction.denied_hosts = self.each(value, what, Self::host).unwrap_or_default()
                }
                "allowed_methods" => {
                    let methods = self.each(value, what, Self::method).unwrap_or_default();
                    let methods = methods.into_iter().map(|method| method.value).collect();
                    restriction.allowed_methods = Some(self.at(methods, value.at));
                }
                "commands" => restriction.commands = self.of_commands(value),
                "max_bytes" => restriction.max_bytes = self.max_bytes(key, &restriction, value),
                _ => {
                    restriction.max_calls_per_minute =
                        self.whole(value, what, 1, 100_000).and_then(|number| {
                            Some(At { value: u32::try_from(number.value).ok()?, at: number.at })
                        });
                }
            }
        }
        restriction
    }

    /// The items of a list, each read by `read`. A list that cannot be read counts as an empty one, so an
    /// allowed list that is broken allows nothing.
    fn each<T>(
        &mut self,
        node: &Node,
        what: &str,
        read: impl Fn(&mut Self, &str, Mark) -> Option<T>,
    ) -> Option<Vec<At<T>>> {
        let texts = self.texts(node, what).unwrap_or_default();
        let read = |(text, mark): (At<String>, Mark)| {
            let value = read(self, &text.value, mark)?;
            Some(At { value, at: text.at })
        };
        Some(texts.into_iter().filter_map(read).collect())
    }

    pub(super) fn path(&mut self, text: &str, at: Mark) -> Option<PathGlob> {
        let glob = PathGlob::parse(text, self.ground);
        glob.map_err(|why| self.error(at, format!("the path {} {why}", quote(text)), None)).ok()
    }

    pub(super) fn host(&mut self, text: &str, at: Mark) -> Option<HostPattern> {
        let host = HostPattern::parse(text);
        host.map_err(|why| self.error(at, format!("the host {} {why}", quote(text)), None)).ok()
    }

    pub(super) fn command(&mut self, text: &str, at: Mark) -> Option<CommandPattern> {
        let command = CommandPattern::parse(text, self.ground);
        command.map_err(|why| self.error(at, format!("the command {} {why}", quote(text)), None)).ok()
    }

    /// A command that lets something through must be one simple command that cannot start others.
    pub(super) fn allowed_command(&mut self, text: &str, at: Mark) -> Option<CommandPattern> {
        let command = self.command(text, at)?;
        match command.why_not_allowed() {
            Some(why) => {
                self.error(at, format!("the command {} {why}", quote(text)), None);
                None
            }
            None => Some(command),
        }
    }

    fn of_commands(&mut self, node: &Node) -> OfCommands {
        match self.text(node, "commands").map(|text| text.value).as_deref() {
            Some("analysed") => OfCommands::Analysed,
            Some("listed") | None => OfCommands::Listed,
            Some(other) => {
                self.error(
                    node.at,
                    format!("commands must be listed or analysed, not {}", quote(other)),
                    None,
                );
                OfCommands::Listed
            }
        }
    }

    fn method(&mut self, text: &str, at: Mark) -> Option<String> {
        let method = text.to_ascii_uppercase();
        if METHODS.contains(&method.as_str()) {
            return Some(method);
        }
        self.error(
            at,
            format!("no such method: {}", quote(text)),
            Some(format!("known: {}", METHODS.join(", "))),
        );
        None
    }

    fn max_bytes(&mut self, key: &Key, restriction: &Restriction, node: &Node) -> Option<At<u64>> {
        let action = restriction.permission.value.action().unwrap_or_default();
        if BRINGS_NOTHING.contains(&action) {
            let hint = "limits.result_chars and tools.max_result_chars bound what a call may bring back";
            let message = format!(
                "max_bytes limits what a call writes or sends, and {} does neither",
                restriction.permission.value
            );
            self.error(key.at, message, Some(hint.to_owned()));
            return None;
        }
        self.whole(node, "max_bytes", 0, u64::MAX)
    }
}
