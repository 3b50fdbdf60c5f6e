//! Changes to the user's configuration file that leave the rest of it as it is: order, comments and spacing.

use std::path::Path;

use hermes_host::home::Home;
use hermes_runtime::config::{Config, Layer, Loaded, Origin};

use crate::failure::Failure;

const LOCK: &str = "the lock of the configuration";

/// The lines of the file; none if there is no file.
pub(crate) fn lines(path: &Path) -> Result<Vec<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::io(&path.display().to_string())(error)),
    }
}

/// What the file alone would say with these lines.
pub(crate) fn read(path: &Path, lines: &[String]) -> Result<Loaded, Failure> {
    Config::load(&[Layer::new(Origin::UserFile(path.to_owned()), text(lines))], &[], &[])
        .map_err(Failure::config)
}

/// Changes the file while no other process does. What could not be read afterwards is not written.
pub(crate) fn change<T>(
    home: &Home,
    edit: impl FnOnce(&mut Vec<String>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    home.ensure()?;
    let turn = home.root().join("config.lock");
    let turn =
        std::fs::OpenOptions::new().create(true).append(true).open(&turn).map_err(Failure::io(LOCK))?;
    turn.lock().map_err(Failure::io(LOCK))?;
    let path = home.config_file();
    let mut changed = lines(&path)?;
    let outcome = edit(&mut changed)?;
    read(&path, &changed)?;
    let text = text(&changed);
    // Lines end as they did: an editor that sees both ways shows every line of the file as changed.
    let text = if ends_with_returns(&path) { text.replace('\n', "\r\n") } else { text };
    let replaced = hermes_host::private::replace(&path, text.as_bytes());
    replaced.map_err(Failure::io(&path.display().to_string()))?;
    Ok(outcome)
}

/// The file is written in a way that its lines cannot be told apart.
pub(crate) fn by_hand(path: &Path, section: &str) -> Failure {
    Failure::usage(format!("{} is written in a way that only its author should change", path.display()))
        .with_hint(format!("Edit {section} there by hand; 'hermes config validate' checks it."))
}

/// Whether the first line of the file ends as on Windows.
fn ends_with_returns(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .next()
        .is_some_and(|first| text.get(first.len()..).is_some_and(|rest| rest.starts_with('\r')))
}

fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}
