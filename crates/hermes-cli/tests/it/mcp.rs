//! MCP servers as users meet them, and Hermes as a server.

mod asking;
mod client;
mod credentials;
mod digits;
mod elsewhere;
mod entries;
mod gateway;
mod guarding;
mod healing;
mod hiding;
mod living;
mod login;
mod managing;
mod naming;
mod real_servers;
mod scripted;
mod serving;
mod serving_http;
mod serving_strangers;
mod standing_in;
mod starting;
mod support;
mod trusting;
mod using;
