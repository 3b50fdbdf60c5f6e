//! Commands that need no shell: one program, and words that mean themselves.
//!
//! Bash takes longer to start than most programs take to run. Where it would do nothing but look the program up and
//! become it, the program is started at once, with the variables that bash would have given it. Whatever is not
//! certain here (a builtin, a quote that could expand, a variable that changes how bash reads) is left to bash, and so
//! is a program that cannot be started, for bash has its own words and its own ways about that.

use std::collections::BTreeMap;

use crate::env_file::is_name;

/// What bash does itself, and words that it reads as its own.
const BASH_OWN: &[&str] = &[
    "!",
    ".",
    ":",
    "[",
    "[[",
    "]]",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "do",
    "done",
    "echo",
    "elif",
    "else",
    "enable",
    "esac",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "fi",
    "for",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "if",
    "in",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "then",
    "time",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "until",
    "wait",
    "while",
];

/// Builtins whose programs, given no words, do nothing else.
const SAME_ALONE: &[&str] = &["false", "true"];

/// Variables that bash reads, makes anew or sets by itself.
const READ_BY_BASH: &[&str] = &[
    "EUID",
    "GROUPS",
    "IFS",
    "OLDPWD",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "POSIXLY_CORRECT",
    "PPID",
    "PS4",
    "PWD",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "UID",
    "_",
];

/// The program and its words, where bash would only become it.
pub(super) fn words(line: &str, env: &BTreeMap<String, String>) -> Option<Vec<String>> {
    let words = split(line)?;
    let (program, rest) = words.split_first()?;
    let own = BASH_OWN.contains(&program.as_str());
    let same = rest.is_empty() && SAME_ALONE.contains(&program.as_str());
    let named = program.starts_with(|c: char| c.is_ascii_alphanumeric() || "./_".contains(c));
    let assigns = program.contains('=');
    (named && !assigns && (!own || same) && is_usual(env)).then_some(words)
}

/// Splits at blanks; `None` where a character might mean something.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.trim_matches([' ', '\t', '\n']).chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        '\0' => return None,
                        quoted => word.push(quoted),
                    }
                }
            }
            plain if plain.is_ascii_alphanumeric() || "_./:,@%+=-".contains(plain) => {
                word.get_or_insert_default().push(plain);
            }
            _ => return None,
        }
    }
    words.extend(word);
    Some(words)
}

/// Whether bash takes the variables as they are, and looks for programs in folders that are named whole.
fn is_usual(env: &BTreeMap<String, String>) -> bool {
    env.keys()
        .all(|name| is_name(name) && !name.starts_with("BASH") && !READ_BY_BASH.contains(&name.as_str()))
        && env.get("PATH").is_some_and(|path| path.split(':').all(|folder| folder.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    fn env(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let usual = ("PATH".to_owned(), "/usr/bin:/bin".to_owned());
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).chain([usual]).collect()
    }

    #[test]
    fn programs_and_plain_words_need_no_shell() {
        let split = |line: &str| words(line, &env(&[("LANG", "C")]));
        assert_eq!(split(" git  log\t--format=%h -n 3\n").unwrap(), ["git", "log", "--format=%h", "-n", "3"]);
        assert_eq!(split("grep -rn 'a b'\"\" src"), None);
        assert_eq!(split("grep -rn 'a $b'c '' src").unwrap(), ["grep", "-rn", "a $bc", "", "src"]);
        assert_eq!(split("true").unwrap(), ["true"]);
    }

    #[test]
    fn what_is_bashs_own_or_uncertain_is_left_to_it() {
        for line in [
            "", "cd src", "true x", "echo a", "A=1 ls", "ls *", "ls ~", "ls $HOME", "a; b", "a | b", "a\nb",
            "ls > x", "ls 'open", "'' a", "'cd' x", "!x", "-x", "%1", "ls # x", "{ls,-l}", "ls a\\ b",
            "time ls", "[ a ]", "ls é",
        ] {
            assert_eq!(words(line, &env(&[])), None, "{line}");
        }
        for odd in [("BASH_ENV", "x"), ("SHELLOPTS", "xtrace"), ("IFS", ","), ("a.b", ""), ("PWD", "/")] {
            assert_eq!(words("ls", &env(&[odd])), None, "{odd:?}");
        }
        for path in ["", "bin:/bin", "/bin:", "/bin::/usr/bin"] {
            let env = BTreeMap::from([("PATH".to_owned(), path.to_owned())]);
            assert_eq!(words("ls", &env), None, "{path}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        /// Bash, asked for the words of the same line, has the same.
        #[test]
        fn bash_reads_the_same_words(line in "[a-z0-9 \t'./=:%@,+_$*~#&;-]{0,24}") {
            let line = format!("env {line}");
            if let Some(words) = words(&line, &env(&[])) {
                // Only what stands before it differs: a builtin that shows each word.
                let shown = format!("printf '%s\\0' {line}");
                let bash = Command::new("bash").args(["-c", &shown]).output().unwrap();
                let expected: String = words.iter().map(|word| format!("{word}\0")).collect();
                prop_assert_eq!(String::from_utf8(bash.stdout).unwrap(), expected);
            }
        }
    }
}
