//! What is said to a shell on the other side.

use std::path::Path;

use super::contract::Job;
use crate::terminal::quote::quoted_text;
use crate::terminal::script;

/// The variable that names every process of a command on the other side.
const NAME: &str = "HERMES_JOB";

/// The variables of a command, its name among them.
pub(super) fn variables(job: &Job<'_>) -> Vec<(String, String)> {
    let own = (NAME.to_owned(), job.mark.to_owned());
    job.env.iter().map(|(name, value)| (name.clone(), value.clone())).chain([own]).collect()
}

/// Enters the folder and becomes the best shell there is. A folder that is gone is the command's own failure.
const ENTER: &str = r#"case $0 in \~) cd ;; \~/*) cd && cd -- "${0#\~/}" ;; *) cd -- "$0" ;; esac || exit 126
command -v bash >/dev/null && exec bash "$@"
exec sh "$@""#;

/// The command by argument list, for a place that takes one.
pub(super) fn argv(job: &Job<'_>) -> Vec<String> {
    let mut argv = vec!["sh".to_owned(), "-c".to_owned(), ENTER.to_owned(), job.cwd.display().to_string()];
    argv.extend(script::argv("sh", job.tells.then_some(job.mark), job.line).into_iter().skip(1));
    argv
}

/// The command as one line of shell, for a place that takes nothing else.
pub(super) fn line(job: &Job<'_>) -> String {
    let exports: String = variables(job)
        .iter()
        .map(|(name, value)| format!("export {name}={}; ", quoted_text(value)))
        .collect();
    let enter = enter(job.cwd);
    let words: Vec<String> = script::argv("\"$shell\"", job.tells.then_some(job.mark), job.line)
        .iter()
        .enumerate()
        .map(|(index, word)| if index == 0 { word.clone() } else { quoted_text(word) })
        .collect();
    format!(
        "shell=$(command -v bash || command -v sh); {exports}{enter} || exit 126; exec {}",
        words.join(" ")
    )
}

fn enter(cwd: &Path) -> String {
    let cwd = cwd.display().to_string();
    match cwd.strip_prefix('~') {
        Some("") => "cd".to_owned(),
        Some(rest) => format!("cd && cd -- {}", quoted_text(rest.trim_start_matches('/'))),
        None => format!("cd -- {}", quoted_text(&cwd)),
    }
}

/// Ends every process that bears the name, also those that went their own way. Says nothing.
pub(super) fn end(mark: &str) -> String {
    let name = quoted_text(&format!("{NAME}={mark}"));
    format!(
        "n=0; while [ $n -lt 50 ]; do found=; for p in /proc/[0-9]*; do \
         if (tr '\\0' '\\n' < \"$p/environ\" | grep -qxF {name}) 2>/dev/null; then kill -9 \"${{p#/proc/}}\" 2>/dev/null && found=1; fi; \
         done; [ -z \"$found\" ] && break; n=$((n+1)); sleep 0.05; done"
    )
}
