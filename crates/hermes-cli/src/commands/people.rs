//! Who gives orders on the command line, and when things happened.

use crate::app::Surroundings;

/// The person at the command line, for records.
pub(super) fn told_by(surroundings: &Surroundings) -> String {
    let env = &surroundings.host.env;
    let name = env.get("USER").or_else(|| env.get("LOGNAME")).unwrap_or("user");
    format!("{name} on the command line")
}

pub(super) fn when(at_ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(at_ms) {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => at_ms.to_string(),
    }
}
