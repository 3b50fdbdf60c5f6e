//! The ledger of stored approvals.

mod ledger;
mod row;

pub use ledger::{GrantLedger, Revoked};
pub(super) use row::{insert, json, parsed, short_id};
