//! What one session may see and call, as one immutable snapshot.

mod build;
mod definition;
mod epoch;
mod room;
mod snapshot;
mod why;

pub use build::CatalogInputs;
pub(crate) use definition::Definitions;
pub use definition::{Definition, Naming, wrap};
pub(crate) use epoch::CatalogCell;
pub use snapshot::{Catalog, Hidden, Listed};
pub use why::why;
