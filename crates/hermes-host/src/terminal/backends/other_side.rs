//! What is said to a shell on the other side.
//!
//! No value of a variable and no secret is part of a command line: whoever has an account on a machine can read those
//! of everybody. They come by standard input, ahead of everything else, or lie in a file of their own where that is a
//! terminal, which would show them.

use crate::env_file::is_name;
use crate::process::{Launch, Stream};
use crate::terminal::quote::quoted_text;
use crate::terminal::script;

use super::contract::Job;
use super::ended_there::NAME;
use super::kept_there::kept;
use super::withdrawn;

/// The program on this machine through which a command runs there; its own two outputs are one.
pub(super) fn client(argv: Vec<String>, env: &[(String, String)], job: &Job<'_>) -> Launch {
    Launch {
        stdin: if job.is_told_by_input() { Stream::Piped } else { Stream::Null },
        stderr: Stream::Merged,
        pty: job.pty,
        ..Launch::new(argv, "/").with_env(env.iter().cloned())
    }
}

/// What a shell sets by itself, and some cannot be made to set. What they are set to is no secret.
const OF_SHELLS: &[&str] = &[
    "_",
    "BASH",
    "BASHOPTS",
    "BASHPID",
    "BASH_ALIASES",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_ARGV0",
    "BASH_CMDS",
    "BASH_COMMAND",
    "BASH_COMPAT",
    "BASH_EXECUTION_STRING",
    "BASH_LINENO",
    "BASH_LOADABLES_PATH",
    "BASH_MONOSECONDS",
    "BASH_REMATCH",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_TRAPSIG",
    "BASH_VERSINFO",
    "BASH_VERSION",
    "BASH_XTRACEFD",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GID",
    "GROUPS",
    "HISTCMD",
    "IFS",
    "LINENO",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "PIPESTATUS",
    "PPID",
    "PS4",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SRANDOM",
    "UID",
];

fn is_of_shells(name: &str) -> bool {
    OF_SHELLS.contains(&name) || name.starts_with("__hermes_")
}

/// What is written to the standard input of the command before anything else: its variables, and the secret by which
/// its shell tells at its end where it stands.
pub(super) fn input(job: &Job<'_>) -> Vec<u8> {
    let mut lines = if job.pty { String::new() } else { variables(job) };
    if let Some(secret) = job.tells.filter(|_| job.is_told_by_input()) {
        lines.extend([secret, "\n"]);
    }
    lines.into_bytes()
}

/// The variables of a command as lines of shell, a line after each of them and one after all; nothing where there are
/// none.
pub(in crate::terminal) fn variables(job: &Job<'_>) -> String {
    let mark = job.mark;
    let one = |(name, value): (&String, &String)| format!("export {name}={}\n{mark}.\n", quoted_text(value));
    let set: String = carried(job).map(one).collect();
    if set.is_empty() { set } else { format!("{set}{mark}\n") }
}

fn carried<'a>(job: &Job<'a>) -> impl Iterator<Item = (&'a String, &'a String)> {
    // A name becomes shell text there.
    job.env.iter().filter(|(name, _)| is_name(name) && !is_of_shells(name))
}

/// Takes the variables from where they come, all of them or none.
fn take(job: &Job<'_>) -> String {
    if carried(job).next().is_none() {
        return String::new();
    }
    let (mark, from) = (job.mark, job.left.map(|folder| format!("<{}/variables", quoted_text(folder))));
    format!(
        "__hermes_one= __hermes_end=\n\
         while IFS= read -r __hermes_line; do case $__hermes_line in\n\
         {mark}.) eval \"$__hermes_one\" 2>/dev/null; __hermes_one=;;\n\
         {mark}) __hermes_end=1; break;;\n\
         *) __hermes_one=\"$__hermes_one$__hermes_line\n\";;\n\
         esac; done {}\n\
         [ -n \"$__hermes_end\" ] || exit 126\n",
        from.unwrap_or_default()
    )
}

/// Enters the folder and becomes the best shell there is, with the variables of the command, unless that was ended
/// already. A folder that is gone is the command's own failure.
fn enter(job: &Job<'_>, norc: bool) -> String {
    let of_shells = job.env.iter().filter(|(name, _)| is_name(name) && is_of_shells(name));
    let own =
        of_shells.map(|(name, value)| format!("{name}={value}")).chain([format!("{NAME}={}", job.mark)]);
    let own: Vec<String> = own.map(|own| quoted_text(&own)).collect();
    let remove = job.left.map(|folder| format!("rm -rf -- {};", quoted_text(folder))).unwrap_or_default();
    // A shell that is told something more removes it itself.
    let removed = if job.tells.is_none() { remove.as_str() } else { "" };
    // Whoever feeds it wants its complaints apart from its answer. Otherwise both outputs travel as one, or what it
    // complains about could arrive amid what its shell tells of itself.
    let merging = if job.fed { "" } else { "exec 2>&1\n" };
    format!(
        "{}{merging}__hermes_env=$(command -v env) __hermes_rc=\n\
         __hermes_shell=$(command -v bash) && __hermes_rc={} || __hermes_shell=$(command -v sh)\n\
         case $0 in \\~) cd ;; \\~/*) cd && cd -- \"${{0#\\~/}}\" ;; *) cd -- \"$0\" ;; esac || {{ {remove} exit 126; }}\n\
         {}{removed}\n\
         exec \"$__hermes_env\" {} \"$__hermes_shell\" $__hermes_rc \"$@\"",
        withdrawn::heed(job.mark, &remove),
        if norc { "--norc" } else { "" },
        take(job),
        own.join(" ")
    )
}

/// The command by argument list. `norc`: the start file of bash was read on the way already, and a second time its
/// additions would be made twice.
pub(super) fn argv(job: &Job<'_>, norc: bool) -> Vec<String> {
    // It bears its name before it does anything: whoever ends it finds it by that.
    let name = format!("{NAME}={}", job.mark);
    let mut argv = ["env", &name, "sh", "-c", &enter(job, norc)].map(str::to_owned).to_vec();
    argv.push(job.cwd.display().to_string());
    argv.extend(script::argv("sh", job.mark_given(), job.line).into_iter().skip(1));
    // Its standard input stays open for as long as somebody waits for it.
    let watched = job.is_told_by_input() || job.fed;
    if job.kept { kept(job.mark, watched, argv) } else { argv }
}

/// The command as one line, for a place that takes nothing else. Whatever shell reads it only becomes another one.
pub(super) fn line(job: &Job<'_>) -> String {
    let words: Vec<String> = argv(job, true).iter().map(|word| quoted_text(word)).collect();
    format!("exec {}", words.join(" "))
}
