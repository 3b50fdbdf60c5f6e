//! The rule files, and how they are read.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::check::RuleError;
use super::launcher::Launcher;
use super::lists::{Family, Language, Lists};
use super::options::LaunchOption;
use super::program::Program;
use super::rules::Rules;
use super::variables::Variable;

macro_rules! rule_file {
    ($name:literal) => {
        ($name, include_str!(concat!("../rules/", $name)))
    };
}

const PROGRAMS: &[(&str, &str)] = &[
    rule_file!("programs/accounts.yaml"),
    rule_file!("programs/cloud.yaml"),
    rule_file!("programs/clusters.yaml"),
    rule_file!("programs/containers.yaml"),
    rule_file!("programs/databases.yaml"),
    rule_file!("programs/desktop.yaml"),
    rule_file!("programs/git.yaml"),
    rule_file!("programs/hermes.yaml"),
    rule_file!("programs/hosting.yaml"),
    rule_file!("programs/infrastructure.yaml"),
    rule_file!("programs/kernel.yaml"),
    rule_file!("programs/migrations.yaml"),
    rule_file!("programs/network.yaml"),
    rule_file!("programs/packages.yaml"),
    rule_file!("programs/power.yaml"),
    rule_file!("programs/queues.yaml"),
    rule_file!("programs/registries.yaml"),
    rule_file!("programs/secrets.yaml"),
    rule_file!("programs/services.yaml"),
    rule_file!("programs/shell.yaml"),
    rule_file!("programs/storage.yaml"),
    rule_file!("programs/tools.yaml"),
    rule_file!("programs/version_control.yaml"),
    rule_file!("programs/windows.yaml"),
];

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
    let mut rules = Rules::default();
    rules.launchers = read::<LauncherFile>(rule_file!("launchers.yaml"))?.launchers;
    rules.languages = read::<LanguageFile>(rule_file!("languages.yaml"))?.languages;
    rules.options = read::<OptionFile>(rule_file!("launch_options.yaml"))?.options;
    rules.variables = read::<VariableFile>(rule_file!("variables.yaml"))?.variables;
    rules.lists = read::<Lists>(rule_file!("lists.yaml"))?;
    for file in PROGRAMS {
        rules.programs.extend(read::<ProgramFile>(*file)?.programs);
    }
    let families = read::<HashMap<Family, Vec<String>>>(rule_file!("families.yaml"))?;
    rules.index(families).map_err(|problem| RuleError::new("rules", "names", problem))?;
    Ok(rules)
}

fn read<T: DeserializeOwned>((file, text): (&str, &str)) -> Result<T, RuleError> {
    serde_saphyr::from_str(text).map_err(|error| RuleError::new(file, "syntax", error.to_string()))
}
