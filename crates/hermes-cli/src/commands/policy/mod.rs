//! `hermes policy`: how calls are judged, on the very function the runtime uses. Runs nothing.

mod cases;
mod command;
mod explain;
mod lint;
mod profiles;
mod shadow;
mod show;
mod subject;
mod test;
mod trust;

pub(crate) use command::{PolicyCommand, run};
