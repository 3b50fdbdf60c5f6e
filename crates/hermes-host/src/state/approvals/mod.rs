//! Questions for a person who is not at this terminal: kept until they are answered or too old.

mod answer;
mod model;
mod row;
mod store;

pub use model::{ApprovalState, NewApproval, Offer, PendingApproval};
pub use store::PendingApprovals;
