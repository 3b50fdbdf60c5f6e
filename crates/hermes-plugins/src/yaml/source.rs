//! A file of tools as a source of the registry, and what its owner agreed to.

use std::collections::BTreeSet;
use std::sync::Arc;

use hermes_core::{AnyTool, Effect, Exposure, ToolInfo, ToolMeta};
use hermes_host::{Host, Keys};

use super::arguments::schema;
use super::command_tool::CommandTool;
use super::http_tool::HttpTool;
use super::spec::{Kind, ToolSpec};

/// Which secrets may go where: pairs of a variable and a destination that a person agreed to. A file that
/// is changed later cannot send them anywhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consent {
    agreed: Option<Arc<BTreeSet<(String, String)>>>,
}

impl Consent {
    /// The file is the operator's own, and nobody else can write it.
    pub fn to_everything() -> Self {
        Consent { agreed: None }
    }

    pub fn to(agreed: impl IntoIterator<Item = (String, String)>) -> Self {
        Consent { agreed: Some(Arc::new(agreed.into_iter().collect())) }
    }

    /// Whether every secret of the tool goes where it was agreed to.
    pub(crate) fn check(&self, spec: &ToolSpec) -> Result<(), String> {
        let Some(agreed) = &self.agreed else { return Ok(()) };
        match spec.secrets().into_iter().find(|pair| !agreed.contains(pair)) {
            None => Ok(()),
            Some((variable, destination)) => Err(format!(
                "nobody agreed that {variable} is sent to {destination}; register the file again to agree"
            )),
        }
    }

    /// Whether the tool can work now.
    pub fn ready(&self, spec: &ToolSpec, keys: &Keys) -> Result<(), String> {
        self.check(spec)?;
        match spec.secrets().into_iter().find(|(variable, _)| keys.get(variable).is_none()) {
            None => Ok(()),
            Some((variable, _)) => Err(format!("the environment variable {variable} is not set")),
        }
    }
}

/// Makes the tools of a file.
pub fn tools(specs: Vec<ToolSpec>, host: &Host, consent: &Consent) -> Vec<Arc<dyn AnyTool>> {
    specs.into_iter().map(|spec| tool(spec, host.clone(), consent.clone())).collect()
}

fn tool(spec: ToolSpec, host: Host, consent: Consent) -> Arc<dyn AnyTool> {
    match spec.kind.clone() {
        Kind::Http(http) => Arc::new(HttpTool::new(spec, *http, host, consent)),
        Kind::Command(command) => Arc::new(CommandTool::new(spec, *command, host, consent)),
    }
}

/// What the runtime knows of a tool before it runs.
pub(super) fn info(spec: &ToolSpec, effect: Effect) -> ToolInfo {
    let meta = ToolMeta { exposure: Exposure::Deferrable, emoji: "🔧", ..ToolMeta::new("", "", effect) };
    ToolInfo {
        name: spec.name.clone(),
        toolset: spec.toolset.clone(),
        timeout: spec.timeout,
        tags: spec.tags.clone(),
        ..ToolInfo::from_meta(&meta, spec.description.clone(), schema(&spec.parameters))
    }
}
