//! Path globs, judged on resolved paths: `*` and `?` stay within a name, `**` crosses folders, `{a,b}` is either.
//!
//! What a glob allows is taken by its letters: whoever puts a link in the place of an allowed folder gains nothing
//! by it, because the path that is judged has left the link behind. What a glob closes is closed by its letters and
//! where links led from there when the policy was read.

use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::profile::ground::Ground;

/// Characters of a glob; longer ones are no paths.
const MAX_CHARS: usize = 1_024;
/// Alternatives of one glob.
const MAX_BRACES: usize = 32;

/// A glob over resolved paths, bound to the folders it speaks of.
#[derive(Clone, Debug)]
pub struct PathGlob {
    text: String,
    /// Forms that are matched against the path from the root.
    absolute: GlobSet,
    /// Forms that are matched against the path from the session's folder, and whether they mean that folder too.
    relative: Option<(GlobSet, bool)>,
    /// What the glob says before its first wildcard; from the session's folder if it is relative.
    literal: PathBuf,
    /// The same where its links lead, if they lead elsewhere. Only what closes looks at it.
    led: Option<Led>,
}

#[derive(Clone, Debug)]
struct Led {
    globs: GlobSet,
    literal: PathBuf,
}

impl PathGlob {
    /// Reads a glob. An error says what to write instead.
    pub(crate) fn parse(text: &str, ground: &Ground) -> Result<Self, String> {
        refuse(text)?;
        let home = ground.home.display().to_string();
        let expanded = match text.strip_prefix('~') {
            Some(rest) => format!("{}{rest}", globset::escape(home.trim_end_matches('/'))),
            None => text.to_owned(),
        };
        let tidy = tidy(&expanded);
        let is_absolute = expanded.starts_with('/');
        let (literal, wild) = split(&tidy);
        let mut absolute = GlobSetBuilder::new();
        if is_absolute {
            add(&mut absolute, &format!("/{tidy}"))?;
            // The home folder as the user writes it is the home folder.
            let written = Path::new("/").join(&literal);
            let inside = ground.spelled.iter().find_map(|other| written.strip_prefix(&other.home).ok());
            if let Some(inside) = inside {
                add(&mut absolute, &joined(&ground.home.join(inside), &wild))?;
            }
        }
        let led = match real(ground, &literal, is_absolute) {
            Some(literal) => {
                let mut set = GlobSetBuilder::new();
                add(&mut set, &joined(&literal, &wild))?;
                Some(Led { globs: build(&set)?, literal })
            }
            None => None,
        };
        let relative = if is_absolute {
            None
        } else {
            let mut set = GlobSetBuilder::new();
            add(&mut set, &tidy)?;
            Some((build(&set)?, matches!(tidy.as_str(), "" | "**")))
        };
        let literal = if is_absolute { Path::new("/").join(literal) } else { literal };
        Ok(PathGlob { text: text.to_owned(), absolute: build(&absolute)?, relative, literal, led })
    }

