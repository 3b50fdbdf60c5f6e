//! The same thing allowed and denied by one level: somebody meant one of the two, and nobody can tell which.

use std::collections::HashMap;

use hermes_core::Verdict;

use super::reader::Reader;
use crate::profile::model::{Body, Restriction, word};
use hermes_core::yaml::{At, Place, Problem};

impl Reader<'_> {
    pub(super) fn contradictions(&mut self, body: &Body) {
        let allow = body.allow.as_deref().unwrap_or_default();
        self.both(allow, &body.deny, ToString::to_string, "allow and deny both name");
        for restriction in &body.restrictions {
            self.in_restriction(restriction);
        }
        let mut seen: HashMap<String, (Verdict, Place)> = HashMap::new();
        for rule in &body.rules {
            match seen.get(&rule.conditions()) {
                Some((effect, first)) if *effect != rule.effect => {
                    let message = format!(
                        "this rule says {} to what line {} says {} to",
                        word(rule.effect),
                        first.line,
                        word(*effect)
                    );
                    self.contradiction(&rule.at, message);
                }
                Some(_) => {}
                None => {
                    seen.insert(rule.conditions(), (rule.effect, rule.at.clone()));
                }
            }
        }
    }

    fn in_restriction(&mut self, restriction: &Restriction) {
        let allowed = restriction.allowed_paths.as_deref().unwrap_or_default();
        self.both(
            allowed,
            &restriction.denied_paths,
            |path| path.text().to_owned(),
            "allowed_paths and denied_paths both name",
        );
        let allowed = restriction.allowed_commands.as_deref().unwrap_or_default();
        self.both(
            allowed,
            &restriction.denied_commands,
            |command| command.text().to_owned(),
            "allowed_commands and denied_commands both name",
        );
        let allowed = restriction.allowed_hosts.as_deref().unwrap_or_default();
        self.both(
            allowed,
            &restriction.denied_hosts,
            ToString::to_string,
            "allowed_hosts and denied_hosts both name",
        );
    }

    fn both<T>(&mut self, allowed: &[At<T>], denied: &[At<T>], text: impl Fn(&T) -> String, what: &str) {
        for second in denied {
            let name = text(&second.value);
            if let Some(first) = allowed.iter().find(|first| text(&first.value) == name) {
                let message = format!("{what} {name} (line {})", first.at.line);
                self.contradiction(&second.at, message);
            }
        }
    }

    fn contradiction(&mut self, at: &Place, message: String) {
        if self.is_full() {
            return;
        }
        self.problems.push(Problem::error(at.clone(), message).with_hint("remove one of the two"));
    }
}
