//! A registered tool as something to find.

use hermes_core::{Owner, ToolInfo};
use hermes_search::Document;

use super::settings::SearchSettings;

/// What of a tool is searched.
pub(super) fn document(info: &ToolInfo, owner: &Owner, settings: &SearchSettings) -> Document {
    let server = match owner {
        Owner::Mcp(id) | Owner::Plugin(id) | Owner::Yaml(id) => id.clone(),
        Owner::BuiltIn | Owner::Host => info.toolset.clone(),
    };
    let mut aliases: Vec<String> = info.all_names().skip(1).map(str::to_owned).collect();
    aliases.extend(info.tags.iter().cloned());
    aliases.extend(settings.aliases.get(&info.name).into_iter().flatten().cloned());
    Document {
        bare: bare_name(&info.name, owner),
        name: info.name.clone(),
        server,
        description: info.description.clone(),
        parameters: info.parameters.clone(),
        aliases,
    }
}

/// The tool's part of `mcp_<server>_<tool>`, however the server's name had to be spelled there.
fn bare_name(name: &str, owner: &Owner) -> String {
    let Owner::Mcp(server) = owner else { return name.to_owned() };
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let Some(rest) = name.strip_prefix("mcp_") else { return name.to_owned() };
    let wanted = plain(server);
    let mut seen = String::new();
    for (at, letter) in rest.char_indices() {
        if seen == wanted {
            let bare = rest.get(at..).unwrap_or_default().trim_start_matches(['_', '-', '.']);
            return if bare.is_empty() { name.to_owned() } else { bare.to_owned() };
        }
        seen.push_str(&plain(letter.encode_utf8(&mut [0; 4])));
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_taken_off_a_name() {
        let bare = |name: &str, server: &str| bare_name(name, &Owner::Mcp(server.to_owned()));
        assert_eq!(bare("mcp_github_create_issue", "github"), "create_issue");
        assert_eq!(bare("mcp__git-hub__create_issue", "git-hub"), "create_issue");
        assert_eq!(bare("mcp_git_hub_create", "Git Hub"), "create");
        assert_eq!(bare("mcp_other_thing", "github"), "mcp_other_thing");
        assert_eq!(bare_name("read_file", &Owner::BuiltIn), "read_file");
    }
}
