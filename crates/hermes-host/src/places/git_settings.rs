//! Settings of a repository that make git run nothing. Only those that are known to: what git reads as the name of a
//! program, or as a place to read more settings from, changes from version to version.

use std::collections::BTreeSet;

/// Sections with their keys that `git init`, `git clone` and everyday work write.
const HARMLESS: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "repositoryformatversion",
            "filemode",
            "bare",
            "logallrefupdates",
            "ignorecase",
            "precomposeunicode",
            "symlinks",
            "autocrlf",
            "eol",
            "sparsecheckout",
            "sparsecheckoutcone",
            "worktree",
        ],
    ),
    ("extensions", &["objectformat", "refstorage", "worktreeconfig", "partialclone"]),
    ("init", &["defaultbranch"]),
    ("user", &["name", "email"]),
    ("remote", &["url", "pushurl", "fetch", "tagopt", "promisor", "partialclonefilter", "prune"]),
    ("branch", &["remote", "merge", "rebase", "description"]),
    ("submodule", &["url", "active", "branch"]),
    ("pull", &["rebase", "ff"]),
    ("push", &["default", "autosetupremote"]),
];

/// Keys that name files which git reads and does not run.
const FILES: &[(&str, &str)] = &[
    ("blame", "ignorerevsfile"),
    ("commit", "template"),
    ("core", "attributesfile"),
    ("core", "excludesfile"),
    ("mailmap", "file"),
];

pub(super) fn is_harmless(section: &str, key: &str) -> bool {
    HARMLESS.iter().any(|(known, keys)| *known == section && keys.contains(&key))
}

pub(super) fn names_no_program(section: &str, key: &str) -> bool {
    FILES.contains(&(section, key))
}

/// Whether every setting of the text is known to run nothing.
pub(super) fn run_nothing(text: &str) -> bool {
    what_may_run(text).is_empty()
}

/// The settings of the text that are not known to run nothing, each behind its section.
fn what_may_run(text: &str) -> BTreeSet<String> {
    let (mut header, mut section): (&str, Option<&[&str]>) = ("", None);
    let mut runs_nothing = |line: &str| match line {
        _ if line.is_empty() || line.starts_with(['#', ';']) => true,
        // A line that goes on, or a setting behind its section: git reads those, everyday work does not write them.
        _ if line.ends_with('\\') => false,
        _ if line.starts_with('[') => {
            section = line.ends_with(']').then(|| keys_of(line)).flatten();
            section.is_some()
        }
        _ => {
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            let is_known =
                section.is_some_and(|keys| keys.contains(&key.trim_end().to_ascii_lowercase().as_str()));
            is_known && is_plain(value)
        }
    };
    let (mut found, mut goes_on) = (BTreeSet::new(), false);
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            header = line;
        }
        // The end of another line is no comment, whatever it begins with.
        if !runs_nothing(line) || goes_on {
            found.insert(format!("{header}\n{line}"));
        }
        goes_on = line.ends_with('\\');
    }
    found
}

/// Whether settings have more of those than the settings before.
pub(super) fn run_more(before: &str, now: &str) -> bool {
    !what_may_run(now).is_subset(&what_may_run(before))
}

fn keys_of(header: &str) -> Option<&'static [&'static str]> {
    let inside = header.strip_prefix('[')?.strip_suffix(']')?;
    let name = inside.split_whitespace().next()?.to_ascii_lowercase();
    let (_, keys) = HARMLESS.iter().find(|(section, _)| *section == name)?;
    // More than one bracket is more than one section.
    (!inside.contains(['[', ']'])).then_some(*keys)
}

/// `ext::` in the place of a URL is a program, however git is told of it.
fn is_plain(value: &str) -> bool {
    let read = plain(value);
    !value.contains("::") && !read.contains("::") && !read.trim_start().starts_with('-')
}

/// A value without quotes and remarks, as git reads it.
pub(super) fn plain(value: &str) -> String {
    let (mut plain, mut quoted, mut letters) = (String::new(), false, value.trim().chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '\\' => plain.extend(letters.next()),
            '#' | ';' if !quoted => break,
            letter => plain.push(letter),
        }
    }
    plain.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLONED: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
                          \tlogallrefupdates = true\n[remote \"origin\"]\n\turl = https://example.invalid/x.git\n\
                          \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\
                          \tmerge = refs/heads/main\n";

    #[test]
    fn only_what_is_new_is_looked_at() {
        let own = "[alias]\n\tst = status\n[core]\n\tbare = false\n";
        let more = format!("{own}[remote \"o\"]\n\turl = https://example.invalid/x.git\n");
        assert!(!run_nothing(own) && !run_more(own, own) && !run_more(own, &more));
        for harm in [
            "[core]\n\tfsmonitor = x\n",
            "[alias]\n\tst = !sh\n",
            "[core] fsmonitor = x\n",
            "st = status\n",
            "[core]\n\tst = status\n",
        ] {
            assert!(run_more(own, &format!("{more}{harm}")), "{harm}");
        }
        let goes_on = "[core]\n\teditor = \"vi \\\n-R\"\n";
        assert!(!run_more(goes_on, goes_on) && run_more(goes_on, &goes_on.replace("-R", "; sh")));
    }

    #[test]
    fn what_git_itself_writes_is_harmless_and_what_names_a_program_is_not() {
        assert!(run_nothing(CLONED) && run_nothing("") && run_nothing("# a note\n"));
        for more in [
            "[core]\n\thooksPath = /tmp/x\n",
            "[core]\n\tfsmonitor = /tmp/x\n",
            "[CORE]\n\tSshCommand = sh\n",
            "[core] editor = sh\n",
            "[include]\n\tpath = /tmp/x\n",
            "[includeIf \"gitdir:/\"]\n\tpath = x\n",
            "[alias]\n\tst = !sh\n",
            "[filter \"x\"]\n\tclean = sh\n",
            "[diff \"x\"]\n\ttextconv = sh\n",
            "[submodule \"x\"]\n\tupdate = !sh\n",
            "[remote \"x\"]\n\turl = ext::sh -c x\n",
            "[remote \"x\"]\n\turl = \"ext:\":sh -c x\n",
            "[remote \"x\"]\n\turl = ext:\"\":sh -c x\n",
            "[remote \"x\"]\n\turl = ext:\\:sh -c x\n",
            "[remote \"x\"]\n\turl = -oProxyCommand=x\n",
            "[remote \"x\"]\n\turl = \"\"\\-oProxyCommand=x\n",
            "[remote \"x\"]\n\tuploadpack = sh\n",
            "[credential]\n\thelper = !sh\n",
            "[core]\n\tbare = \\\n false\n",
            "[remote \"]\n[core] hooksPath=x\"]\n",
            "[core.x]\n\tfilemode = true\n",
            "hookspath = x\n",
        ] {
            assert!(!run_nothing(&format!("{CLONED}{more}")), "{more}");
        }
    }
}
