//! Rules whose conditions no call can meet together.

use super::possible::{Tool, tools};
use crate::pattern::Pattern;
use crate::profile::ground::Known;
use crate::profile::matchers::{Argument, ArgumentTest, CommandPattern};
use crate::profile::model::{Body, Rule};
use hermes_core::yaml::{Place, Problem, quote};

/// Command patterns of restrictions that no command meets.
pub(super) fn commands(body: &Body) -> Vec<Problem> {
    let lists = body.restrictions.iter().flat_map(|restriction| {
        restriction.allowed_commands.iter().flatten().chain(&restriction.denied_commands)
    });
    let dead = lists.filter(|pattern| !pattern.value.can_match());
    dead.map(|pattern| never(&pattern.at, no_command(&pattern.value), COMMAND_HINT)).collect()
}

const COMMAND_HINT: &str = "write the words of a command, with * and ? for what may vary";

fn no_command(pattern: &CommandPattern) -> String {
    format!("no command is {}", quote(pattern.text()))
}

pub(super) fn rules(body: &Body, known: &Known) -> Vec<Problem> {
    body.rules.iter().filter_map(|rule| rule_problem(rule, known)).collect()
}

/// What the body of one tool says about permissions that the tool never uses.
pub(super) fn of_tool(name: &str, body: &Body, known: &Known) -> Vec<Problem> {
    let Some(tool) = known.facts.get(name) else { return Vec::new() };
    let lists = body.allow.iter().flatten().chain(&body.deny).chain(&body.approval_required);
    let all = lists.chain(body.restrictions.iter().map(|restriction| &restriction.permission));
    let idle = all.filter(|pattern| !tool.may_use(&pattern.value));
    idle.map(|pattern| {
        never(&pattern.at, format!("{name} never uses {}", pattern.value), "remove it, or name another tool")
    })
    .collect()
}

fn rule_problem(rule: &Rule, known: &Known) -> Option<Problem> {
    let met = by_targets(rule).or_else(|| by_tool(rule, known));
    let met = met.or_else(|| {
        let all_dead = !rule.command.is_empty() && !rule.command.iter().any(CommandPattern::can_match);
        let dead = rule.command.first().filter(|_| all_dead)?;
        Some((no_command(dead), COMMAND_HINT))
    });
    let (why, hint) = met.or_else(|| {
        let impossible = rule.argument.iter().find(|argument| is_regex_without_match(argument))?;
        Some((format!("no text can match {impossible}"), "an expression matches the whole value already"))
    })?;
    Some(never(&rule.at, why, hint))
}

fn never(at: &Place, why: String, hint: &str) -> Problem {
    Problem::warning(at.clone(), format!("this can never match: {why}")).with_hint(hint)
}

/// One access has one target: a path, a host or a command, as its permission says.
fn by_targets(rule: &Rule) -> Option<(String, &'static str)> {
    let conditions = [
        ("path", !rule.path.is_empty(), "file"),
        ("host", !rule.host.is_empty(), "network"),
        ("command", !rule.command.is_empty(), "terminal"),
    ];
    let mut given = conditions.into_iter().filter(|(_, given, _)| *given);
    let (what, _, domain) = given.next()?;
    if let Some((other, ..)) = given.next() {
        return Some((format!("nothing has a {what} and a {other}"), "write two rules"));
    }
    let strange = |pattern: &Pattern| {
        let own = ["file", "network", "terminal"];
        pattern.domain().is_some_and(|named| named != domain && own.contains(&named))
    };
    let all_strange = !rule.permission.is_empty() && rule.permission.iter().all(strange);
    let permission = rule.permission.first().filter(|_| all_strange)?;
    Some((format!("{permission} has no {what}"), "write a permission of what the condition is about"))
}

/// What is known about the tools that the rule names.
fn by_tool(rule: &Rule, known: &Known) -> Option<(String, &'static str)> {
    let tools = tools(rule, known)?;
    let names = || tools.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let none = |fits: &dyn Fn(&Tool<'_>) -> bool| !tools.iter().any(|(_, tool)| fits(tool));
    if !rule.server.is_empty() && none(&|tool| !tool.known.built_in) {
        return Some((format!("{} comes from no server", names()), "leave out the server"));
    }
    if !rule.toolset.is_empty() && none(&|tool| tool.is_in(&rule.toolset)) {
        return Some((format!("{} is not in that toolset", names()), "leave out the toolset"));
    }
    let uses = |tool: &Tool<'_>| rule.permission.iter().any(|pattern| tool.known.may_use(pattern));
    if !rule.permission.is_empty() && none(&uses) {
        return Some((format!("{} never uses that permission", names()), "name another tool or permission"));
    }
    let met = |tool: &Tool<'_>| rule.argument.iter().all(|argument| tool.may_have(argument));
    let missing = rule.argument.iter().find(|argument| none(&|tool| tool.may_have(argument)));
    if !rule.argument.is_empty() && none(&met) {
        let what = missing.map_or_else(|| "these arguments".to_owned(), ToString::to_string);
        return Some((
            format!("{} takes no argument where {what}", names()),
            "'hermes tools show' lists them",
        ));
    }
    None
}

fn is_regex_without_match(argument: &Argument) -> bool {
    match &argument.test {
        ArgumentTest::Regex(regex) => super::regexes::never_matches(regex.as_str()),
        ArgumentTest::Glob(_) | ArgumentTest::In(_) => false,
    }
}
