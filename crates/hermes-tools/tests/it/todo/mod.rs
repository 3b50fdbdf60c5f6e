#[expect(clippy::module_inception, reason = "mirrors src")]
mod todo;