    /// A folder with everything below it.
    pub(crate) fn folder(folder: &Path, ground: &Ground) -> Result<Self, String> {
        let text = globset::escape(&folder.display().to_string());
        let glob = Self::parse(&format!("{}/**", text.trim_end_matches('/')), ground)?;
        Ok(PathGlob { text: folder.display().to_string(), ..glob })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What it says before its first wildcard; from the session's folder if it is relative.
    pub(crate) fn literal(&self) -> &Path {
        &self.literal
    }

    /// Whether the path itself is meant, by the glob's letters.
    pub(crate) fn matches(&self, path: &Path, cwd: &Path) -> bool {
        if self.absolute.is_match(path) {
            return true;
        }
        let Some((set, itself)) = &self.relative else { return false };
        path.strip_prefix(cwd)
            .is_ok_and(|inside| if inside.as_os_str().is_empty() { *itself } else { set.is_match(inside) })
    }

    /// Whether the path or a folder above it is meant: what closes a folder closes what is in it.
    pub(crate) fn closes(&self, path: &Path, cwd: &Path) -> bool {
        let led = |part: &Path| self.led.as_ref().is_some_and(|led| led.globs.is_match(part));
        path.ancestors().any(|part| self.matches(part, cwd) || led(part))
    }

    /// Whether removing the folder at `path` would remove what is meant.
    pub(crate) fn lies_below(&self, path: &Path, cwd: &Path) -> bool {
        cwd.join(&self.literal).starts_with(path)
            || self.led.as_ref().is_some_and(|led| led.literal.starts_with(path))
    }

    /// Whether the glob names something in particular: it has a name in it, beyond the home folder.
    pub(crate) fn is_specific(&self, ground: &Ground) -> bool {
        let named = |text: &str| !text.is_empty() && text.chars().any(|c| !matches!(c, '*' | '?' | '.'));
        let last = self.text.rsplit('/').next().unwrap_or_default();
        let has_name = self.literal.components().any(|part| matches!(part, Component::Normal(_)));
        let below_home = has_name && !ground.home.starts_with(&self.literal);
        named(last.trim_start_matches('~')) || below_home
    }
}

fn refuse(text: &str) -> Result<(), String> {
    let wrong = |message: &str| Err(message.to_owned());
    if text.is_empty() {
        return wrong("is empty: write . for the session's folder");
    }
    if text.chars().count() > MAX_CHARS || text.matches(['{', ',']).count() > MAX_BRACES {
        return wrong("is too long for a path: split it into several");
    }
    if text.chars().any(char::is_control) {
        return wrong("has a control character, which no path that a tool may name has");
    }
    if text.starts_with('$') {
        return wrong("begins with a variable, and none is filled in: write ~ for the home folder");
    }
    if text.contains("://") {
        return wrong("is an address, not a path: use allowed_hosts or denied_hosts");
    }
    if text.starts_with('~') && !text.starts_with("~/") && text != "~" {
        return wrong("names the home folder of somebody else: write the whole path");
    }
    if text.split('/').any(|part| part == "..") {
        return wrong(
            "has .. in it and can never match, because paths are judged without: write the folder itself",
        );
    }
    Ok(())
}

/// The names of the path, without empty ones and `.`.
fn tidy(text: &str) -> String {
    text.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}

/// The names before the first wildcard, unescaped, and the rest.
fn split(tidy: &str) -> (PathBuf, String) {
    let names: Vec<&str> = tidy.split('/').filter(|name| !name.is_empty()).collect();
    let plain = names.iter().take_while(|name| !name.contains(['*', '?', '{', '['])).count();
    let literal = names.iter().take(plain).map(|name| name.replace('\\', "")).collect();
    (literal, names.get(plain..).unwrap_or_default().join("/"))
}

/// Where the links in the literal part lead, if they lead elsewhere.
fn real(ground: &Ground, literal: &Path, is_absolute: bool) -> Option<PathBuf> {
    let base = if is_absolute { Path::new("/") } else { ground.cwd.as_path() };
    let written = base.join(literal);
    let has_names = literal.components().any(|part| matches!(part, Component::Normal(_)));
    if !has_names || !written.is_absolute() {
        return None;
    }
    let resolved = ground.resolver.as_ref()?.resolve(base, written.to_str()?).ok()?;
    (resolved != written).then_some(resolved)
}

/// A folder that is meant by its letters, and a glob below it.
fn joined(folder: &Path, wild: &str) -> String {
    let folder = globset::escape(&folder.display().to_string());
    if wild.is_empty() { folder } else { format!("{}/{wild}", folder.trim_end_matches('/')) }
}

/// Adds a glob; one that ends in `/**` means the folder itself too.
fn add(set: &mut GlobSetBuilder, text: &str) -> Result<(), String> {
    let folder = text.strip_suffix("/**").map(|folder| if folder.is_empty() { "/" } else { folder });
    for form in std::iter::once(text).chain(folder) {
        let glob = GlobBuilder::new(form).literal_separator(true).build();
        set.add(glob.map_err(|error| format!("is not a glob: {}", error.kind()))?);
    }
    Ok(())
}

fn build(set: &GlobSetBuilder) -> Result<GlobSet, String> {
    set.build().map_err(|error| format!("is not a glob: {}", error.kind()))
}
