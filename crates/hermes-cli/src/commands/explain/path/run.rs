//! Runs the command.

use hermes_policy::paths::PathOp;
use serde_json::{Map, Value, json};

use super::answer::{answer, for_people};
use super::args::PathArgs;
use super::outcome::Outcome;
use super::row::judge;
use super::setup::Setup;
use crate::commands::explain::rows::each;
use crate::failure::{Failure, exit};
use crate::render::{print_json, print_text};

pub(crate) fn run(args: PathArgs, json: bool) -> Result<u8, Failure> {
    let setup = Setup::new(&args)?;
    let outcome = |row: &Map<String, Value>| match setup.stage(row) {
        Ok(stage) => judge(&stage, row),
        Err(problem) => Outcome::deny("bad_case", &problem),
    };
    if args.jsonl {
        each(|row| answer(row, &outcome(row)))?;
        return Ok(exit::OK);
    }
    if PathOp::named(&args.op).is_none() {
        let known: Vec<&str> = PathOp::ALL.iter().map(|op| op.as_str()).collect();
        return Err(Failure::usage(format!("there is no operation '{}'", args.op))
            .with_hint(format!("It is one of: {}.", known.join(", "))));
    }
    let path =
        args.path.ok_or_else(|| Failure::usage("give a path, such as: hermes explain path ~/.ssh/id_rsa"))?;
    let asked = json!({ "path": path, "op": args.op, "to": args.to });
    let row = asked.as_object().cloned().unwrap_or_default();
    let found = outcome(&row);
    if json {
        print_json(&answer(&row, &found))?
    } else {
        print_text(&for_people(&path, &args.op, &found))?
    }
    Ok(exit::OK)
}
