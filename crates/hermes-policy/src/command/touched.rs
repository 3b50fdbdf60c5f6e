//! What a rule of a table says is touched, in words that are true: a subcommand is neither a host nor a program.

use super::args::Arg;
use super::model::EffectKind;
use super::options::Parsed;
use super::remote::is_remote;
use super::ruleset::Rule;
use super::table::{sub_depth, verb_place};
use super::trial::Trial;
use super::urls;

/// Tells what a rule that holds would do.
pub(super) fn tell(trial: &mut Trial<'_>, name: &str, rule: &Rule, parsed: &Parsed) {
    let acts = matches!(rule.category.as_str(), "process_kill" | "service_control" | "system_halt");
    let Some(kind) = rule.effect.or(acts.then_some(EffectKind::Process)) else { return };
    let object = object(rule, parsed);
    let target = match kind {
        EffectKind::Network => {
            let host = object.filter(|object| urls::is_url(&object.text) || is_remote(object));
            match host {
                Some(host) => urls::host(&host.shown()).unwrap_or_else(|| host.shown()),
                // Whom git talks to is known better elsewhere.
                None if name == "git" => return,
                None => format!("services of {name}"),
            }
        }
        // Which files git deletes is known better elsewhere, too.
        EffectKind::Deletes if name == "git" && object.is_none() => return,
        EffectKind::Deletes => object.map_or_else(|| format!("data of {name}"), Arg::shown),
        _ => object.map_or_else(|| name.to_owned(), Arg::shown),
    };
    trial.effect(kind, target);
}

/// The last operand that is neither the subcommand nor a word that the rule is about.
fn object<'a>(rule: &Rule, parsed: &'a Parsed) -> Option<&'a Arg> {
    let by_sub = rule.sub.iter().filter_map(|sub| sub_depth(sub, parsed)).max();
    let by_verb = rule.verb.iter().filter_map(|verb| verb_place(parsed, verb)).max();
    let behind = parsed.operands.get(by_sub.max(by_verb).unwrap_or(0)..).unwrap_or_default();
    let is_word = |arg: &Arg| {
        let letters = arg.text.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        letters && rule.operand.as_ref().is_some_and(|pattern| pattern.is_match(&arg.text))
    };
    behind.last().filter(|last| !is_word(last))
}
