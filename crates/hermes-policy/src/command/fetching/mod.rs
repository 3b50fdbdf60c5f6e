//! Requests over the network: what is sent, and where the answer is put.

mod curl;
mod landing;
mod others;
mod sending;
mod wget;

pub(crate) use curl::curl;
pub(crate) use others::other;
pub(crate) use sending::carries_data;
pub(crate) use wget::wget;
