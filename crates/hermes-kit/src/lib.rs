//! For tool authors. A tool is an argument type, an output type, constant metadata and an async body;
//! everything else — schema, decoding, erasure, registration — is derived from those.
//!
//! ```
//! use hermes_kit::prelude::*;
//!
//! /// Says hello to somebody.
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! pub struct Args {
//!     /// Who to greet.
//!     name: String,
//! }
//!
//! #[derive(Serialize)]
//! pub struct Output {
//!     greeting: String,
//! }
//!
//! pub struct Greet;
//!
//! impl Tool for Greet {
//!     type Args = Args;
//!     type Output = Output;
//!     const META: ToolMeta = ToolMeta::new("greet", "example", Effect::None);
//!
//!     fn new(_host: &Host) -> Self {
//!         Greet
//!     }
//!
//!     async fn call(&self, args: Args, _cx: &CallContext) -> Result<Output, ToolError> {
//!         Ok(Output { greeting: format!("Hello, {}!", args.name) })
//!     }
//! }
//!
//! register_tool!(Greet);
//! ```

mod blocking;
mod erase;
mod example;
mod function;
pub mod prelude;
mod registration;
mod schema;
mod tool;

pub use blocking::{Blocking, BlockingTool};
pub use erase::erase;
pub use example::{Example, Expect};
pub use function::from_fn;
#[doc(hidden)]
pub use inventory;
pub use registration::{BuiltIns, Registration};
pub use schema::{description_of, parameters_of};
pub use tool::Tool;
