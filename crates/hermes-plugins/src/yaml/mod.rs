//! Tools from YAML: a request or a program with places for arguments. Values are encoded for the place they
//! go to, so an argument cannot become part of an address, a header, a body's shape or an option.

mod answer;
mod arguments;
mod auth_keys;
mod body_keys;
mod code_options;
mod code_words;
mod command_keys;
mod command_tool;
mod encode;
mod endpoint;
mod file;
mod http_keys;
mod http_request;
mod http_tool;
mod load;
mod parameter;
mod respond;
mod runners;
mod source;
mod spec;
mod template;

pub use file::YamlFile;
pub use load::{DEFAULT_TOOLSET, FILE_SCHEMA, load};
pub(crate) use parameter::one_of;
pub use source::{Consent, tools};
pub use spec::{Auth, CommandSpec, HttpSpec, Kind, Parameter, ToolSpec};
