//! Approvals with a judge that the tests own.

mod bench;
mod chain;
mod page;
