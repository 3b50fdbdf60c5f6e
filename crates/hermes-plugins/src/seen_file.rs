//! A registered file as it was seen last.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Instant;

use hermes_core::AnyTool;
use hermes_host::Host;

use crate::own_tools::GRACE;
use crate::registered::RegisteredFile;
use crate::yaml::{ToolSpec, YamlFile, tools};

/// A file at the last look.
pub(crate) struct SeenFile {
    registered: RegisteredFile,
    state: State,
    /// Its tools as they could be read last.
    specs: Vec<ToolSpec>,
}

#[derive(PartialEq, Eq)]
enum State {
    Fresh,
    Read(Vec<u8>),
    /// It is there and cannot be read; this was told.
    Unreadable(String),
    Missing(Instant),
    Gone,
}

/// What a look shows.
pub(crate) enum Look {
    Same,
    /// There is another set.
    Read,
    /// The set before stays, and this is why.
    Broken(String),
    /// It is gone for good.
    Gone,
}

impl SeenFile {
    pub(crate) fn new(registered: RegisteredFile) -> Self {
        SeenFile { registered, state: State::Fresh, specs: Vec::new() }
    }

    pub(crate) fn is_of(&self, registered: &RegisteredFile) -> bool {
        self.registered == *registered
    }

    /// Whether it vanished, and is still waited for.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.state, State::Missing(_))
    }

    pub(crate) fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// Its tools of these names, and those among them that may take others' names.
    pub(crate) fn tools(
        &self,
        host: &Host,
        wanted: impl Fn(&str) -> bool,
    ) -> (Vec<Arc<dyn AnyTool>>, BTreeSet<String>) {
        let specs: Vec<ToolSpec> = self.specs.iter().filter(|tool| wanted(&tool.name)).cloned().collect();
        let may_take = self.registered.may_take(&specs);
        (tools(specs, host, &self.registered.consent()), may_take)
    }

    pub(crate) fn look(&mut self, host: &Host, now: Instant) -> Look {
        let path = &self.registered.path;
        match YamlFile::bytes(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => match self.state {
                State::Gone => Look::Same,
                State::Missing(since) if now.duration_since(since) >= GRACE => {
                    self.state = State::Gone;
                    self.specs.clear();
                    Look::Gone
                }
                State::Missing(_) => Look::Same,
                State::Fresh | State::Read(_) | State::Unreadable(_) => {
                    self.state = State::Missing(now);
                    Look::Broken(format!("{}: {error}", path.display()))
                }
            },
            Err(error) => {
                let why = format!("{}: {error}", path.display());
                let now = State::Unreadable(why.clone());
                if self.state == now {
                    return Look::Same;
                }
                self.state = now;
                Look::Broken(why)
            }
            Ok(bytes) if matches!(&self.state, State::Read(before) if *before == bytes) => Look::Same,
            Ok(bytes) => {
                let specs = YamlFile::parse(&bytes, &path.display().to_string(), host);
                self.state = State::Read(bytes);
                match specs {
                    Ok(specs) => {
                        self.specs = specs;
                        Look::Read
                    }
                    Err(why) => Look::Broken(why),
                }
            }
        }
    }
}
