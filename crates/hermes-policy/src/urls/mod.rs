//! Which URLs may be fetched: a strict reading of the text, a table of addresses, and every answer checked.
//! Nothing here touches a network; callers bring the resolver and connect only to what was pinned.

mod address;
mod check;
mod guard;
mod host;
mod letters;
mod names;
mod parse;
mod policy;
mod ports;
mod punycode;
mod redirect;
mod verdict;

pub use address::{Special, special};
pub use check::{check, inspect};
pub use host::Host;
pub use parse::{Scheme, Target};
pub use policy::{HostRule, HostRuleError, UrlPolicy};
pub use redirect::{MAX_REDIRECTS, check_hops, next};
pub use verdict::{Blocked, UrlVerdict};
