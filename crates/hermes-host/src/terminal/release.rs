//! The way back for a session whose variables were turned against it: a line that only takes variables away needs none of
//! them, so none of them is a reason to ask about it.

use std::collections::BTreeMap;

use super::state::ShellState;
use crate::env_file::is_name;

/// The names that a line takes away and nothing else: `unset A B`.
pub(super) fn unset_only(line: &str) -> Option<Vec<String>> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    if words.next() != Some("unset") {
        return None;
    }
    let names: Vec<&str> = words.skip_while(|word| *word == "-v").collect();
    let are_names = !names.is_empty() && names.iter().all(|name| is_name(name));
    are_names.then(|| names.into_iter().map(str::to_owned).collect())
}

impl ShellState {
    /// The shell that runs such a line: where the session stands, with what every session begins with.
    pub(super) fn bare(&self) -> Self {
        ShellState { cwd: self.cwd.clone(), changed: BTreeMap::new() }
    }

    pub(super) fn without(&self, names: &[String], base: &BTreeMap<String, String>) -> Self {
        let mut after = self.clone();
        for name in names {
            if base.contains_key(name) {
                after.changed.insert(name.clone(), None);
            } else {
                after.changed.remove(name);
            }
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_does_more_is_none() {
        assert_eq!(unset_only(" unset BASH_ENV\tPATH ").unwrap(), ["BASH_ENV", "PATH"]);
        assert_eq!(unset_only("unset -v A").unwrap(), ["A"]);
        for more in [
            "unset",
            "unset -f ls",
            "unset A; ls",
            "unset $(x)",
            "unset A\nls",
            "unset 'A'",
            "echo",
            "unset A=B",
            "unset a[0]",
        ] {
            assert_eq!(unset_only(more), None, "{more}");
        }
    }
}
