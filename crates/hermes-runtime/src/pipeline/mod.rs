//! The path of one call, one step per file, in the order of the name list below. Every entry path —
//! direct, bridge, batch, script, subagent, server — comes through [`dispatch`].

mod arguments;
mod authorise;
mod bound;
mod close;
mod dispatch;
mod expected;
mod footprint;
mod gate;
mod guards;
mod handles;
mod lookup;
mod own_session;
mod preview;
mod record;
mod repeat;
mod run;
mod several;
mod unwrap;

pub use arguments::{validate, validate_for};
pub(crate) use close::shorten;
pub(crate) use dispatch::{dispatch, peek};
pub use footprint::Footprint;
pub(crate) use gate::{Gate, Passage};
pub use preview::Preview;
pub(crate) use repeat::RepeatGuard;
