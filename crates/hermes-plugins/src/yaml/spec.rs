//! What a YAML file says about its tools, read and checked.

use std::time::Duration;

use hermes_core::egress::{Origin, Reach};
use hermes_core::yaml::{Mark, Place};
use serde_json::Value;

use super::endpoint::Endpoint;
use super::template::Template;
use crate::env_need::EnvNeed;

/// One tool of a file.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    pub toolset: String,
    pub tags: Vec<String>,
    pub timeout: Duration,
    pub parameters: Vec<Parameter>,
    pub kind: Kind,
    /// Whether it wants to stand in for a tool of that name that somebody else has.
    pub overrides: bool,
    /// What the file says about the variables it uses.
    pub(crate) declared: Vec<EnvNeed>,
    /// Where the tool stands, for messages.
    pub at: Place,
}

/// What a tool does.
#[derive(Clone, Debug)]
pub enum Kind {
    Http(Box<HttpSpec>),
    Command(Box<CommandSpec>),
}

/// One argument of a tool.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    /// Its schema, as the model sees it.
    pub schema: Value,
    pub required: bool,
    pub default: Option<Value>,
    /// Where an HTTP tool puts it, if no template speaks of it.
    pub(crate) place: Option<Position>,
    /// What it is called there.
    pub(crate) wire_name: String,
    /// Whether a value may begin with a dash where a program would take it for an option.
    pub(crate) leading_dash: bool,
    /// Where it stands, for messages.
    pub(crate) at: Mark,
}

/// Where an argument goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Path,
    Query,
    Header,
    Body,
}

/// A request with places for arguments.
#[derive(Clone, Debug)]
pub struct HttpSpec {
    pub(crate) method: String,
    pub(crate) endpoint: Endpoint,
    pub origin: Origin,
    pub(crate) reach: Reach,
    pub(crate) auth: Auth,
    pub(crate) headers: Vec<(String, Template)>,
    pub(crate) query: Vec<(String, Template)>,
    pub(crate) body: Option<BodyTemplate>,
    pub(crate) form: bool,
    pub(crate) pick: Option<String>,
    pub(crate) max_bytes: u64,
    pub(crate) retries: u32,
    pub(crate) idempotent: bool,
}

/// Who the request comes from. Secrets are named, never written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    None,
    Basic { username_env: String, password_env: String },
    Bearer { token_env: String },
    Header { name: String, value_env: String },
    Query { name: String, value_env: String },
}

impl Auth {
    /// The variables that must be set.
    pub fn variables(&self) -> Vec<&str> {
        match self {
            Auth::None => Vec::new(),
            Auth::Basic { username_env, password_env } => vec![username_env, password_env],
            Auth::Bearer { token_env: variable }
            | Auth::Header { value_env: variable, .. }
            | Auth::Query { value_env: variable, .. } => vec![variable],
        }
    }
}

/// A body with places for arguments: typed values, never text put together.
#[derive(Clone, Debug)]
pub(crate) enum BodyTemplate {
    Value(Value),
    Text(Template),
    List(Vec<BodyTemplate>),
    Table(Vec<(String, BodyTemplate)>),
}

/// A program with places for arguments.
#[derive(Clone, Debug)]
pub struct CommandSpec {
    pub(crate) argv: Vec<Word>,
    pub(crate) stdin: Option<Template>,
    pub(crate) env: Vec<(String, EnvValue)>,
    pub(crate) json: bool,
    pub(crate) ok_exit_codes: Vec<i32>,
    pub(crate) max_bytes: usize,
    pub(crate) read_only: bool,
}

/// One or more words of a command line.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// One word; left out where its argument was not given.
    One(Template),
    /// Words that come together or not at all.
    Group(Vec<Template>),
}

/// The value of a variable that a program is given.
#[derive(Clone, Debug)]
pub(crate) enum EnvValue {
    Template(Template),
    FromEnv(String),
}

impl ToolSpec {
    /// The variables the tool cannot do without, with what the file says of them.
    pub fn needs(&self) -> Vec<EnvNeed> {
        let mut names: Vec<String> = self.secrets().into_iter().map(|(variable, _)| variable).collect();
        names.dedup();
        let known = |name: &String| self.declared.iter().find(|need| need.name == *name).cloned();
        let need = |name: String| {
            let need = known(&name).unwrap_or_else(|| EnvNeed::named(name));
            // What opens a door is secret, whatever it is called.
            EnvNeed { secret: need.secret.or(self.is_hidden(&need.name).then_some(true)), ..need }
        };
        names.into_iter().map(need).collect()
    }

    /// Whether the value is kept out of answers: all but the name of a user is.
    fn is_hidden(&self, variable: &str) -> bool {
        match &self.kind {
            Kind::Http(http) => match &http.auth {
                Auth::Basic { password_env, .. } => password_env == variable,
                _ => true,
            },
            Kind::Command(_) => true,
        }
    }

    /// Every secret the tool uses and where it would be sent: what a person agrees to when registering.
    pub fn secrets(&self) -> Vec<(String, String)> {
        match &self.kind {
            Kind::Http(http) => {
                let bound = |variable: &str| (variable.to_owned(), http.origin.to_string());
                http.auth.variables().into_iter().map(bound).collect()
            }
            Kind::Command(command) => {
                let program = match command.argv.first() {
                    Some(Word::One(first)) => first.literal().unwrap_or_default(),
                    _ => "",
                };
                let used = command.env.iter().filter_map(|(_, value)| match value {
                    EnvValue::FromEnv(variable) => Some((variable.clone(), format!("program {program}"))),
                    EnvValue::Template(_) => None,
                });
                used.collect()
            }
        }
    }
}
