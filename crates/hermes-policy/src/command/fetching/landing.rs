//! Where a download lands.

use crate::command::access::write;
use crate::command::args::Arg;
use crate::command::scene::Scene;
use crate::command::trial::{Content, Trial};

/// A download lands in a file, and is remembered.
pub(super) fn put(trial: &mut Trial<'_>, scene: &Scene<'_>, file: &Arg, folder: Option<&Arg>) {
    let mut target = file.clone();
    if let Some(folder) = folder.filter(|_| !file.text.starts_with('/')) {
        target = folder.clone();
        target.text = format!("{}/{}", folder.text, file.text);
        target.hints.extend(file.hints.iter().cloned());
    }
    write(trial, scene, &target);
    if let Some(path) = scene.locate(trial, &target).path {
        trial.files.insert(path, Content::Download);
    }
}
