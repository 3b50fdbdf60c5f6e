//! Plugins to start from: small, complete, and passing `hermes plugins check` as they are.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use hermes_core::Permission;
use hermes_host::plain_file;

use super::manifest::{MANIFEST, is_id};

/// A longer file is no source that somebody wrote.
const MAX_SOURCE_BYTES: u64 = 4 << 20;

/// What a new plugin is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    Node,
    Shell,
    Rust,
}

/// A file of a new plugin: its name, its text, and whether it is run.
type File = (&'static str, &'static str, bool);

impl Language {
    fn files(self) -> &'static [File] {
        match self {
            Language::Python => &[("tools.py", include_str!("scaffold/tools.py"), false)],
            Language::Node => &[("plugin.mjs", include_str!("scaffold/plugin.mjs"), false)],
            Language::Shell => &[("plugin.sh", include_str!("scaffold/plugin.sh"), true)],
            Language::Rust => &[("main.rs", include_str!("scaffold/main.rs.txt"), false)],
        }
    }

    fn command(self) -> &'static str {
        match self {
            Language::Python => "[python3, -m, hermes.tools, tools.py]",
            Language::Node => "[node, plugin.mjs]",
            Language::Shell => "[./plugin.sh]",
            Language::Rust => "[./plugin]",
        }
    }

    /// How its program is made, where it has to be.
    fn build(self) -> Option<&'static str> {
        match self {
            Language::Rust => Some("rustc -O main.rs -o plugin"),
            Language::Python | Language::Node | Language::Shell => None,
        }
    }
}

/// Writes a new plugin into `parent/<id>`, and says how its program is made if that is left to do.
pub fn scaffold(parent: &Path, id: &str, language: Language) -> Result<Option<&'static str>, String> {
    let tool = format!("{}_greet", id.replace('-', "_"));
    let build = language.build().map(|build| format!("build: {build}\n")).unwrap_or_default();
    let manifest = format!(
        "id: {id}\nversion: 0.1.0\ndescription: What this plugin is for\ncommand: {}\n{build}tools: [{tool}]\npermissions: []\n",
        language.command()
    );
    let folder = fresh(parent, id)?;
    let mut files: Vec<(&str, String, bool)> = vec![(MANIFEST, manifest, false)];
    files.extend(
        language.files().iter().map(|(name, text, run)| (*name, text.replace("TOOL_NAME", &tool), *run)),
    );
    for (name, text, run) in files {
        write(&folder.join(name), &text, run)?;
    }
    Ok(language.build())
}

/// Makes a plugin of a Python file: the file in a folder of its own, with a manifest that asks for the
/// network, which nearly every tool wants, and for what else is named.
pub fn wrap_python(parent: &Path, id: &str, file: &Path, more: &[String]) -> Result<(), String> {
    if let Some(unknown) = more.iter().find(|name| !Permission::is_known(name)) {
        let near = hermes_core::names::nearest(unknown, Permission::KNOWN.iter().copied(), 1);
        let hint = near.first().map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
        return Err(format!("there is no permission {unknown:?}{hint}"));
    }
    let text = plain_file::read_text(file, MAX_SOURCE_BYTES)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let name = file.file_name().and_then(|name| name.to_str()).ok_or("the file has no name")?;
    let permissions: Vec<&str> =
        std::iter::once("network:fetch").chain(more.iter().map(String::as_str)).collect();
    let permissions = permissions.join(", ");
    let manifest =
        format!("id: {id}\ncommand: [python3, -m, hermes.tools, {name}]\npermissions: [{permissions}]\n");
    let folder = fresh(parent, id)?;
    write(&folder.join(name), &text, false)?;
    write(&folder.join(MANIFEST), &manifest, false)
}

fn fresh(parent: &Path, id: &str) -> Result<std::path::PathBuf, String> {
    if !is_id(id) {
        return Err(format!(
            "{id:?} is no name for a plugin: use small letters, digits, _ and -, beginning with a letter, at most 64"
        ));
    }
    let folder = parent.join(id);
    fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    fs::create_dir(&folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => format!("{} is there already", folder.display()),
        _ => format!("{}: {error}", folder.display()),
    })?;
    Ok(folder)
}

fn write(path: &Path, text: &str, run: bool) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::write(path, text).map_err(failed)?;
    if run {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    }
    Ok(())
}
