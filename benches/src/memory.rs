//! What the kernel says about this process and this machine.

/// Resident bytes of this process now.
pub fn resident() -> f64 {
    status_field("self", "VmRSS:")
}

/// The most bytes of another process that were ever resident.
pub fn peak_of(process: u32) -> f64 {
    status_field(&process.to_string(), "VmHWM:")
}

/// The most bytes that were resident since [`forget_peak`].
pub fn peak() -> f64 {
    status_field("self", "VmHWM:")
}

/// Starts a new measurement of [`peak`].
pub fn forget_peak() {
    // Writing 5 resets the high-water mark; see proc_pid_clear_refs(5).
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The load averages of the machine, so that a reader can tell a quiet run from a busy one.
pub fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn status_field(process: &str, name: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let kilobytes = line.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0
}
