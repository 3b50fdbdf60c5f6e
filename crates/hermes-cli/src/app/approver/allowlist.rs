//! `command_allowlist` of the configuration: commands that were allowed for good, in the user's own file where
//! everybody can read and edit them. Each is a grant without an end.

use hermes_core::grant::{NewGrant, Pattern, Scope};
use hermes_host::home::Home;
use hermes_runtime::config::{Config, Origin};
use serde_json::Value;

use crate::app::surroundings::Surroundings;
use crate::app::trust::digest;
use crate::app::user_config::{by_hand, change, lines, read};
use crate::failure::Failure;

const SECTION: &str = "command_allowlist";
/// How the ids begin, to tell them from grants of the ledger.
const MARK: &str = "c-";

/// The list as it is now: other processes and the user change it.
#[derive(Clone, Debug)]
pub(crate) struct Allowlist {
    home: Home,
    /// Which of the two lists the user's own file says; the other layers are as they were at the start.
    own: [bool; 2],
    fixed: Vec<String>,
}

/// One command of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed {
    pub(crate) id: String,
    pub(crate) command: String,
}

impl Allowed {
    fn of(command: &str) -> Self {
        let id = digest(command).chars().take(8).collect::<String>();
        Allowed { id: format!("{MARK}{id}"), command: command.to_owned() }
    }
}

impl Allowlist {
    pub(crate) fn of(surroundings: &Surroundings) -> Self {
        let own = ["approvals.command_allowlist", SECTION].map(|key| {
            let origin = surroundings.loaded.why(key).map(|why| why.origin.origin);
            origin.map_or(true, |origin| matches!(origin, Origin::Defaults | Origin::UserFile(_)))
        });
        let fixed = lists(surroundings.config()).into_iter().zip(own);
        let fixed = fixed.filter(|(_, own)| !own).flat_map(|(list, _)| list.clone()).collect();
        Allowlist { home: surroundings.home.clone(), own, fixed }
    }

    /// Every command on the list. A file that cannot be read allows nothing.
    pub(crate) fn entries(&self) -> Vec<Allowed> {
        let path = self.home.config_file();
        let loaded = lines(&path).and_then(|lines| read(&path, &lines));
        let now = loaded.map(|loaded| {
            let of_file = lists(&loaded.config).into_iter().zip(self.own);
            of_file.filter(|(_, own)| *own).flat_map(|(list, _)| list.clone()).collect::<Vec<String>>()
        });
        now.unwrap_or_default().iter().chain(&self.fixed).map(|command| Allowed::of(command)).collect()
    }

    /// Whether this is the kind of grant that the list can hold: a command to the letter, for the user, everywhere
    /// and for good, that depends on no file and no variable.
    pub(crate) fn can_hold(new: &NewGrant) -> bool {
        Self::command_of(new).is_some()
    }

    fn command_of(new: &NewGrant) -> Option<&str> {
        let NewGrant { pattern: Pattern::Command(command), scope: Scope::Always, .. } = new else {
            return None;
        };
        let plain = new.files.is_empty() && new.uses.is_none() && new.lifetime_ms.is_none();
        (plain && new.actor.as_deref() == Some("user")).then_some(command)
    }

    /// Keeps a grant, if it is of the kind that the list can hold.
    pub(crate) fn hold(&self, new: &NewGrant) -> Option<Result<Allowed, Failure>> {
        Self::command_of(new).map(|command| self.add(command))
    }

    /// A list that no file changes.
    #[cfg(test)]
    pub(super) fn of_commands(home: &Home, commands: &[&str]) -> Self {
        let fixed = commands.iter().map(|command| (*command).to_owned()).collect();
        Allowlist { home: home.clone(), own: [true, true], fixed }
    }

    /// Writes a command into the user's file.
    fn add(&self, command: &str) -> Result<Allowed, Failure> {
        let allowed = Allowed::of(command);
        if self.entries().contains(&allowed) {
            return Ok(allowed);
        }
        change(&self.home, |lines| {
            // JSON is YAML, and it needs no care about what a text may look like.
            let item = |indent: &str| format!("{indent}- {}", Value::from(command));
            match section(lines) {
                Some(at) => {
                    let below = lines.get(at + 1).and_then(|line| line.split_once("- "));
                    let indent = below.map(|(indent, _)| indent).filter(|indent| indent.trim().is_empty());
                    let item = item(indent.unwrap_or("  "));
                    lines.splice(at..=at, [format!("{SECTION}:"), item]);
                }
                None if lines.iter().any(|line| line.starts_with(SECTION)) => {
                    return Err(by_hand(&self.home.config_file(), SECTION));
                }
                None => lines.extend([format!("{SECTION}:"), item("  ")]),
            }
            Ok(allowed)
        })
    }

