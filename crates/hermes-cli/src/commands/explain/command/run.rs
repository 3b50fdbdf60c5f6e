//! Runs the command.

use hermes_policy::command::{UserRules, judge_on};
use serde_json::{Map, Value, json};

use super::answer::{answer, human};
use super::args::CommandArgs;
use super::setup::Setup;
use crate::app::{GlobalOptions, Surroundings, dangerous_commands};
use crate::commands::explain::rows::{each, fields};
use crate::failure::{Failure, exit};
use crate::render::{print_json, print_text};

pub(crate) fn run(args: CommandArgs, global: &GlobalOptions) -> Result<u8, Failure> {
    let setup = Setup::new(&args)?;
    let rules = user_rules(global)?;
    if args.jsonl {
        each(|row| judged(row, &setup, &rules))?;
        return Ok(exit::OK);
    }
    let command = args.command.ok_or_else(|| {
        Failure::usage("give a command, such as: hermes explain command 'git push --force'")
    })?;
    let judgement = judge_on(&command, &setup.stages(&Map::new()).map_err(Failure::usage)?, &rules);
    match global.json {
        true => print_json(&answer(&judgement))?,
        false => print_text(&human(&command, &judgement))?,
    }
    Ok(exit::OK)
}

fn judged(row: &Map<String, Value>, setup: &Setup, rules: &UserRules) -> Map<String, Value> {
    let Some(command) = row.get("command").and_then(Value::as_str) else {
        return fields([("error", json!("the case has no 'command'"))]);
    };
    let stages = match setup.stages(row) {
        Ok(stages) => stages,
        Err(problem) => return fields([("error", problem.into())]),
    };
    let own = stages.first().map(|stage| stage.hermes_home.as_str()).unwrap_or_default();
    answer(&judge_on(&command.replace("{CONF}", own), &stages, rules))
}

/// The rules of the configuration that is in force where the program was started; --home and --cwd set the
/// stage of the case and not where Hermes looks for its files.
fn user_rules(global: &GlobalOptions) -> Result<UserRules, Failure> {
    let home = std::env::var_os("HERMES_HOME").map(Into::into);
    let global = GlobalOptions { home, cwd: None, ..global.clone() };
    dangerous_commands(&Surroundings::discover(&global)?)
}
