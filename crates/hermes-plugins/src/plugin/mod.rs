//! Plugins: programs in any language that offer tools over a line-based protocol, each in a process of its
//! own behind walls, with no more than the user granted.

mod content;
mod describe;
mod enabled;
mod folders;
mod grant;
mod guest;
mod line;
mod manifest;
mod message;
mod plan;
mod process;
mod running;
mod scaffold;
mod sdk;
mod source;
mod started;
mod supervisor;
mod tool;
mod words;

pub use content::{digest_of, folders_of};
pub use describe::{Described, ToolDescription};
pub use enabled::{Enabled, EnabledPlugin};
pub use folders::{Folders, Found, Place};
pub use grant::Grant;
pub use manifest::{EVENTS, MANIFEST, Manifest, Protocol, read_manifest};
pub use scaffold::{Language, scaffold, wrap_python};
pub use source::{PluginState, Witness, enable, inspect, load};
