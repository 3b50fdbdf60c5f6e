//! Judgements as people read them.

use hermes_core::Verdict;
use hermes_core::text::visible;
use hermes_policy::profile::{Answer, Explanation, LevelAnswers};

use crate::render::Style;

pub(super) fn verdict(verdict: Verdict, style: Style) -> String {
    let word = word(verdict);
    match verdict {
        Verdict::Allow => style.good(word),
        Verdict::Ask => style.warning(word),
        Verdict::Deny => style.bad(word),
    }
}

pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}

/// Per access: every level's answer, then the decision with its rule and reason.
pub(super) fn explanation(explanation: &Explanation, style: Style) -> String {
    let mut text = String::new();
    for judged in &explanation.accesses {
        let what = judged.access.as_ref().map_or_else(|| "touches nothing".to_owned(), ToString::to_string);
        text.push_str(&format!("  {}\n", style.accent(&visible(&what).replace('\n', "\\n"))));
        for level in &judged.levels {
            text.push_str(&level_lines(level, style));
        }
        let decision = &judged.decision;
        text.push_str(&format!(
            "    = {} by {}\n      {}\n",
            verdict(decision.verdict, style),
            visible(&decision.rule),
            visible(&decision.reason)
        ));
        if let Some(hint) = &decision.hint {
            text.push_str(&format!("      {}\n", style.dim(&visible(hint))));
        }
    }
    if explanation.accesses.len() > 1 {
        let decision = &explanation.decision;
        text.push_str(&format!("  = {} for the whole call\n", verdict(decision.verdict, style)));
    }
    for limit in &explanation.limits {
        text.push_str(&format!("  at most {} calls a minute by {}\n", limit.per_minute, limit.rule));
    }
    text
}

fn level_lines(level: &LevelAnswers, style: Style) -> String {
    let name = if *level.name == *level.level.as_str() {
        level.level.as_str().to_owned()
    } else {
        format!("{} {}", level.level, level.name)
    };
    if level.answers.is_empty() {
        return format!("    {name:<26} {}\n", style.dim("no opinion"));
    }
    level.answers.iter().map(|answer| answer_line(&name, answer, style)).collect()
}

fn answer_line(name: &str, answer: &Answer, style: Style) -> String {
    let place = answer.place.as_ref().map(|place| style.dim(&format!("  {place}"))).unwrap_or_default();
    // Padded before it is painted: colour codes take no room.
    let padding = " ".repeat(6_usize.saturating_sub(word(answer.verdict).len()));
    let said = word(answer.verdict);
    let rule = answer.rule.strip_prefix(said).map_or(answer.rule.as_str(), str::trim_start);
    format!("    {name:<26} {}{padding}{}{place}\n", verdict(answer.verdict, style), visible(rule))
}
