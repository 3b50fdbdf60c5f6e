//! Copying a plugin to where the user's own plugins lie.

use std::path::Path;

use hermes_plugins::plugin::{Folders, digest_of, read_manifest, wrap_python};

use super::enable::{agree, tell};
use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, print_text};

pub(super) async fn install(
    path: &Path,
    and_enable: bool,
    permissions: &[String],
    folders: &Folders,
    surroundings: &Surroundings,
    style: Style,
) -> Result<u8, Failure> {
    let from = surroundings.cwd.join(path);
    surroundings.home.ensure()?;
    let id = match from.is_dir() {
        true if permissions.is_empty() => install_folder(&from, folders)?,
        true => {
            return Err(Failure::usage("--permission is for a .py file: a folder asks by its plugin.yaml"));
        }
        false => install_file(&from, permissions, folders)?,
    };
    let target = folders.user().join(&id);
    if and_enable {
        // What was asked for is one thing: a plugin that cannot run is not left behind.
        let state = match agree(&id, folders, surroundings).await {
            Ok(state) => state,
            Err(failure) => {
                std::fs::remove_dir_all(&target).map_err(Failure::io(&target.display().to_string()))?;
                return Err(failure);
            }
        };
        print_text(&format!("{} {id} into {}\n", style.good("installed"), target.display()))?;
        return tell(&id, &state, surroundings, style);
    }
    print_text(&format!("{} {id} into {}\n", style.good("installed"), target.display()))?;
    print_text(&format!("  'hermes plugins enable {id}' lets it run\n"))?;
    Ok(exit::OK)
}

fn install_file(file: &Path, permissions: &[String], folders: &Folders) -> Result<String, Failure> {
    file.metadata().map_err(Failure::io(&file.display().to_string()))?;
    if file.extension().is_none_or(|extension| extension != "py") {
        return Err(Failure::answer_is_no("a plugin is a folder with a plugin.yaml, or a Python file"));
    }
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    wrap_python(folders.user(), &stem, file, permissions).map_err(Failure::answer_is_no)?;
    Ok(stem)
}

fn install_folder(folder: &Path, folders: &Folders) -> Result<String, Failure> {
    let manifest = read_manifest(folder).map_err(Failure::answer_is_no)?;
    // Refuses what nobody could agree to, such as links that lead out and more files than a plugin may have.
    digest_of(folder).map_err(Failure::answer_is_no)?;
    let target = folders.user().join(&manifest.id);
    if target.exists() {
        return Err(Failure::answer_is_no(format!("{} is there already", target.display()))
            .with_hint("remove that folder first"));
    }
    let copied = copy(folder, &target).map_err(Failure::io(&target.display().to_string()));
    // A link by its full path leads back to where it was copied from.
    let copied = copied.and_then(|()| digest_of(&target).map_err(Failure::answer_is_no));
    if let Err(failure) = copied {
        let _ = std::fs::remove_dir_all(&target);
        return Err(failure);
    }
    Ok(manifest.id)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if matches!(entry.file_name().to_str(), Some("__pycache__" | ".git")) {
            continue;
        }
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        // Links stay links: two that lead to their own folder would be copied without an end.
        if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path())?, &target)?;
        } else if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
