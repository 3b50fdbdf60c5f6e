//! A place for an argument must not be code. What a model fills in is data to the program: it does not choose
//! which program runs, behind whatever launchers, and no shell or interpreter reads it as its text.

use hermes_core::steers;
use hermes_core::yaml::{Mark, Reader};

use super::code_options::Code;
use super::runners::{Launcher, Operands, Runner};
use super::template::Template;

/// A word of a command line and where it stands.
pub(super) type Placed = (Mark, Template);

/// Notes every place for an argument that would be code.
pub(super) fn refuse_code(reader: &mut Reader, words: &[Placed], stdin: Option<&Placed>) {
    let line = Line { words, stdin: stdin.filter(|(_, text)| text.names().next().is_some()) };
    let mut problems = Vec::new();
    let program = line.program(&mut problems);
    if let Some(place) = program {
        if let Some(runner) = line.runner(place) {
            line.judge(runner, place, true, &mut problems);
        }
        // Programs that are started by options of others: find -exec, docker exec, git --exec.
        for other in place + 1..words.len() {
            if let Some(runner) = line.runner(other) {
                line.judge(runner, other, false, &mut problems);
            }
        }
    }
    problems.sort_by_key(|problem: &Problem| problem.at);
    problems.dedup_by_key(|problem| problem.at);
    for Problem { at, message, hint } in problems {
        reader.error(at, message, Some(hint.to_owned()));
    }
}

struct Problem {
    at: Mark,
    message: String,
    hint: &'static str,
}

const CALL_IT: &str = "call the program itself, with one word for each argument";
const READ_IT: &str = "let fixed code read its arguments, each a word of its own behind it";
const FIX_IT: &str = "write one tool for each program";

struct Line<'w> {
    words: &'w [Placed],
    /// What is read, where an argument has a place in it.
    stdin: Option<&'w Placed>,
}