    /// Takes what has this id, or an id that begins so, out of the user's file; `None` if there is no such entry.
    pub(crate) fn remove(&self, id: &str) -> Result<Option<Allowed>, Failure> {
        let is_meant = |allowed: &Allowed| id.len() > MARK.len() && allowed.id.starts_with(id);
        let Some(allowed) = self.entries().into_iter().find(is_meant) else { return Ok(None) };
        change(&self.home, |lines| {
            let found = items(lines).find(|(_, item)| *item == allowed.command);
            let (place, _) = found.ok_or_else(|| by_hand(&self.home.config_file(), SECTION))?;
            lines.remove(place);
            // A list without items would read as nothing at all.
            let is_item = |line: &String| line.trim_start().starts_with("- ");
            let head = place.checked_sub(1).filter(|head| lines.get(*head).is_some_and(|line| is_head(line)));
            if let Some(head) = head.filter(|_| !lines.get(place).is_some_and(is_item)) {
                lines.remove(head);
            }
            Ok(Some(allowed))
        })
    }
}

/// The commands that stand one to a line below a line that begins the list, with their lines.
fn items(lines: &[String]) -> impl Iterator<Item = (usize, String)> {
    let mut inside = false;
    lines.iter().enumerate().filter_map(move |(at, line)| {
        let item = line.trim_start().strip_prefix("- ");
        inside = is_head(line) || (inside && (item.is_some() || line.trim_start().starts_with('#')));
        let command = item.filter(|_| inside)?;
        Some((at, serde_saphyr::from_str::<String>(command).ok()?))
    })
}

fn is_head(line: &str) -> bool {
    line.trim().strip_prefix(SECTION) == Some(":")
}

fn lists(config: &Config) -> [&Vec<String>; 2] {
    [&config.approvals.command_allowlist, &config.command_allowlist]
}

/// The line that begins the list at the top of the file, if its items stand below it or it has none.
fn section(lines: &[String]) -> Option<usize> {
    let head = |line: &String| {
        let rest = line.strip_prefix(SECTION)?.strip_prefix(':')?.trim();
        (rest.is_empty() || rest == "[]").then_some(())
    };
    lines.iter().position(|line| head(line).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> (tempfile::TempDir, Allowlist) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        std::fs::write(home.config_file(), text).unwrap();
        let list = Allowlist::of_commands(&home, &["fixed"]);
        (folder, list)
    }

    fn commands(list: &Allowlist) -> Vec<String> {
        list.entries().into_iter().map(|allowed| allowed.command).collect()
    }

    #[test]
    fn commands_come_and_go_and_the_rest_of_the_file_stays() {
        for text in [
            "",
            "# mine\nlimits:\n  batch_width: 2 # few\n",
            "command_allowlist: []\nlimits: {batch_width: 2}\n",
            "command_allowlist:\n- make lint\n# why not\n- 'npm test'\n",
            "approvals:\n  command_allowlist:\n    - make lint\n  timeout_seconds: 9\n",
        ] {
            let (_folder, list) = list(text);
            let before = commands(&list);
            let odd = "echo 'a: #b' | tee \"x\\n\"\ndate";
            let (one, two) = (list.add(odd).unwrap(), list.add("true").unwrap());
            assert_eq!(list.add("true").unwrap(), two, "once is enough");
            let mut wanted: Vec<String> = before.clone();
            wanted.extend([odd.to_owned(), "true".to_owned()]);
            wanted.sort();
            let mut now = commands(&list);
            now.sort();
            assert_eq!(now, wanted, "{text}");
            assert_eq!(list.remove(&one.id).unwrap(), Some(one));
            assert_eq!(list.remove(&two.id).unwrap(), Some(two.clone()));
            assert_eq!(list.remove(&two.id).unwrap(), None);
            assert_eq!(commands(&list), before, "{text}");
            let left = std::fs::read_to_string(list.home.config_file()).unwrap();
            for kept in text.lines().filter(|line| *line != "command_allowlist: []") {
                assert!(left.contains(kept), "{kept} is gone from {left}");
            }
        }
    }

    #[test]
    fn a_list_that_is_written_otherwise_is_left_to_its_author() {
        let (_folder, list) = list("command_allowlist: [make lint, npm test]\n");
        assert!(list.add("true").is_err());
        let listed = list.entries().into_iter().next().unwrap();
        assert!(list.remove(&listed.id).is_err());
        assert_eq!(commands(&list), ["make lint", "npm test", "fixed"]);
        std::fs::write(list.home.config_file(), "command_allowlist: {a: 1}\n").unwrap();
        assert_eq!(commands(&list), ["fixed"], "a broken file allows nothing");
    }
}
