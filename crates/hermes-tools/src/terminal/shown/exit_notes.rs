//! What an exit code means, where it is less than a failure or says more than "failed".

/// Codes with a meaning of their own, by program.
const NOTES: &[(&[&str], i32, &str)] = &[
    (&["ack", "ag", "egrep", "fgrep", "grep", "rg", "zgrep"], 1, "no line matched; that is not an error"),
    (&["cmp", "colordiff", "diff"], 1, "the files differ; that is not an error"),
    (&["[", "test"], 1, "the condition is false; that is not an error"),
    (&["find"], 1, "some folders could not be read; the rest was searched"),
    (&["git"], 1, "often not an error, for instance differences found or nothing to commit"),
    (&["git"], 128, "git gave up, as its output says"),
    (&["git"], 129, "git does not take these arguments, or not outside of a repository"),
    (&["pytest"], 1, "tests ran and some failed"),
    (&["pytest"], 5, "no tests were found"),
    (&["curl"], 6, "the host could not be resolved"),
    (&["curl"], 7, "the host refused the connection"),
    (&["curl"], 22, "the server answered with an error status"),
    (&["curl"], 28, "the server did not answer in time"),
    (&["curl"], 60, "the server's certificate is not trusted"),
];

/// Signals that end programs, by the number that a shell adds to 128.
const SIGNALS: &[(i32, &str)] = &[
    (1, "HUP"),
    (2, "INT"),
    (3, "QUIT"),
    (4, "ILL"),
    (6, "ABRT"),
    (7, "BUS"),
    (8, "FPE"),
    (9, "KILL"),
    (10, "USR1"),
    (11, "SEGV"),
    (12, "USR2"),
    (13, "PIPE"),
    (14, "ALRM"),
    (15, "TERM"),
    (24, "XCPU"),
    (25, "XFSZ"),
    (31, "SYS"),
];

/// A note on the code, if there is something to say. `signal`: what ended the command itself, where that is known.
pub(in crate::terminal) fn note(line: &str, code: i32, signal: Option<i32>) -> Option<String> {
    if let Some(signal) = signal {
        return Some(format!("ended by signal {signal}{}", name(signal)));
    }
    let program = last_program(line);
    let known =
        NOTES.iter().find(|(names, of, _)| *of == code && program.is_some_and(|it| names.contains(&it)));
    match (code, known) {
        (0, _) => None,
        (126, _) => Some("the program was found but cannot be run".to_owned()),
        (127, _) => Some("the program was not found".to_owned()),
        (_, Some((_, _, note))) => Some((*note).to_owned()),
        // A shell says so of what it started, and programs end with such codes by themselves.
        _ => SIGNALS.iter().find(|(number, _)| number + 128 == code).map(|(number, name)| {
            format!("either signal {number} ({name}) ended a program, or one ended with this code by itself")
        }),
    }
}

fn name(signal: i32) -> String {
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    known.map(|(_, name)| format!(" ({name})")).unwrap_or_default()
}

/// The program whose code it is: the first word of the last command that is not an assignment.
fn last_program(line: &str) -> Option<&str> {
    let last = line.rsplit(['|', ';', '&', '\n']).map(str::trim).find(|part| !part.is_empty())?;
    let word = last.split_whitespace().find(|word| !word.contains('='))?;
    word.rsplit('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_follow_the_last_program() {
        assert!(note("cd src && grep -n x *.rs", 1, None).unwrap().contains("no line matched"));
        assert!(note("LANG=C /usr/bin/diff a b", 1, None).unwrap().contains("differ"));
        assert!(note("cat x | rg y\n", 1, None).unwrap().contains("no line matched"));
        assert_eq!(note("make", 1, None), None);
        assert_eq!(note("grep x y", 0, None), None);
        assert_eq!(note("grep x y", 2, None), None);
        assert!(note("nonsense", 127, None).unwrap().contains("not found"));
    }

    #[test]
    fn a_signal_is_said_for_sure_only_where_it_is_known() {
        assert_eq!(note("sleep 9", 137, Some(9)).unwrap(), "ended by signal 9 (KILL)");
        assert_eq!(note("sleep 9", 162, Some(34)).unwrap(), "ended by signal 34");
        let perhaps = note("sleep 9", 137, None).unwrap();
        assert!(perhaps.starts_with("either signal 9 (KILL)") && perhaps.contains("by itself"), "{perhaps}");
        assert!(note("git diff --exit-code", 129, None).unwrap().contains("arguments"));
        assert_eq!(note("tool", 160, None), None);
    }
}
