//! Lines that a shell makes something else of before it reads them: `!x` and `^a^b` bring back what was typed before, changed
//! or not.

/// Whether a shell behind this may do so: one that somebody types into does, and one that is told to.
pub(super) fn recalls(command: &str, pty: bool, text: &str) -> bool {
    let is_told = |word: &str| {
        let word: String = word.chars().filter(|letter| !matches!(letter, '\'' | '"' | '\\')).collect();
        let is_flag = word.starts_with('-') && !word.starts_with("--") && word.contains(['i', 'H']);
        is_flag || word.contains("hist") || word.contains("interactive")
    };
    pty || [command, text].iter().any(|text| text.split_whitespace().any(is_told))
}

/// Whether the line brings something back. Quotes do not count: where they began is known to the shell alone.
pub(super) fn is_recalled(line: &str) -> bool {
    let quotes_end = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| " \t;|&)".contains(c));
    let brings_back = |(at, _): (usize, &str)| {
        let before = line.get(..at).unwrap_or_default();
        let rest = line.get(at + 1..).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let means_itself = rest.is_empty()
            || rest.starts_with([' ', '\t', '=', '('])
            || rest.strip_prefix('"').is_some_and(quotes_end);
        // The last job and indirect variables.
        let is_variable = before.ends_with('$') || before.ends_with("${");
        !means_itself && !is_variable
    };
    line.trim_start().starts_with('^') || line.match_indices('!').any(brings_back)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_brings_back_is_told_from_what_means_itself() {
        for line in [
            "^echo^touch",
            "!touch\n",
            "!!",
            "!-2",
            "!!:s/a/b/",
            "echo '!x'",
            "sudo !!",
            "!?x?",
            "!\"a\":s/a/b/",
            "#!/bin/sh",
        ] {
            assert!(is_recalled(line), "{line}");
        }
        for line in [
            "ls",
            "! grep x y",
            "[ a != b ]",
            "kill $!;",
            "echo ${!name}",
            "echo \"done!\"\n",
            "grep '^x' y",
            "wow!\n",
            "!(a|b)",
        ] {
            assert!(!is_recalled(line), "{line}");
        }
    }

    #[test]
    fn shells_that_nobody_types_into_do_not_bring_back_until_they_are_told() {
        assert!(
            recalls("bash", true, "") && recalls("bash -i", false, "") && recalls("bash", false, "set -H\n")
        );
        assert!(recalls("bash", false, "set -o 'hist'expand\n") && recalls("sh", false, "exec bash -'i'\n"));
        assert!(!recalls("bash --norc", false, "echo hi!x\n"));
    }
}
