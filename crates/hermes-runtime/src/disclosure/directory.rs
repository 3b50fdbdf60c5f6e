//! The servers behind the bridge, in a few words: what a model can search for without asking first.

use std::collections::BTreeMap;

use hermes_core::Owner;

use crate::catalog::Listed;

/// Servers that are named; the others are counted.
const MOST_NAMED: usize = 60;
/// Letters of all names together.
const MOST_LETTERS: usize = 900;

/// The server, file, plugin or toolset that a tool comes from, and what kind of thing that is.
pub(super) fn source_of(tool: &Listed) -> (&'static str, &str) {
    match &tool.entry.owner {
        Owner::Mcp(id) => ("mcp", id),
        Owner::Plugin(id) => ("plugin", id),
        Owner::Yaml(id) => ("yaml", id),
        Owner::BuiltIn => ("builtin", &tool.entry.info().toolset),
        Owner::Host => ("other", &tool.entry.info().toolset),
    }
}

/// Sources with the number of their deferred tools, by name.
pub(super) fn sources<'a>(deferred: impl Iterator<Item = &'a Listed>) -> BTreeMap<String, usize> {
    let mut sources = BTreeMap::new();
    for tool in deferred {
        *sources.entry(source_of(tool).1.to_owned()).or_default() += 1;
    }
    sources
}

/// `github (26), slack (8) and 3 more`, by name.
pub(super) fn in_words(sources: &BTreeMap<String, usize>) -> String {
    let mut text = String::new();
    let mut named = 0;
    for (name, count) in sources.iter().take(MOST_NAMED) {
        let next = format!("{name} ({count})");
        if text.len() + next.len() > MOST_LETTERS {
            break;
        }
        if named > 0 {
            text.push_str(", ");
        }
        text.push_str(&next);
        named += 1;
    }
    match sources.len() - named {
        0 => text,
        more if named == 0 => format!("{more} sources"),
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_bounded() {
        let few = BTreeMap::from([("slack".to_owned(), 8), ("github".to_owned(), 26)]);
        assert_eq!(in_words(&few), "github (26), slack (8)");
        let many: BTreeMap<String, usize> =
            (0..500).map(|number| (format!("server-{number:03}"), 1)).collect();
        let text = in_words(&many);
        assert!(text.len() < MOST_LETTERS + 40 && text.ends_with("more"), "{text}");
        assert_eq!(in_words(&BTreeMap::new()), "");
    }
}
