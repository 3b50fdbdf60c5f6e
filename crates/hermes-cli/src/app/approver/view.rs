//! The question as a person sees it on the terminal.

use hermes_core::text::{head_tail, visible};
use serde_json::Value;

use super::allowlist::Allowlist;
use super::asked::Asked;
use super::count::grouped;
use super::show::{hidden_characters, marked};
use super::terms::{Reach, Terms, rule_text};
use crate::render::Style;

/// Characters of the command or the arguments that are shown unasked.
const LONGEST: usize = 6_000;

/// What always does to a command that depends on nothing but its letters.
const LISTED: &str =
    "adds the command to command_allowlist of your configuration, for everybody and everywhere";

/// The page, and how much of what would run it leaves out.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) hidden: usize,
}

/// The question with the keys that answer it; with `whole`, every byte however many.
pub(super) fn page(asked: &Asked<'_>, whole: bool, style: Style) -> Page {
    let Page { mut text, hidden } = facts(asked, whole, style);
    for line in choices(asked, style) {
        text.push('\n');
        text.push_str(&line);
    }
    text.push('\n');
    Page { text, hidden }
}

/// What is asked and everything that is known about it.
pub(super) fn facts(asked: &Asked<'_>, whole: bool, style: Style) -> Page {
    let (subject, spans) = match asked.command() {
        Some(command) => (command.to_owned(), asked.findings().iter().map(|finding| finding.span).collect()),
        None => (arguments(asked.request.arguments), Vec::new()),
    };
    let mut lines = vec![String::new(), style.bold(&title(asked)), String::new()];
    let hidden = match head_tail(&subject, LONGEST).filter(|_| !whole) {
        None => {
            lines.extend(body(&subject, &spans, style));
            0
        }
        Some((head, tail)) => {
            let (start, hidden) = (subject.len() - tail.len(), subject.len() - head.len() - tail.len());
            let later: Vec<_> = spans
                .iter()
                .filter(|span| span.0 >= start)
                .map(|span| (span.0 - start, span.1 - start))
                .collect();
            lines.extend(body(head, &spans, style));
            let gap = format!(
                "  ⋮ {} of {} bytes are not shown here ⋮",
                grouped(hidden as u64),
                grouped(subject.len() as u64)
            );
            lines.push(style.warning(&gap));
            lines.extend(body(tail, &later, style));
            hidden
        }
    };
    let other = asked.command().and_then(|command| beside(asked.request.arguments, command));
    lines.extend(other.into_iter().flat_map(|text| body(&text, &[], style)));
    lines.push(String::new());
    lines.extend(hidden_characters(&subject).map(|text| fact("careful", &text, |text| style.warning(text))));
    for finding in asked.findings() {
        lines
            .push(fact("risk", &format!("{}: {}", finding.category, finding.reason), |text| style.bad(text)));
    }
    lines.extend(asked.warning.iter().map(|text| fact("advice", text, |text| style.bad(text))));
    let once = asked.unsure.as_ref().and_then(|_| asked.once_only());
    lines.extend(once.iter().map(|text| fact("once", text, |text| style.warning(text))));
    let plain = |text: &str| text.to_owned();
    lines.extend(asked.effects.iter().map(|effect| fact("does", effect, plain)));
    // Where everything is on another machine, the folder here says nothing.
    let is_here = asked.request.access.iter().any(|access| access.place.is_none());
    if is_here || asked.request.access.is_empty() {
        let folder = asked.request.shell.unwrap_or(asked.request.cwd);
        lines.push(fact("in", &folder.display().to_string(), plain));
    }
    lines.push(fact("why", &format!("{} ({})", asked.decision.reason, asked.decision.rule), plain));
    lines.push(String::new());
    Page { text: lines.join("\n"), hidden }
}

fn title(asked: &Asked<'_>) -> String {
    let request = asked.request;
    let what =
        if asked.command().is_some() { "wants to run this command" } else { "wants to be called with this" };
    visible(&format!("{} {what} ({}, session {})", request.tool, request.actor, request.session))
}

fn body(text: &str, spans: &[(usize, usize)], style: Style) -> Vec<String> {
    marked(text, spans, style).into_iter().map(|line| format!("  {} {line}", style.dim("│"))).collect()
}

fn fact(label: &str, text: &str, paint: impl Fn(&str) -> String) -> String {
    let text = visible(text).replace('\n', " ");
    format!("  {label:<8} {}", paint(&text))
}

fn choices(asked: &Asked<'_>, style: Style) -> Vec<String> {
    let line = |key: &str, name: &str, text: &str| {
        format!("  [{}] {name:<10} {}", style.accent(key), style.dim(&visible(text).replace('\n', "⏎")))
    };
    let mut lines = Vec::new();
    if asked.once_only().is_none() {
        lines.push(format!(
            "  {} {}",
            style.dim("rule"),
            visible(&rule_text(asked.subject())).replace('\n', "⏎")
        ));
    }
    lines.push(line("o", "once", "nothing is stored"));
    if asked.once_only().is_none() {
        let place = |reach: Reach| Terms::reaching(reach).describe(asked.subject());
        let always = Terms::reaching(Reach::Always).grant(asked.subject(), "", "");
        let is_listed = always.is_some_and(|new| Allowlist::can_hold(&new));
        lines.push(line(
            "t",
            "N times",
            &format!("stores the rule {}, N times in all", place(Reach::Project)),
        ));
        lines.push(line(
            "u",
            "until",
            &format!("stores the rule {}, for a time such as 10m", place(Reach::Project)),
        ));
        for (key, name, reach) in [
            ("s", "session", Reach::Session),
            ("p", "project", Reach::Project),
            ("a", "always", Reach::Always),
        ] {
            let text = match reach {
                Reach::Always if is_listed => LISTED.to_owned(),
                reach => format!("stores the rule {}", place(reach)),
            };
            lines.push(line(key, name, &text));
        }
    }
    lines.push(line("d", "deny", "the default; n and no mean it too"));
    lines
}

/// Arguments other than the command, if they say anything.
fn beside(arguments: &Value, command: &str) -> Option<String> {
    let others = arguments
        .as_object()?
        .iter()
        .filter(|(_, value)| value.as_str() != Some(command) && !value.is_null());
    let lines: Vec<String> = others.map(|(name, value)| format!("{name}: {value}")).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Texts with their own line ends, everything else as JSON. Lines of a text are marked, so that none of them can
/// pass for another argument.
fn arguments(arguments: &Value) -> String {
    let Some(fields) = arguments.as_object().filter(|fields| !fields.is_empty()) else {
        return arguments.to_string();
    };
    let shown = |(name, value): (&String, &Value)| match value {
        Value::String(text) if text.contains('\n') => {
            format!("{name}:\n| {}", text.replace('\n', "\n| "))
        }
        other => format!("{name}: {other}"),
    };
    fields.iter().map(shown).collect::<Vec<_>>().join("\n")
}
