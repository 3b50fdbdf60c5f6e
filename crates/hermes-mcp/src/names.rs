//! How a server's tools are called here: `mcp_<server>_<tool>`, in letters every provider takes, at most 64 of
//! them, each name meaning one tool.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// What every provider accepts.
const MAX_NAME: usize = 64;
/// Hexadecimal digits of the mark that tells cut or colliding names apart.
const MARK: usize = 8;

/// A tool's name here, and the other spelling that reaches it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) alias: Option<String>,
}

/// Names for all tools of a server, in their order. `taken` holds what other servers use; duplicates of the
/// same raw name have no name of their own.
pub(crate) fn assign(server: &str, tools: &[&str], taken: &BTreeSet<String>) -> Vec<Option<Named>> {
    let mut used = taken.clone();
    let mut names: Vec<Option<Named>> = vec![None; tools.len()];
    let mut seen = BTreeSet::new();
    // Tools whose names need no change choose first, whatever their place in the list.
    for exact_ones in [true, false] {
        for (place, tool) in names.iter_mut().zip(tools) {
            if place.is_none() && (sanitise(tool) == **tool) == exact_ones && seen.insert(*tool) {
                *place = Some(choose(server, tool, &mut used));
            }
        }
    }
    names
}

/// The toolset of a server's tools.
pub(crate) fn toolset(server: &str) -> String {
    format!("mcp-{server}")
}

fn choose(server: &str, tool: &str, used: &mut BTreeSet<String>) -> Named {
    let (server_part, tool_part) = (sanitise(server), sanitise(tool));
    let plain = format!("mcp_{server_part}_{tool_part}");
    let name =
        if plain.len() <= MAX_NAME && !used.contains(&plain) { plain } else { marked(&plain, server, tool) };
    used.insert(name.clone());
    let alias = format!("mcp__{server_part}__{tool_part}");
    let alias = (alias.len() <= MAX_NAME && used.insert(alias.clone())).then_some(alias);
    Named { name, alias }
}

/// The name with a mark made from what it stands for, so that it is the same in every process.
fn marked(plain: &str, server: &str, tool: &str) -> String {
    let digest = Sha256::new().chain_update(server).chain_update([0]).chain_update(tool).finalize();
    let mut name: String = plain.chars().take(MAX_NAME - MARK - 1).collect();
    name.push('_');
    for byte in digest.iter().take(MARK / 2) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

fn sanitise(part: &str) -> String {
    part.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(server: &str, tools: &[&str]) -> Vec<String> {
        let named = assign(server, tools, &BTreeSet::new());
        named.into_iter().map(|named| named.map_or(String::new(), |named| named.name)).collect()
    }

    #[test]
    fn plain_names_stay_and_odd_ones_are_cleaned() {
        assert_eq!(names("github", &["create_issue"]), ["mcp_github_create_issue"]);
        assert_eq!(
            names("my.server", &["get-sum", "größe"]),
            ["mcp_my_server_get_sum", "mcp_my_server_gr__e"]
        );
    }

    #[test]
    fn colliding_names_are_told_apart_whatever_their_order() {
        let one = names("s", &["a.b", "a_b", "a-b"]);
        let other = names("s", &["a-b", "a_b", "a.b"]);
        assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), 3, "{one:?}");
        assert_eq!(one.get(1).map(String::as_str), Some("mcp_s_a_b"), "the exact name keeps it");
        assert_eq!(other.get(1).map(String::as_str), Some("mcp_s_a_b"));
        assert_eq!(names("s", &["x", "x"]), ["mcp_s_x", ""], "a duplicate has no name of its own");
    }

    #[test]
    fn long_names_are_cut_with_a_stable_mark() {
        let long = "t".repeat(90);
        let longer = format!("{long}x");
        let cut = names("server", &[&long, &longer]);
        assert!(cut.iter().all(|name| name.len() == 64), "{cut:?}");
        assert_ne!(cut.first(), cut.get(1));
        assert_eq!(cut, names("server", &[&long, &longer]));
    }

    #[test]
    fn names_of_other_servers_are_not_taken_twice() {
        let first = names("a", &["b_c"]);
        let second = assign("a_b", &["c"], &first.iter().cloned().collect());
        let second = second.into_iter().flatten().next().unwrap();
        assert_ne!(first.first(), Some(&second.name));
    }
}
