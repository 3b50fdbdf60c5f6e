//! From another client's file to the user's configuration.

use hermes_core::text::visible;
use serde_json::Map;

use super::read::read;
use super::shown::without_secrets;
use super::translate::{Translated, translate};
use crate::app::{Surroundings, check_name, check_server};
use crate::commands::mcp::args::ImportArgs;
use crate::commands::mcp::config_text;
use crate::failure::Failure;
use crate::render::{Style, print_text};

pub(in crate::commands::mcp) fn run(
    args: &ImportArgs,
    surroundings: &Surroundings,
    style: Style,
) -> Result<(), Failure> {
    let file = read(&args.file)?;
    let shown = args.file.display();
    if let Some(unknown) =
        args.names.iter().find(|name| !file.servers.iter().any(|(known, _)| known == *name))
    {
        return Err(Failure::usage(format!("{shown} has no server '{}'", visible(unknown))));
    }
    for elsewhere in &file.elsewhere {
        print_text(&format!("{} {}\n", style.dim("not looked at:"), visible(elsewhere)))?;
    }
    let wanted = file.servers.iter().filter(|(name, _)| args.names.is_empty() || args.names.contains(name));
    let (mut all, mut left_out) = (0, 0);
    for (name, server) in wanted {
        all += 1;
        let usable = match surroundings.config().mcp_servers.contains_key(name) {
            true => Err("there is one already".to_owned()),
            false => check_name(name).and_then(|()| translate(server, file.client)).and_then(|translated| {
                check_server(name, &translated.entry, surroundings)?;
                Ok(translated)
            }),
        };
        let name = visible(name);
        match usable {
            Ok(Translated { server, mut notes, .. }) => {
                let (shown, in_the_clear) = without_secrets(&server);
                notes.extend(in_the_clear);
                if args.dry_run {
                    print_text(&format!("{name}: {}\n", visible(&shown.to_string())))?;
                } else {
                    config_text::put(surroundings, &name, server.as_object().unwrap_or(&Map::new()))?;
                    print_text(&format!("{} {name}\n", style.good("imported")))?;
                }
                for note in notes {
                    print_text(&format!("  {} {}\n", style.warning("note:"), visible(&note)))?;
                }
            }
            Err(reason) => {
                left_out += 1;
                print_text(&format!("{} {name}: {}\n", style.warning("left out"), visible(&reason)))?;
            }
        }
    }
    match left_out {
        0 => Ok(()),
        left_out => Err(Failure::answer_is_no(format!("{left_out} of {all} servers were left out"))),
    }
}
