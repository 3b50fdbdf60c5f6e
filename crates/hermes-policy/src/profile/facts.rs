//! What is known about one thing that a call would do, gathered once for all levels.

use std::cell::OnceCell;
use std::path::Path;

use hermes_core::grant::folder_of;
use hermes_core::{Access, AccessRequest, Owner, Permission, Target};

use super::analysis::{CommandFacts, Effect, HostFacts, PathFacts};
use super::ground::Ground;
use super::judged_paths::JudgedPaths;
use super::matchers::PathGlob;
use crate::command::UserRules;

/// One access of a call, or none: then the call touches nothing and is judged as such.
pub(crate) struct Facts<'a> {
    pub(crate) request: &'a AccessRequest<'a>,
    pub(crate) access: Option<&'a Access>,
    pub(crate) ground: &'a Ground,
    rules: &'a UserRules,
    judged: Option<&'a JudgedPaths>,
    command: OnceCell<Option<CommandFacts>>,
    path: OnceCell<Option<PathFacts>>,
    effects: OnceCell<Vec<Effect>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(
        request: &'a AccessRequest<'a>,
        access: Option<&'a Access>,
        ground: &'a Ground,
        rules: &'a UserRules,
    ) -> Self {
        let (command, path, effects) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Facts { request, access, ground, rules, judged: None, command, path, effects }
    }

    /// With what was found out about paths before.
    pub(crate) fn knowing(self, judged: Option<&'a JudgedPaths>) -> Self {
        Facts { judged, ..self }
    }

    /// The same call, looked at for something else that it does.
    pub(crate) fn of(&self, access: &'a Access) -> Facts<'a> {
        Facts::new(self.request, Some(access), self.ground, self.rules)
    }

    pub(crate) fn permission(&self) -> Option<&'a Permission> {
        self.access.map(|access| &access.permission)
    }

    pub(crate) fn path(&self) -> Option<&'a Path> {
        match &self.access?.target {
            Target::Resolved(path) => Some(path),
            _ => None,
        }
    }

    /// Whether a glob that closes paths closes this one: by its name, by a folder above it, or because removing
    /// the folder removes what is in it.
    pub(crate) fn is_closed_by(&self, glob: &PathGlob, path: &Path) -> bool {
        let removes = self.permission().is_some_and(|permission| *permission == Permission::FILE_DELETE);
        let cwd = self.request.cwd;
        glob.closes(path, cwd) || (removes && glob.lies_below(path, cwd))
    }

    pub(crate) fn host(&self) -> Option<&'a str> {
        match &self.access?.target {
            Target::Host(host) => Some(host),
            _ => None,
        }
    }

    /// What the command line says, if the access is one.
    pub(crate) fn command(&self) -> Option<&CommandFacts> {
        let of_target = || match &self.access?.target {
            Target::Command(text) => {
                let folder = folder_of(self.request, &self.ground.home);
                Some(CommandFacts::of(text, self.ground, folder, self.request.cwd, self.rules))
            }
            _ => None,
        };
        self.command.get_or_init(of_target).as_ref()
    }

    /// What a command would do by itself, in the words of permissions.
    pub(crate) fn effects(&self) -> &[Effect] {
        let effects = || self.command().map(|command| command.effects(self.ground, self.request.cwd));
        self.effects.get_or_init(|| effects().unwrap_or_default())
    }

    /// What the path is known for, if the access is one.
    pub(crate) fn place(&self) -> Option<&PathFacts> {
        let of_target = || {
            let (op, path, cwd) = (PathFacts::op(self.access?)?, self.path()?, self.request.cwd);
            let judge = || PathFacts::judge(path, op, self.ground, cwd);
            let verdict = self.judged.map_or_else(judge, |judged| judged.verdict(path, op, cwd, judge));
            Some(PathFacts { verdict })
        };
        self.path.get_or_init(of_target).as_ref()
    }

    /// What the guard of URLs says about the host, if the access is one.
    pub(crate) fn guard(&self) -> Option<HostFacts> {
        HostFacts::of(self.permission()?, self.host()?, self.ground)
    }

    /// The server that a tool comes from.
    pub(crate) fn server(&self) -> Option<&'a str> {
        match self.request.owner {
            Owner::Mcp(server) => Some(server),
            _ => None,
        }
    }

    /// The HTTP method. Tools of our own that take none only fetch; what others do is not known.
    pub(crate) fn method(&self) -> Option<String> {
        match self.request.arguments.get("method") {
            Some(method) => method.as_str().map(str::to_ascii_uppercase),
            None => matches!(self.request.owner, Owner::BuiltIn).then(|| "GET".to_owned()),
        }
    }
}

/// How many bytes of text the arguments carry.
pub(crate) fn bytes_of(value: &serde_json::Value) -> u64 {
    use serde_json::Value;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(bytes_of).sum(),
        Value::Object(fields) => fields.values().map(bytes_of).sum(),
    }
}
