//! A command as one line of text, so that tables stay readable: `‹?…›` is unknown, `‹*…›` a pattern, and
//! `«…»` a word with blanks in it.

use hermes_policy::shell::{Command, Piece, Redirect, RedirectKind, Script, Word};

pub fn word(word: &Word) -> String {
    let mut text = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Glob(glob) => text.push_str(&format!("‹*{glob}›")),
            Piece::Unknown { hint } => text.push_str(&format!("‹?{hint}›")),
        }
    }
    let plain = word.is_certain() && (text.is_empty() || text.contains(char::is_whitespace));
    let text = text.replace('\n', "\\n").replace('\t', "\\t");
    if plain { format!("«{text}»") } else { text }
}

fn redirect(redirect: &Redirect) -> String {
    let sign = match redirect.kind {
        RedirectKind::Read => "<",
        RedirectKind::Write => ">",
        RedirectKind::Append => ">>",
        RedirectKind::ReadWrite => "<>",
        RedirectKind::WriteBoth => "&>",
        RedirectKind::AppendBoth => "&>>",
        RedirectKind::Duplicate => ">&",
        RedirectKind::HereDocument => "<<",
        RedirectKind::HereString => "<<<",
    };
    let fd = redirect.fd.map(|fd| fd.to_string()).unwrap_or_default();
    format!("{fd}{sign}{}", word(&redirect.target))
}

/// Assignments, words and redirections of a command.
pub fn command(command: &Command) -> String {
    let assignments = command.assignments.iter().map(|assignment| {
        let sign = if assignment.append { "+=" } else { "=" };
        format!("{}{sign}{}", assignment.name, word(&assignment.value))
    });
    let words = command.words.iter().map(word);
    let redirects = command.redirects.iter().map(redirect);
    assignments.chain(words).chain(redirects).collect::<Vec<_>>().join(" ")
}

pub fn script(script: &Script) -> Vec<String> {
    script.commands.iter().map(command).collect()
}

/// What is said about a command besides its words.
pub fn flags(command: &Command) -> String {
    let mut flags = Vec::new();
    flags.extend(command.reads_from.map(|from| format!("from {from}")));
    flags.extend(command.feeds.map(|to| format!("to {to}")));
    flags.extend(command.background.then(|| "background".to_owned()));
    flags.extend(command.in_function.map(|at| format!("function {at}")));
    flags.extend(command.in_loop.then(|| "loop".to_owned()));
    flags.extend(command.in_substitution.then(|| "substitution".to_owned()));
    flags.join(", ")
}
