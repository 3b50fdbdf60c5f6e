//! The walls: own namespaces, a read-only view, Landlock, a system call filter, no privileges.

mod devices;
mod fence;
mod filter;
mod loopback;
mod mount_calls;
mod privileges;
mod spaces;
mod special_modes;
mod view;

pub(super) use fence::{fence, fenceable};
pub(super) use filter::filter;
pub(super) use loopback::leave_network;
pub(super) use privileges::{drop_privileges, gain_no_privileges};
pub(super) use spaces::{Clone, Ids, clone_into_spaces, map_ids};
pub(super) use view::{common_view, own_view};
