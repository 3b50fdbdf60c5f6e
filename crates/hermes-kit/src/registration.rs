//! Self-registration: a tool's file ends in `register_tool!`, and that is all the wiring there is.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{AnyTool, Owner, Source, ToolMeta};
use hermes_host::Host;

use crate::example::Example;

/// One registered tool, collected by the linker.
pub struct Registration {
    pub meta: ToolMeta,
    pub make: fn(&Host) -> Arc<dyn AnyTool>,
    pub examples: fn() -> Vec<Example>,
    /// The source file, so that a test can compare files on disk with tools registered.
    pub file: &'static str,
}

inventory::collect!(Registration);

/// Registers a [`crate::Tool`] with every binary that links its crate.
#[macro_export]
macro_rules! register_tool {
    ($tool:ty) => {
        $crate::inventory::submit! {
            $crate::Registration {
                meta: <$tool as $crate::Tool>::META,
                make: $crate::erase::<$tool>,
                examples: <$tool as $crate::Tool>::examples,
                file: file!(),
            }
        }
    };
}

/// The built-in tools of this binary, as a source.
pub struct BuiltIns {
    host: Host,
}

impl BuiltIns {
    pub fn new(host: Host) -> Self {
        BuiltIns { host }
    }

    /// All registrations, sorted by name: link order differs between builds.
    pub fn registrations() -> Vec<&'static Registration> {
        let mut all: Vec<_> = inventory::iter::<Registration>().collect();
        all.sort_by_key(|registration| registration.meta.name);
        all
    }
}

impl Source for BuiltIns {
    fn owner(&self) -> Owner {
        Owner::BuiltIn
    }

    fn tools(&self) -> BoxFuture<'_, Result<Vec<Arc<dyn AnyTool>>, String>> {
        let tools = Self::registrations().into_iter().map(|tool| (tool.make)(&self.host)).collect();
        Box::pin(std::future::ready(Ok(tools)))
    }
}
