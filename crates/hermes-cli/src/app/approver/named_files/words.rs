//! Every word of a command line that may name a file, read with the shell reader of the policy.

use std::path::Path;

use hermes_core::grant::check_prefix;
use hermes_policy::shell::{Command, Reader, RedirectKind, Script, Surroundings, Word, pattern_of};

/// Texts inside texts are followed this deep.
const DEEPEST: usize = 4;
/// More words than this are not looked up.
const MOST: usize = 2_000;
/// Shells, and what gives a word of its own to one.
const SHELLS: &[&str] = &[
    "ash", "bash", "busybox", "dash", "env", "eval", "fish", "flock", "ksh", "mksh", "parallel", "script",
    "sh", "ssh", "su", "trap", "watch", "xargs", "zsh",
];
/// Programs that start another one with names that they find or are given.
const SPREADERS: &[&str] = &["fd", "fdfind", "find", "parallel", "rush", "xargs"];
/// What separates names inside a word: `--file=mk`, `-I.:sub`, `exec(open('a.py').read())`.
const SEPARATORS: &[char] = &[
    ' ', '\t', '\n', '\r', ';', '|', '&', '(', ')', '<', '>', '{', '}', '[', ']', '\'', '"', '`', ',', '=',
    ':', '@', '$', '%', '#', '!', '+',
];

/// What a command line says about files.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Texts that may be names, in order.
    pub(super) texts: Vec<String>,
    /// Patterns that the shell would match.
    pub(super) patterns: Vec<String>,
    /// Whether something in it may run files: not all of its programs are known to run none.
    pub(super) runs: bool,
    /// Why nobody can tell which files would run.
    pub(super) unsure: Option<String>,
}

impl Words {
    pub(super) fn of(command: &str, folder: &Path, home: &Path) -> Self {
        let (cwd, home) = (folder.to_string_lossy(), home.to_string_lossy());
        let surroundings = Surroundings { home: &home, cwd: &cwd };
        let mut words = Words::default();
        let script = Reader::new(&surroundings).arguments(&[]).read(command);
        words.script(&script, &surroundings, true, 0);
        // Programs that run no files leave nothing to be unsure of.
        if !words.runs && !script.commands.is_empty() {
            words.unsure = None;
        }
        if ["globstar", "extglob"].iter().any(|option| command.contains(option)) {
            words.doubt("it changes how patterns match");
        }
        words
    }

    /// `certain` is false for a text that may be no shell text at all.
    fn script(&mut self, script: &Script, around: &Surroundings<'_>, certain: bool, depth: usize) {
        if certain && let Some(doubt) = script.doubts.first() {
            self.doubt(&doubt.reason);
        }
        for command in &script.commands {
            self.command(command, around, certain, depth);
        }
    }

    fn command(&mut self, command: &Command, around: &Surroundings<'_>, certain: bool, depth: usize) {
        let literals: Vec<String> = command.words.iter().map_while(Word::literal).collect();
        let plain = command.calls.is_some() || command.words.is_empty() || check_prefix(&literals).is_ok();
        let plain = plain && (command.assignments.is_empty() || command.words.is_empty());
        let names: Vec<String> = command.words.iter().filter_map(Word::literal).collect();
        let shell = names.iter().any(|name| SHELLS.contains(&base(name)));
        self.runs |= certain && !plain && !is_folder_change(&names);
        if certain && spreads(&names) {
            self.doubt("it runs files whose names only running would tell");
        }
        let inputs = command.redirects.iter().filter(|redirect| reads(redirect.kind));
        let assigned = command.assignments.iter().map(|assignment| &assignment.value);
        for word in
            command.words.iter().chain(assigned).chain(inputs.clone().map(|redirect| &redirect.target))
        {
            let data = command.words.is_empty() || plain;
            if certain && !data && word.has_unknown() {
                self.doubt(&format!("only running would tell what {} is", word.shown()));
            }
            self.word(word);
        }
        let texts = inputs.filter(|redirect| redirect.kind != RedirectKind::Read);
        for word in command.words.iter().chain(texts.map(|redirect| &redirect.target)) {
            // What is unknown in it was told above.
            let text = word.shown();
            if depth < DEEPEST && text.contains([' ', '\t', '\n', ';', '$']) {
                let inner = Reader::new(around).depth(depth + 1).read(&text);
                self.script(&inner, around, certain && shell, depth + 1);
            } else if depth >= DEEPEST && shell && certain && text.contains(' ') {
                self.doubt("its texts are nested too deep");
            }
        }
    }

    fn word(&mut self, word: &Word) {
        let (texts, patterns) = (self.texts.len(), self.patterns.len());
        match word.literal() {
            Some(text) => {
                self.texts.extend(text.split(SEPARATORS).filter(|part| !part.is_empty()).map(str::to_owned));
                // `-fmk` is `-f mk`.
                let glued = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
                self.texts.extend(glued.and_then(|rest| rest.get(1..)).map(str::to_owned));
                self.texts.push(text);
            }
            None => match pattern_of(word) {
                Some(pattern) => self.patterns.push(pattern),
                // The known parts of an unknown word may still be names: `"$X"/run.sh`.
                None => self.texts.extend(word.shown().split(SEPARATORS).map(str::to_owned)),
            },
        }
        if texts > MOST || patterns > MOST {
            self.texts.truncate(MOST);
            self.patterns.truncate(MOST);
            self.doubt("it names more files than anybody would look at");
        }
    }

    pub(super) fn doubt(&mut self, reason: &str) {
        self.unsure.get_or_insert_with(|| reason.to_owned());
    }
}

/// The name of a program without its folder.
pub(super) fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

fn reads(kind: RedirectKind) -> bool {
    use RedirectKind::{HereDocument, HereString, Read, ReadWrite};
    matches!(kind, HereDocument | HereString | Read | ReadWrite)
}

fn is_folder_change(names: &[String]) -> bool {
    names.first().is_some_and(|name| matches!(name.as_str(), "cd" | "chdir" | "popd" | "pushd"))
}

/// Whether a program is started, that may run files, with names that are found rather than written.
fn spreads(names: &[String]) -> bool {
    let Some(place) = names.iter().position(|name| SPREADERS.contains(&base(name))) else { return false };
    let Some((spreader, rest)) = names.get(place..).and_then(<[String]>::split_first) else { return false };
    let starts = |word: &String| {
        matches!(
            word.as_str(),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch"
        )
    };
    let rest = match base(spreader) {
        "find" | "fd" | "fdfind" => match rest.iter().position(starts) {
            Some(place) => rest.get(place + 1..).unwrap_or_default(),
            None => return false,
        },
        _ => rest,
    };
    // `xargs` alone prints; what is known to run nothing may be given any names.
    let known = |word: &String| !word.contains("{}") && check_prefix(std::slice::from_ref(word)).is_ok();
    let first = rest.iter().position(|word| known(word) || base(word) == "git");
    let before = first.and_then(|place| rest.get(..place)).unwrap_or(rest);
    before.iter().any(|word| !word.starts_with('-') && !is_value(word))
}

/// The value of an option such as `-n 1` or `-I {}`.
fn is_value(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_digit()) || word.len() <= 1
}
