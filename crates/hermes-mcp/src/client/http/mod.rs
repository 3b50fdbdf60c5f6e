//! Links to servers elsewhere: streamable HTTP and, for old servers, events with a separate place to post to.
//! Every byte goes through the house's HTTP door.

mod answer;
mod client;
mod events;
mod first;
mod legacy;
mod lost_session;
mod own_stream;
mod places;
mod streamable;

pub(super) use client::GuardedClient;
pub(super) use first::Pings;
pub(super) use legacy::LegacyTransport;
pub(super) use streamable::transport_config;
