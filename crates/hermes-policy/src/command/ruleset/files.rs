//! The rule files, and how they are read. `build.rs` turns their YAML into JSON, which is read many times faster.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::check::RuleError;
use super::launcher::Launcher;
use super::lists::{Family, Language, Lists};
use super::options::LaunchOption;
use super::program::Program;
use super::rules::Rules;
use super::variables::Variable;

/// All files of `rules/`, by their names there.
const FILES: &str = include_str!(concat!(env!("OUT_DIR"), "/rules.json"));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramFile {
    programs: Vec<Program>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LauncherFile {
    launchers: Vec<Launcher>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageFile {
    languages: Vec<Language>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionFile {
    options: Vec<LaunchOption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariableFile {
    variables: Vec<Variable>,
}

pub(super) fn load() -> Result<Rules, RuleError> {
    let mut files: Map<String, Value> =
        serde_json::from_str(FILES).map_err(|error| RuleError::new("rules", "syntax", error.to_string()))?;
    let mut rules = Rules::default();
    rules.launchers = take::<LauncherFile>(&mut files, "launchers.yaml")?.launchers;
    rules.languages = take::<LanguageFile>(&mut files, "languages.yaml")?.languages;
    rules.options = take::<OptionFile>(&mut files, "launch_options.yaml")?.options;
    rules.variables = take::<VariableFile>(&mut files, "variables.yaml")?.variables;
    rules.lists = take::<Lists>(&mut files, "lists.yaml")?;
    let families = take::<HashMap<Family, Vec<String>>>(&mut files, "families.yaml")?;
    for (file, content) in files {
        rules.programs.extend(read::<ProgramFile>(&file, content)?.programs);
    }
    rules.index(families).map_err(|problem| RuleError::new("rules", "names", problem))?;
    Ok(rules)
}

fn take<T: DeserializeOwned>(files: &mut Map<String, Value>, file: &str) -> Result<T, RuleError> {
    read(file, files.remove(file).unwrap_or_default())
}

fn read<T: DeserializeOwned>(file: &str, content: Value) -> Result<T, RuleError> {
    serde_json::from_value(content).map_err(|error| RuleError::new(file, "syntax", error.to_string()))
}
