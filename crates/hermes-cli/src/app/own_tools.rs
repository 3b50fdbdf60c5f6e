//! The user's own tools in the registry: what was registered, and what was wrong with it.

use hermes_core::Source;
use hermes_plugins::Registered;
use hermes_plugins::yaml::YamlFile;
use hermes_runtime::registry::{Registry, SyncReport};

use super::surroundings::Surroundings;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

/// Puts the tools of every registered file into the registry. A file that cannot be used costs its own
/// tools only, and the operator is told.
pub(super) async fn add_own_tools(registry: &Registry, surroundings: &Surroundings) -> Result<(), Failure> {
    for file in Registered::of(&surroundings.home).files()? {
        let source = YamlFile::new(file, surroundings.host.clone());
        for problem in sync(registry, &source).await {
            warn(Style::for_stderr(ColorChoice::Auto), "warning:", &problem);
        }
    }
    Ok(())
}

/// Swaps in what the source offers now. Says what went wrong, a text for each problem.
pub(super) async fn sync(registry: &Registry, source: &dyn Source) -> Vec<String> {
    match registry.sync(source).await {
        Ok(SyncReport { refused, .. }) => refused.iter().map(|refused| refused.error.to_string()).collect(),
        Err(why) => vec![why],
    }
}
