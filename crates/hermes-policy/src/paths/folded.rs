//! A path in the form that the table compares: as it would be found on a volume that does not tell
//! capitals from small letters.

use std::path::{Component, Path};

use super::places::Places;

/// Names that stand for the folders of people.
const HOMES_BELOW: &[&[&str]] =
    &[&["home"], &["users"], &["export", "home"], &["mnt", "c", "users"], &["usr", "home"]];
const HOMES: &[&[&str]] = &[&["root"], &["var", "root"]];

/// What editors, people and package managers put behind the name of a copy.
const COPY_SUFFIXES: &[&str] = &[
    "~",
    ".bak",
    ".backup",
    ".old",
    ".orig",
    ".save",
    ".saved",
    ".copy",
    ".swp",
    ".1",
    ".dpkg-old",
    ".rpmsave",
];

/// A folded path, and where it lies.
#[derive(Clone)]
pub(super) struct Folded {
    names: Vec<String>,
    /// How many names lead to the home that holds the path.
    home: Option<usize>,
    /// Whether that home is the person's own.
    own_home: bool,
    hermes: Option<usize>,
}

impl Folded {
    pub(super) fn new(path: &Path, places: &Places) -> Self {
        let names = fold(path);
        let own = led_by(&names, &places.home);
        let home = own.or_else(|| home_of(&names));
        let default_hermes =
            home.filter(|at| names.get(*at).is_some_and(|name| name == ".hermes")).map(|at| at + 1);
        let hermes = led_by(&names, &places.hermes_home).or(default_hermes);
        Folded { names, home, own_home: own.is_some(), hermes }
    }

    /// The path of what this is a copy of, if its name says that it is one: `id_rsa.bak` of `id_rsa`.
    pub(super) fn original(&self) -> Option<Folded> {
        let last = self.names.last()?;
        let name = COPY_SUFFIXES.iter().find_map(|suffix| last.strip_suffix(suffix))?;
        // Swap files of vim stand behind a dot: `.server.key.swp`.
        let name = match last.ends_with(".swp") {
            true => name.strip_prefix('.').unwrap_or(name),
            false => name,
        };
        let mut original = self.clone();
        *original.names.last_mut()? = name.to_owned();
        (!name.is_empty()).then_some(original)
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The names below the home folder, of whomever it is.
    pub(super) fn below_home(&self) -> Option<&[String]> {
        self.names.get(self.home?..)
    }

    pub(super) fn below_hermes(&self) -> Option<&[String]> {
        self.names.get(self.hermes?..)
    }

    /// Whether the path lies in the home of somebody else.
    pub(super) fn in_other_home(&self) -> bool {
        self.home.is_some() && !self.own_home
    }
}

/// How many names lead to a place, where they do.
fn led_by(names: &[String], place: &Path) -> Option<usize> {
    if begins_otherwise(names.first()?, place) {
        return None;
    }
    let place = fold(place);
    (!place.is_empty() && names.starts_with(&place)).then_some(place.len())
}

/// Whether a place certainly begins by another name, seen without folding all of it.
fn begins_otherwise(name: &str, place: &Path) -> bool {
    let mut parts = place.components();
    let (Some(Component::RootDir), Some(Component::Normal(first))) = (parts.next(), parts.next()) else {
        return false;
    };
    let Some(first) = first.to_str().filter(|first| first.is_ascii()) else { return false };
    let may_be_named_otherwise = ALIASED.iter().any(|alias| first.eq_ignore_ascii_case(alias));
    !may_be_named_otherwise
        && !first.eq_ignore_ascii_case(name)
        && !parts.any(|part| matches!(part, Component::ParentDir))
}

fn home_of(names: &[String]) -> Option<usize> {
    let begins = |prefix: &[&str]| {
        names.len() >= prefix.len() && prefix.iter().zip(names).all(|(wanted, name)| wanted == name)
    };
    if let Some(home) = HOMES.iter().find(|home| begins(home)) {
        return Some(home.len());
    }
    let above = HOMES_BELOW.iter().find(|above| begins(above) && names.len() > above.len())?;
    Some(above.len() + 1)
}

fn fold(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(fold_name(&name.to_string_lossy())),
            Component::ParentDir => {
                names.pop();
            }
            _ => {}
        }
    }
    without_aliases(names)
}

/// How the names begin that [`without_aliases`] takes away.
const ALIASED: &[&str] = &["system", "private", "var"];

/// The same folder under another name: macOS's firm links, and `/var/run`.
fn without_aliases(mut names: Vec<String>) -> Vec<String> {
    let begins = |names: &[String], prefix: &[&str]| {
        names.len() > prefix.len() && prefix.iter().zip(names).all(|(wanted, name)| wanted == name)
    };
    if begins(&names, &["system", "volumes", "data"]) {
        names.drain(..3);
    }
    let private = ["etc", "var", "tmp"];
    if begins(&names, &["private"]) && names.get(1).is_some_and(|name| private.contains(&name.as_str())) {
        names.drain(..1);
    }
    if begins(&names, &["var", "run"]) {
        names.drain(..1);
    }
    names
}

/// Small letters, without the characters that some file systems do not see.
fn fold_name(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let seen = name.chars().filter(|c| {
        !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    });
    seen.flat_map(char::to_lowercase).map(|c| if c == 'ſ' { 's' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(path: &str) -> Folded {
        Folded::new(Path::new(path), &Places::new("/data/Ada", "/srv/hermes", []))
    }

    #[test]
    fn one_form_for_every_spelling() {
        for (path, expected) in [
            ("/Data/X", "data/x"),
            ("/private/etc/Passwd", "etc/passwd"),
            ("/private/x", "private/x"),
            ("/var/run/docker.sock", "run/docker.sock"),
            ("/System/Volumes/Data/private/etc", "etc"),
            ("/a/.\u{17f}\u{17f}h", "a/.ssh"),
            ("/a/.g\u{200c}it", "a/.git"),
            ("/a/../b", "b"),
        ] {
            assert_eq!(folded(path).names().join("/"), expected, "{path}");
        }
    }

    #[test]
    fn copies_know_their_originals() {
        let of = |path: &str| folded(path).original().map(|original| original.names().join("/"));
        assert_eq!(of("/a/id_rsa.BAK").as_deref(), Some("a/id_rsa"));
        assert_eq!(of("/a/.env~").as_deref(), Some("a/.env"));
        assert_eq!(of("/a/.server.key.swp").as_deref(), Some("a/server.key"));
        assert_eq!(of("/a/x.rs"), None);
        assert_eq!(of("/a/~"), None);
    }

    #[test]
    fn homes_are_found_for_everybody() {
        let below = |path: &str| folded(path).below_home().map(|names| names.join("/"));
        assert_eq!(below("/data/ada/.Bashrc").as_deref(), Some(".bashrc"));
        assert_eq!(below("/root/.bashrc").as_deref(), Some(".bashrc"));
        assert_eq!(below("/home/bob/x").as_deref(), Some("x"));
        assert_eq!(below("/Users/bob").as_deref(), Some(""));
        assert_eq!(below("/home").as_deref(), None);
        assert_eq!(below("/rooted/x").as_deref(), None);
        assert!(folded("/home/bob/x").in_other_home() && !folded("/data/ada/x").in_other_home());
        assert_eq!(folded("/srv/hermes/.env").below_hermes().map(<[String]>::len), Some(1));
        assert_eq!(folded("/home/bob/.hermes/a/b").below_hermes().map(<[String]>::len), Some(2));
    }
}
