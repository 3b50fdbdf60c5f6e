//! Runs the command.

use serde_json::{Map, Value, json};

use super::answer::{answer, human};
use super::args::CommandArgs;
use super::judge::Judge;
use super::setup::Setup;
use crate::app::{GlobalOptions, Surroundings};
use crate::commands::explain::rows::{each, fields};
use crate::failure::{Failure, exit};
use crate::render::{print_json, print_text};

pub(crate) async fn run(args: CommandArgs, global: &GlobalOptions) -> Result<u8, Failure> {
    let setup = Setup::new(&args)?;
    let mut judge = Judge::new(where_started(global)?).await?;
    if args.jsonl {
        each(|row| judged(row, &setup, &mut judge))?;
        return Ok(exit::OK);
    }
    let command = args.command.ok_or_else(|| {
        Failure::usage("give a command, such as: hermes explain command 'git push --force'")
    })?;
    let scene = setup.scene(&Map::new(), judge.links()).map_err(Failure::usage)?;
    let judgement = judge.judge(&command, &scene)?;
    match global.json {
        true => print_json(&answer(&judgement))?,
        false => print_text(&human(&command, &judgement))?,
    }
    Ok(exit::OK)
}

fn judged(row: &Map<String, Value>, setup: &Setup, judge: &mut Judge) -> Map<String, Value> {
    let Some(command) = row.get("command").and_then(Value::as_str) else {
        return fields([("error", json!("the case has no 'command'"))]);
    };
    let scene = match setup.scene(row, judge.links()) {
        Ok(scene) => scene,
        Err(problem) => return fields([("error", problem.into())]),
    };
    let command = command.replace("{CONF}", &scene.own.display().to_string());
    match judge.judge(&command, &scene) {
        Ok(judgement) => answer(&judgement),
        Err(failure) => fields([("error", json!(failure.message))]),
    }
}

/// The configuration and the policy that are in force where the program was started; --home and --cwd set the
/// stage of the case and not where Hermes looks for its files.
fn where_started(global: &GlobalOptions) -> Result<Surroundings, Failure> {
    let home = std::env::var_os("HERMES_HOME").map(Into::into);
    Surroundings::discover(&GlobalOptions { home, cwd: None, ..global.clone() })
}
