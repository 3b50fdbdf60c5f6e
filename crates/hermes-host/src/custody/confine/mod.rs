//! The walls: own namespaces, a read-only view, Landlock, a system call filter, no privileges.

mod built_ahead;
mod devices;
mod fence;
mod filter;
mod lookout;
mod loopback;
mod mount_calls;
mod privileges;
mod sockets;
mod spaces;
mod special_modes;
mod steps;
mod veil;
mod view;

pub(super) use built_ahead::BuiltAhead;
pub(super) use fence::{fence, fenceable};
pub(super) use filter::filter;
pub(super) use lookout::Lookout;
pub(super) use loopback::leave_network;
pub(super) use privileges::{drop_privileges, gain_no_privileges, keep_only_mounting};
pub(super) use spaces::{Clone, Ids, clone_into_spaces, map_ids};
pub(super) use view::{common_view, keep_all_as_they_are, own_view};
