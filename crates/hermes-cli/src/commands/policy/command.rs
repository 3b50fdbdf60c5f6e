//! The subcommands.

use std::path::PathBuf;

use clap::Subcommand;

use super::{explain, lint, profiles, test, trust};
use crate::app::{App, PolicyMaker, Surroundings, registry, toolsets};
use crate::failure::{Failure, exit};
use crate::render::Style;

#[derive(Subcommand, Debug)]
pub(crate) enum PolicyCommand {
    /// Say how a call would be judged: every level's answer and the rule that decides
    Explain {
        /// A request, a call {"name", "arguments"}, or {"tool", "access": [{"permission", "path"|"host"|"command"}]},
        /// both with an "actor" if it is not the user; '-' reads standard input
        #[arg(default_value = "-", value_name = "CALL.json")]
        file: PathBuf,
        /// Also judge by this file in place of yours, and show where it differs
        #[arg(long, value_name = "FILE")]
        shadow: Option<PathBuf>,
        /// Who makes the calls that name nobody, such as subagent:editor [default: user]
        #[arg(long, value_name = "NAME")]
        actor: Option<String>,
    },
    /// Hold a list of cases against the policy; fails if one does not come out as expected
    Test {
        /// A YAML list of {name, call: {name, arguments}, actor?, profile?, expect: allow|ask|deny, rule?}
        #[arg(value_name = "CASES.yaml")]
        file: PathBuf,
        /// Also judge by this file in place of yours, and show where it differs
        #[arg(long, value_name = "FILE")]
        shadow: Option<PathBuf>,
    },
    /// Find mistakes, contradictions and rules that can never take effect
    Lint {
        /// This file instead of those in force
        file: Option<PathBuf>,
    },
    /// List the profiles, or show what one says
    Profiles {
        /// One profile in full; all of them without it
        name: Option<String>,
    },
    /// Agree to the project's policy file, or another, as it is now
    Trust {
        /// The file; the one of this project without it
        file: Option<PathBuf>,
    },
    /// Take that agreement back
    Untrust {
        /// The file; the one of this project without it
        file: Option<PathBuf>,
    },
}

pub(crate) async fn run(
    command: PolicyCommand,
    surroundings: Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    match command {
        PolicyCommand::Explain { file, shadow, actor } => {
            let app = App::for_looking(surroundings).await?;
            explain::run(&file, shadow.as_deref(), actor.as_deref(), &app, json, style).await
        }
        PolicyCommand::Test { file, shadow } => {
            let app = App::for_looking(surroundings).await?;
            test::run(&file, shadow.as_deref(), &app, json, style).await
        }
        // These must work where the policy itself is broken.
        PolicyCommand::Lint { file } => lint::run(file.as_deref(), &maker(&surroundings).await?, json, style),
        PolicyCommand::Profiles { name } => {
            profiles::run(name.as_deref(), &maker(&surroundings).await?, json, style)
        }
        PolicyCommand::Trust { file } => {
            trust::trust(file.as_deref(), &surroundings, &maker(&surroundings).await?, style)?;
            Ok(exit::OK)
        }
        PolicyCommand::Untrust { file } => {
            trust::untrust(file.as_deref(), &surroundings, style)?;
            Ok(exit::OK)
        }
    }
}

async fn maker(surroundings: &Surroundings) -> Result<PolicyMaker, Failure> {
    let registered = registry(surroundings).await?.0.snapshot();
    PolicyMaker::new(surroundings, &registered, &toolsets(surroundings.config())?)
}
