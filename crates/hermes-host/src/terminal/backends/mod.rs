//! The places where commands run, behind one contract.

mod container;
mod contract;
mod docker;
mod local;
mod modal;
mod other_side;
mod programs;
mod singularity;
mod sockets;
mod ssh;

pub(super) use contract::{Backend, Job, Prepared};
pub(super) use docker::Docker;
pub(super) use local::Local;
pub(super) use modal::Modal;
pub(crate) use modal::enter as enter_modal_client;
pub(super) use other_side::bearers;
pub(super) use singularity::Singularity;
pub(super) use ssh::Ssh;
