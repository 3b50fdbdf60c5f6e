//! From the words to the deed.

use std::path::{Component, Path, PathBuf};

use hermes_plugins::plugin::{Folders, Language, scaffold};

use super::args::{PluginsCommand, Written};
use super::{check, enable, install, list};
use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, print_text};

pub(crate) async fn run(
    command: PluginsCommand,
    surroundings: Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let folders = Folders::new(&surroundings.home, &surroundings.cwd);
    match command {
        PluginsCommand::List => list::list(&folders, &surroundings, json, style),
        PluginsCommand::Install { path, enable, permissions } => {
            install::install(&path, enable, &permissions, &folders, &surroundings, style).await
        }
        PluginsCommand::Enable { id } => enable::enable(&id, &folders, &surroundings, style).await,
        PluginsCommand::Disable { id } => enable::disable(&id, &surroundings),
        PluginsCommand::Check { plugin } => check::check(&plugin, &folders, &surroundings, json, style).await,
        PluginsCommand::New { id, language, into } => {
            let language = match language {
                Written::Python => Language::Python,
                Written::Node => Language::Node,
                Written::Shell => Language::Shell,
                Written::Rust => Language::Rust,
            };
            let parent = without_dots(&surroundings.cwd.join(&into));
            let build = scaffold(&parent, &id, language).map_err(Failure::answer_is_no)?;
            print_text(&format!("{} {}\n", style.good("written"), parent.join(&id).display()))?;
            if let Some(build) = build {
                print_text(&format!("  make its program there with: {build}\n"))?;
            }
            let shown = without_dots(&into.join(&id));
            let shown = shown.display();
            print_text(&format!(
                "  'hermes plugins check {shown}' tries it, 'hermes plugins install {shown} --enable' lets it run\n"
            ))?;
            Ok(exit::OK)
        }
    }
}

/// The same path without parts that mean "here".
fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}
