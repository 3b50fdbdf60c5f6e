//! MCP servers as users meet them, and Hermes as a server.

mod asking;
mod client;
mod elsewhere;
mod gateway;
mod guarding;
mod healing;
mod living;
mod login;
mod managing;
mod real_servers;
mod serving;
mod serving_http;
mod standing_in;
mod support;
mod trusting;
mod using;
