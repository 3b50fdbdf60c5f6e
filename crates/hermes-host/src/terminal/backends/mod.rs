//! The places where commands run, behind one contract.

mod chosen;
mod container;
mod contract;
mod docker;
mod ended_there;
mod kept_there;
mod local;
mod modal;
mod other_side;
mod programs;
mod singularity;
mod sockets;
mod ssh;
mod withdrawn;

pub(super) use chosen::backend;
pub(super) use contract::{Backend, Job, Prepared};
pub(super) use ended_there::processes;
pub(crate) use modal::enter as enter_modal_client;
pub(super) use other_side::variables;
