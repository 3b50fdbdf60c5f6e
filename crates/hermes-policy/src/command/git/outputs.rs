//! Files that git writes because an option or an operand says so.

use crate::command::access::write;
use crate::command::args::Arg;
use crate::command::options::{Shape, parse};
use crate::command::scene::Scene;
use crate::command::trial::Trial;

/// Subcommands whose `-o` names a file or a folder to write.
const SHORT: &[&str] = &["format-patch", "archive", "bugreport", "diagnose", "send-email"];

/// `git log --output=x`, `git archive -o x`, `git bundle create x`, `git worktree add x`.
pub(super) fn outputs(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, rest: &[Arg]) {
    let values =
        &["-o", "--output", "--output-directory", "-b", "-B", "--format", "--prefix", "--template", "-m"];
    let parsed = parse(rest, Shape { values, ..Shape::default() });
    for flag in &parsed.flags {
        let long = flag.name.len() > 5 && (flag.is("--output") || flag.is("--output-directory"));
        if let Some(file) =
            flag.value.as_ref().filter(|_| long || (flag.name == "-o" && SHORT.contains(&sub)))
        {
            write(trial, scene, file);
        }
    }
    let target = match (sub, parsed.word(0)) {
        ("bundle", Some("create")) | ("worktree", Some("add")) => parsed.operands.get(1),
        ("init", Some(_)) => parsed.operands.first(),
        _ => None,
    };
    // A working tree beside the repository is everyday; one in a place of the system is not.
    let beside = sub == "worktree"
        && target.is_some_and(|folder| folder.text.starts_with("../") && !folder.text.contains("/../"));
    if let Some(target) = target.filter(|_| !beside) {
        write(trial, scene, target);
    }
}
