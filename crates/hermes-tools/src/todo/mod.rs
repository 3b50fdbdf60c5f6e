//! The session's task list.

mod items;
#[expect(clippy::module_inception, reason = "the toolset and its one tool share their name")]
mod todo;
