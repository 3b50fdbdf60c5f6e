//! From the words to the deed.

use super::args::ToolCommand;
use super::{list, register, test};
use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, print_text};

pub(crate) async fn run(
    command: ToolCommand,
    surroundings: Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    match command {
        ToolCommand::Register { config, overriding } => {
            register::register(&config, overriding, &surroundings, json, style).await
        }
        ToolCommand::Validate { file } => register::validate(&file, &surroundings, json, style),
        ToolCommand::Test { name, args, config } => test::test(name, args, config, surroundings, json).await,
        ToolCommand::List => list::list(&surroundings, json, style),
        ToolCommand::Remove { file_or_tool } => register::remove(&file_or_tool, &surroundings),
        ToolCommand::Schema => {
            print_text(hermes_plugins::yaml::FILE_SCHEMA)?;
            Ok(exit::OK)
        }
    }
}
