//! Files that git deletes or writes over in the working tree.

use crate::command::args::Arg;
use crate::command::model::EffectKind;
use crate::command::options::{Shape, parse};
use crate::command::scene::Scene;
use crate::command::trial::Trial;

/// `git clean`, `git rm`, `git mv`, and whatever brings another version of a file.
pub(super) fn losses(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, rest: &[Arg]) {
    let values = &["-e", "--exclude", "-s", "--source", "-b", "-B", "--pathspec-from-file"];
    let parsed = parse(rest, Shape { values, ..Shape::default() });
    if parsed.has_exactly(&["-n", "--dry-run", "--cached"]) {
        return;
    }
    let kind = match sub {
        "clean" if parsed.has(&["-f", "--force", "-x", "-X"]) => EffectKind::Deletes,
        "rm" => EffectKind::Deletes,
        "restore" if parsed.has_exactly(&["-S", "--staged"]) && !parsed.has(&["-W", "--worktree"]) => return,
        "restore" | "checkout-index" => EffectKind::Writes,
        "reset" if parsed.has(&["--hard", "--merge", "--keep"]) => EffectKind::Writes,
        "checkout" if parsed.dashed || parsed.has(&["-f", "--force"]) => EffectKind::Writes,
        "mv" => EffectKind::Writes,
        _ => return,
    };
    let whole = [Arg::certain(".")];
    // What `reset` and a forced `checkout` name is a version, not a file.
    let by_version = sub == "reset" || (sub == "checkout" && !parsed.dashed);
    let targets = if parsed.operands.is_empty() || by_version { &whole } else { parsed.operands.as_slice() };
    for target in targets {
        let shown = scene.locate(trial, target).path.unwrap_or_else(|| target.shown());
        trial.effect(kind, shown);
    }
    if let Some((_, sources)) = parsed.operands.split_last().filter(|_| sub == "mv") {
        for source in sources {
            let shown = scene.locate(trial, source).path.unwrap_or_else(|| source.shown());
            trial.effect(EffectKind::Deletes, shown);
        }
    }
}
