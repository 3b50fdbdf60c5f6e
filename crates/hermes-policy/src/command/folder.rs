//! The working folder, followed through `cd` and back out of subshells.

use super::args::Arg;
use super::place::normal;
use crate::shell::{Script, joined};

/// A folder with a longer name was not walked into by somebody who wanted to work there: it is not followed any more,
/// and what is deleted there is asked about.
const LONGEST: usize = 1024;

pub(crate) struct Folders {
    here: Option<String>,
    before: Option<String>,
    /// Folders to return to when a subshell ends.
    stack: Vec<Option<String>>,
    pushed: Vec<Option<String>>,
    /// Where the last command of the script itself ended.
    end: usize,
    /// The folder inside the substitution that is being read, once it was changed there.
    inside: Option<Option<String>>,
    /// Where the last command of that substitution ended.
    inside_end: usize,
}

impl Folders {
    pub fn new(here: Option<String>) -> Self {
        Folders {
            here,
            before: None,
            stack: Vec::new(),
            pushed: Vec::new(),
            end: 0,
            inside: None,
            inside_end: 0,
        }
    }

    pub fn here(&self) -> Option<String> {
        self.inside.clone().unwrap_or_else(|| self.here.clone())
    }

    /// Takes notice of parentheses between the last command and this one.
    pub fn step(&mut self, text: &str, script: &Script, index: usize) {
        let Some(command) = script.commands.get(index) else { return };
        let gap = text.get(self.inside_end..command.span.start);
        // Inside backquotes all commands stand at one place.
        if !command.in_substitution || gap.is_some_and(|gap| gap.contains([')', '`'])) {
            self.inside = None;
        }
        self.inside_end = command.span.end;
        if command.in_substitution {
            return;
        }
        if let Some(gap) = text.get(self.end..command.span.start) {
            for letter in gap.bytes() {
                match letter {
                    b'(' => self.stack.push(self.here.clone()),
                    b')' => {
                        if let Some(outer) = self.stack.pop() {
                            self.here = outer;
                        }
                    }
                    _ => {}
                }
            }
        }
        self.end = self.end.max(command.span.end);
    }

    /// `cd` inside a substitution: it holds to the end of that.
    pub fn change_inside(&mut self, args: &[Arg], home: &str) {
        let target = args.iter().find(|arg| !arg.text.starts_with('-'));
        self.inside = Some(match target {
            None => Some(home.to_owned()),
            Some(arg) => self.resolve(arg, home),
        });
    }

    /// `cd`, `pushd` and `popd`.
    pub fn change(&mut self, name: &str, args: &[Arg], home: &str) {
        let target = args.iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
        let next = match (name, target) {
            ("popd", _) => self.pushed.pop().flatten(),
            ("pushd", None) => None,
            (_, None) => Some(home.to_owned()),
            (_, Some(arg)) if arg.text == "-" => self.before.clone(),
            (_, Some(arg)) => self.resolve(arg, home),
        };
        if name == "pushd" {
            self.pushed.push(self.here.clone());
        }
        self.before = std::mem::replace(&mut self.here, next);
    }

    fn resolve(&self, arg: &Arg, home: &str) -> Option<String> {
        if let Some(hint) = arg.hints.first() {
            // Commands that name the workspace or a fresh temporary folder.
            let stays =
                ["git rev-parse --show-toplevel", "dirname", "pwd"].iter().any(|name| hint.contains(name));
            return match (stays && !arg.text.contains(".."), hint.contains("mktemp")) {
                (true, _) => self.here(),
                (_, true) => Some("/tmp/fresh".to_owned()),
                _ => None,
            };
        }
        let text = arg.text.as_str();
        if text.starts_with('/') {
            Some(normal(text))
        } else if text == "~" || text.starts_with("~/") {
            Some(normal(&format!("{home}{}", text.get(1..).unwrap_or(""))))
        } else {
            joined(self.here().as_deref(), text).filter(|path| path.len() <= LONGEST)
        }
    }
}
