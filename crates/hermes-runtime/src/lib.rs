//! The spine of Hermes: assembles what a session may see and takes every call through one pipeline.
//! Knows no concrete tool, no MCP, no HTTP: tools enter through sources, effects through ports.

mod admission;
mod availability;
pub mod batch;
pub mod catalog;
pub mod config;
pub mod disclosure;
pub mod hooks;
mod lifecycle;
mod nobody;
mod pipeline;
pub mod registry;
mod runtime;
mod session;
pub mod toolsets;
pub mod wire;

pub use availability::{Availability, AvailabilityCache, AvailabilitySettings};
pub use hermes_core::{ToolCall, ToolOutcome};
pub use nobody::NobodyToAsk;
pub use pipeline::{Footprint, Preview, validate, validate_for};
pub use runtime::{Parts, Runtime, Settings};
pub use session::{Session, SessionOptions};
