//! The Python package that tools import, carried by the binary so that nothing need be installed.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

macro_rules! package {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../sdk/python/hermes/", $name)))),*]
    };
}

const FILES: &[(&str, &str)] = package![
    "__init__.py",
    "tools/__init__.py",
    "tools/__main__.py",
    "tools/base.py",
    "tools/channel.py",
    "tools/context.py",
    "tools/database.py",
    "tools/decorator.py",
    "tools/docstring.py",
    "tools/loading.py",
    "tools/places.py",
    "tools/result.py",
    "tools/schema.py",
    "tools/serve.py",
    "tools/values.py",
    "tools/wire.py",
];

/// The folder to put on `PYTHONPATH`, written if it is not there yet. Its name is its content.
pub(super) fn python(home: &Path) -> Result<PathBuf, String> {
    let mut sum = Sha256::new();
    for (name, text) in FILES {
        sum.update(format!("{name}\0{}\0{text}", text.len()));
    }
    let id: String = sum.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let root = home.join("sdk").join(format!("python-{id}"));
    if root.is_dir() {
        return Ok(root);
    }
    let failed = |error: std::io::Error| format!("the Python package cannot be written: {error}");
    // Made aside and renamed: another process never sees a half of it.
    let aside = home.join("sdk").join(format!(".python-{id}-{}", std::process::id()));
    for (name, text) in FILES {
        let path = aside.join("hermes").join(name);
        hermes_host::private::folder(path.parent().unwrap_or(&aside)).map_err(failed)?;
        std::fs::write(path, text).map_err(failed)?;
    }
    match std::fs::rename(&aside, &root) {
        Ok(()) => Ok(root),
        Err(_) if root.is_dir() => {
            let _ = std::fs::remove_dir_all(aside);
            Ok(root)
        }
        Err(error) => Err(failed(error)),
    }
}
