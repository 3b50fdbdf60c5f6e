//! MCP servers as users meet them, and Hermes as a server.

mod healing;
mod managing;
mod serving;
mod support;
mod trusting;
mod using;
