//! What an exit code means, where it is less than a failure or says more than "failed".

/// Codes with a meaning of their own, by program.
const NOTES: &[(&[&str], i32, &str)] = &[
    (&["ack", "ag", "egrep", "fgrep", "grep", "rg", "zgrep"], 1, "no line matched; that is not an error"),
    (&["cmp", "colordiff", "diff"], 1, "the files differ; that is not an error"),
    (&["[", "test"], 1, "the condition is false; that is not an error"),
    (&["find"], 1, "some folders could not be read; the rest was searched"),
    (&["git"], 1, "often not an error, for instance differences found or nothing to commit"),
    (&["pytest"], 1, "tests ran and some failed"),
    (&["pytest"], 5, "no tests were found"),
    (&["curl"], 6, "the host could not be resolved"),
    (&["curl"], 7, "the host refused the connection"),
    (&["curl"], 22, "the server answered with an error status"),
    (&["curl"], 28, "the server did not answer in time"),
    (&["curl"], 60, "the server's certificate is not trusted"),
];

/// A note on the code, if there is something to say.
pub(in crate::terminal) fn note(line: &str, code: i32) -> Option<String> {
    match code {
        0 => None,
        126 => Some("the program was found but cannot be run".to_owned()),
        127 => Some("the program was not found".to_owned()),
        129..=165 => Some(format!("ended by signal {}", code - 128)),
        _ => {
            let program = last_program(line)?;
            let known = NOTES.iter().find(|(names, of, _)| *of == code && names.contains(&program));
            known.map(|(_, _, note)| (*note).to_owned())
        }
    }
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
        assert!(note("cd src && grep -n x *.rs", 1).unwrap().contains("no line matched"));
        assert!(note("LANG=C /usr/bin/diff a b", 1).unwrap().contains("differ"));
        assert!(note("cat x | rg y\n", 1).unwrap().contains("no line matched"));
        assert_eq!(note("make", 1), None);
        assert_eq!(note("grep x y", 0), None);
        assert_eq!(note("grep x y", 2), None);
        assert!(note("nonsense", 127).unwrap().contains("not found"));
        assert_eq!(note("sleep 9", 137).unwrap(), "ended by signal 9");
    }
}
