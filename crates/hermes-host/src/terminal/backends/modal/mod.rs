//! Commands in a sandbox of Modal, by the vendor's own protocol: gRPC as its client speaks it. Services, messages
//! and field numbers are those that the vendor publishes in its Python package `modal` 1.6 (`modal_proto`), which
//! also documents the order of the calls (`modal.Sandbox`).

mod backend;
mod call;
mod client;
mod commands;
mod grpc;
mod messages;
mod router;
mod service;

pub(in crate::terminal) use backend::Modal;
pub(crate) use client::enter;