impl Line<'_> {
    fn literal(&self, place: usize) -> Option<&str> {
        self.words.get(place).and_then(|(_, word)| word.literal())
    }

    fn runner(&self, place: usize) -> Option<&'static Runner> {
        self.literal(place).and_then(|text| Runner::named(&program_name(text)))
    }

    fn has_argument(&self, place: usize) -> bool {
        self.words.get(place).is_some_and(|(_, word)| word.names().next().is_some())
    }

    /// Where the program stands that is run in the end, behind all launchers.
    fn program(&self, problems: &mut Vec<Problem>) -> Option<usize> {
        let mut place = 0;
        loop {
            let Some(text) = self.literal(place) else {
                if let Some((at, _)) = self.words.get(place) {
                    let message = "the program is fixed: no argument may choose it".to_owned();
                    problems.push(Problem { at: *at, message, hint: FIX_IT });
                }
                return None;
            };
            let launcher = Launcher::named(&program_name(text));
            let Some(launcher) = launcher.filter(|launcher| launcher.launches(self.literal(place + 1)))
            else {
                return Some(place);
            };
            place = self.behind(launcher, place, problems)?;
        }
    }

    /// The place of the program that a launcher starts.
    fn behind(&self, launcher: &Launcher, start: usize, problems: &mut Vec<Problem>) -> Option<usize> {
        let mut own = launcher.own;
        let mut place = start + 1;
        while let Some((at, word)) = self.words.get(place) {
            let shown = word.beginning();
            let option = shown.split('=').next().unwrap_or_default();
            if launcher.text.iter().any(|text| is_glued(text, shown)) {
                let alone = word.literal().is_some_and(|word| launcher.text.contains(&word));
                let place = if alone { place + 1 } else { place };
                if self.has_argument(place) {
                    problems.push(self.would_run(start, option, place, CALL_IT));
                }
                return None;
            } else if word.literal().is_some_and(|word| launcher.values.contains(&word)) {
                place += 1;
            } else if shown.starts_with('-') && shown != "-" {
                // A word of its own.
            } else if is_assignment(shown) {
                if let (true, Some(name)) = (word.names().next().is_some(), shown.split('=').next())
                    && steers(name).is_some()
                {
                    let message = format!("{name} decides what is run, and no argument may fill it");
                    problems.push(Problem { at: *at, message, hint: CALL_IT });
                }
            } else if own > 0 {
                own -= 1;
            } else {
                return Some(place);
            }
            place += 1;
        }
        None
    }

    /// Looks at the words of one runner. `certain` says that it is the program, not merely a word like it.
    fn judge(&self, runner: &Runner, start: usize, certain: bool, problems: &mut Vec<Problem>) {
        let mut place = start + 1;
        let mut has_code = false;
        let mut far = runner.operands == Operands::FarText;
        let mut operands_only = false;
        while let Some((_, word)) = self.words.get(place) {
            let shown = word.beginning();
            let is_option =
                !operands_only && (shown.starts_with(['-', '+', '/']) || shown == "eval") && shown != "-";
            if let Some(code) = runner.code_in(word).filter(|_| is_option) {
                has_code = true;
                let place_of_code = if code == Code::Next { place + 1 } else { place };
                if self.has_argument(place_of_code) {
                    problems.push(self.would_run(start, option_of(shown), place_of_code, remedy(runner)));
                } else if place_of_code >= self.words.len() && self.stdin.is_some() {
                    problems.extend(self.reads_code(start));
                }
                place = place_of_code + 1;
                if runner.operands == Operands::Shell {
                    // Whatever follows is a word of the script, and scripts are careless with words.
                    if let Some(next) = (place..self.words.len()).find(|next| self.has_argument(*next)) {
                        problems.push(self.would_run(start, option_of(shown), next, CALL_IT));
                    }
                    return;
                }
                if matches!(runner.operands, Operands::Script) {
                    return;
                }
                continue;
            }
            if shown == "--" && word.literal().is_some() {
                operands_only = true;
            } else if word.literal().is_some_and(|word| runner.values.contains(&word)) {
                place += 1;
                if runner.operands == Operands::FarText && self.is_far_command(place) {
                    problems.push(self.would_run(start, shown, place, CALL_IT));
                }
            } else if is_option && shown != "/" && !shown.starts_with('/') {
                // An option of its own; python -m names the code to run by another way.
                if shown == "-m" && runner.names.contains(&"python") {
                    if certain && self.has_argument(place + 1) {
                        problems.push(self.chooses(start, place + 1));
                    }
                    return;
                }
            } else {
                match runner.operands {
                    Operands::Data => {}
                    Operands::Script | Operands::Shell if shown == "-" => break,
                    Operands::Script | Operands::Shell => {
                        if certain && self.has_argument(place) {
                            problems.push(self.chooses(start, place));
                        }
                        return;
                    }
                    Operands::Code => {
                        if certain && !has_code && self.has_argument(place) {
                            problems.push(self.would_run(start, "", place, READ_IT));
                        }
                        return;
                    }
                    Operands::FarText if far => far = false,
                    Operands::Text | Operands::FarText => {
                        if let Some(next) = (place..self.words.len()).find(|next| self.has_argument(*next))
                            && certain
                        {
                            problems.push(self.would_run(start, "", next, CALL_IT));
                        }
                        return;
                    }
                }
            }
            place += 1;
        }
        if certain && !has_code && matches!(runner.operands, Operands::Script | Operands::Shell) {
            problems.extend(self.reads_code(start));
        }
    }

    /// `ProxyCommand={x}` and its like, behind `-o`.
    fn is_far_command(&self, place: usize) -> bool {
        let begins = self.words.get(place).map(|(_, word)| word.beginning().to_ascii_lowercase());
        let name = begins.as_deref().and_then(|text| text.split(['=', ' ']).next()).unwrap_or_default();
        self.has_argument(place) && (name.is_empty() || name.ends_with("command"))
    }

    fn would_run(&self, program: usize, option: &str, place: usize, hint: &'static str) -> Problem {
        let name = self.literal(program).unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let what = if option.is_empty() { name.to_owned() } else { format!("{name} {option}") };
        let at = self.words.get(place).map(|(at, _)| *at).unwrap_or_default();
        Problem { at, message: format!("{what} would run what a model fills in"), hint }
    }

    fn chooses(&self, program: usize, place: usize) -> Problem {
        let name = self.literal(program).unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let at = self.words.get(place).map(|(at, _)| *at).unwrap_or_default();
        let message = format!("the program is fixed: an argument would choose what {name} runs");
        Problem { at, message, hint: FIX_IT }
    }

    fn reads_code(&self, program: usize) -> Option<Problem> {
        let (at, _) = self.stdin?;
        let name = self.literal(program).unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let message = format!("{name} would run what a model fills in: its code is what it reads");
        Some(Problem { at: *at, message, hint: READ_IT })
    }
}

/// What to write instead.
fn remedy(runner: &Runner) -> &'static str {
    if runner.operands == Operands::Shell { CALL_IT } else { READ_IT }
}

/// Whether an option's value is glued to it.
fn is_glued(option: &str, word: &str) -> bool {
    let rest = word.strip_prefix(option);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || !option.starts_with("--"))
}

/// The option as people write it.
fn option_of(word: &str) -> &str {
    word.split(['=', ' ']).next().unwrap_or_default()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| super::auth_keys::is_variable(name))
}

/// The program by the name it is known by: `/usr/bin/python3.12` is `python`.
fn program_name(text: &str) -> String {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    // Some names end in digits of their own.
    let known = Runner::named(name).is_some() || Launcher::named(name).is_some();
    if known || bare.is_empty() { name.to_owned() } else { bare.to_owned() }
}
