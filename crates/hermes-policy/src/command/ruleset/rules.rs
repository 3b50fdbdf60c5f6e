//! All knowledge, ready for looking up by program name.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::check::{self, RuleError};
use super::files;
use super::launcher::Launcher;
use super::lists::{Family, Language, Lists};
use super::options::LaunchOption;
use super::program::Program;
use super::variables::Variable;
use crate::shell::{KnownPattern, glob_matches};

/// What is known about programs. The shipped rules are read once, when the first command is judged.
#[derive(Debug, Default)]
pub struct Rules {
    pub(crate) programs: Vec<Program>,
    pub(crate) launchers: Vec<Launcher>,
    pub(crate) languages: Vec<Language>,
    pub(crate) options: Vec<LaunchOption>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) lists: Lists,
    families: HashMap<String, Family>,
    program_of: HashMap<String, usize>,
    launchers_of: HashMap<String, Vec<usize>>,
    language_of: HashMap<String, usize>,
    options_of: HashMap<String, Vec<usize>>,
    variable_of: HashMap<String, usize>,
    patterns: Vec<(String, usize)>,
    /// Those names of build output that are patterns.
    pub(crate) build_patterns: Vec<KnownPattern>,
    sets: HashMap<&'static str, HashSet<String>>,
}

impl Rules {
    /// The rules that come with Hermes; an error names the file that cannot be read.
    pub fn shipped() -> Result<&'static Rules, &'static RuleError> {
        static SHIPPED: LazyLock<Result<Rules, RuleError>> = LazyLock::new(files::load);
        SHIPPED.as_ref()
    }

    /// Judges every example of the shipped rules; returns how many there are, or all that fail.
    pub fn check_shipped() -> Result<usize, Vec<RuleError>> {
        check::check(Self::shipped().map_err(|error| vec![error.clone()])?)
    }

    pub(super) fn index(&mut self, families: HashMap<Family, Vec<String>>) -> Result<(), String> {
        for (family, names) in families {
            for name in names {
                if self.families.insert(name.clone(), family).is_some() {
                    return Err(format!("{name} is in two families"));
                }
            }
        }
        for program in &mut self.programs {
            program.learn_values();
        }
        self.program_of = by_name(self.programs.iter().map(|program| &program.names))?;
        self.language_of = by_name(self.languages.iter().map(|language| &language.names))?;
        self.variable_of = by_name(self.variables.iter().map(|variable| &variable.names))?;
        let patterns = self.variables.iter().enumerate();
        self.patterns = patterns
            .flat_map(|(place, variable)| {
                variable.patterns.iter().map(move |pattern| (pattern.clone(), place))
            })
            .collect();
        for (place, launcher) in self.launchers.iter().enumerate() {
            for name in &launcher.names {
                self.launchers_of.entry(name.clone()).or_default().push(place);
            }
        }
        for (place, option) in self.options.iter().enumerate() {
            for name in &option.names {
                self.options_of.entry(name.clone()).or_default().push(place);
            }
        }
        let lists = &self.lists;
        let patterns = lists.build_output.iter().filter(|name| name.contains('*'));
        self.build_patterns = patterns.map(|name| KnownPattern::new(name)).collect();
        for (name, words) in [
            ("build_output", &lists.build_output),
            ("loss", &lists.loss),
            ("secrets", &lists.secrets),
            ("upload", &lists.upload),
            ("release", &lists.release),
            ("rehearsals", &lists.rehearsals),
            ("launch_options", &lists.launch_options),
            ("output_options", &lists.output_options),
            ("tool_variables", &lists.tool_variables),
            ("daemons", &lists.daemons),
            ("chores", &lists.chores),
            ("helpers", &lists.helpers),
        ] {
            self.sets.insert(name, words.iter().cloned().collect());
        }
        Ok(())
    }

    pub(crate) fn family(&self, program: &str) -> Option<Family> {
        self.families.get(program).copied()
    }

    pub(crate) fn program(&self, name: &str) -> Option<&Program> {
        self.program_of.get(name).and_then(|place| self.programs.get(*place))
    }

    pub(crate) fn language(&self, name: &str) -> Option<&Language> {
        let known = self.language_of.get(name).or_else(|| {
            // `python3.12`, `lua5.4`, `php8`: the version is no part of the name.
            let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
            if plain.len() < name.len() { self.language_of.get(plain) } else { None }
        });
        known.and_then(|place| self.languages.get(*place))
    }

    pub(crate) fn launchers(&self, name: &str) -> impl Iterator<Item = &Launcher> {
        let places = self.launchers_of.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.launchers.get(*place))
    }

    pub(crate) fn launch_options(&self, name: &str) -> impl Iterator<Item = &LaunchOption> {
        let places = self.options_of.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.options.get(*place))
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Variable> {
        let exact = self.variable_of.get(name);
        let place = exact.or_else(|| {
            self.patterns.iter().find(|(pattern, _)| glob_matches(pattern, name)).map(|(_, place)| place)
        })?;
        self.variables.get(*place)
    }

    pub(crate) fn lists(&self, list: &'static str, word: &str) -> bool {
        self.sets.get(list).is_some_and(|words| words.contains(word))
    }

    /// Whether anything at all is known about a program of this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.family(name).is_some()
            || self.program_of.contains_key(name)
            || self.launchers_of.contains_key(name)
            || self.language(name).is_some()
    }
}

fn by_name<'a>(lists: impl Iterator<Item = &'a Vec<String>>) -> Result<HashMap<String, usize>, String> {
    let mut found = HashMap::new();
    for (place, names) in lists.enumerate() {
        for name in names {
            if found.insert(name.clone(), place).is_some() {
                return Err(format!("{name} is described twice"));
            }
        }
    }
    Ok(found)
}
