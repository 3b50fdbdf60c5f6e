//! One registered file as a source: read anew each time the registry asks.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::egress::Reach;
use hermes_core::{AnyTool, Owner, Source};
use hermes_host::Host;

use super::load::load;
use super::source::tools;
use super::spec::ToolSpec;
use crate::registered::RegisteredFile;

/// Far above the longest file that is read as tools.
const MAX_BYTES: u64 = 1 << 20;

/// A registered file of tools.
pub struct YamlFile {
    registered: RegisteredFile,
    host: Host,
}

impl YamlFile {
    pub fn new(registered: RegisteredFile, host: Host) -> Self {
        YamlFile { registered, host }
    }

    pub fn path(&self) -> &Path {
        &self.registered.path
    }

    /// Who the tools of a file belong to.
    pub fn owner_of(path: &Path) -> Owner {
        Owner::Yaml(path.display().to_string())
    }

    /// The tools of the file as it is now, or everything that is wrong with it, a line each.
    pub fn read(path: &Path, host: &Host) -> Result<Vec<ToolSpec>, String> {
        Self::read_as(path, &path.display().to_string(), host)
    }

    /// The same, with the name that messages call the file by.
    pub fn read_as(path: &Path, shown: &str, host: &Host) -> Result<Vec<ToolSpec>, String> {
        let text = read_text(path).map_err(|error| format!("{shown}: {error}"))?;
        let judge = |url: &str, reach: Reach| host.http.origin(url, reach).map_err(|error| error.message);
        load(shown, &text, &judge)
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}

impl Source for YamlFile {
    fn owner(&self) -> Owner {
        Self::owner_of(&self.registered.path)
    }

    fn tools(&self) -> BoxFuture<'_, Result<Vec<Arc<dyn AnyTool>>, String>> {
        let (path, host, consent) =
            (self.registered.path.clone(), self.host.clone(), self.registered.consent());
        Box::pin(async move {
            let read = {
                let host = host.clone();
                move |path: PathBuf| Self::read(&path, &host)
            };
            let specs = match tokio::task::spawn_blocking(move || read(path)).await {
                Ok(specs) => specs?,
                Err(_) => return Err("reading the file was cut short".to_owned()),
            };
            Ok(tools(specs, &host, &consent))
        })
    }
}

fn read_text(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("this is no file"));
    }
    file.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    Ok(text)
}
