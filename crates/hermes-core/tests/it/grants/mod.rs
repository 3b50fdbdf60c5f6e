//! Grants: they cover what they say and nothing that does more.

mod binding;
mod covering;
mod properties;
mod support;
