//! What the processors and processes were busy with over a short time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use hermes_core::{ErrorCode, ToolError};
use serde::Serialize;

use super::{Look, System};

/// How often a measurement looks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(25);

#[derive(Clone, Debug, Serialize)]
pub struct ProcessLoad {
    pub pid: u32,
    pub name: String,
    /// 100 is one processor fully busy, as in `top`.
    pub cpu_percent: f64,
    pub rss_bytes: u64,
}

#[derive(Clone, Debug)]
pub struct Load {
    /// Of all processors together, from 0 to 100.
    pub usage_percent: f64,
    /// The busiest first.
    pub processes: Vec<ProcessLoad>,
}

/// Clock ticks since start.
#[derive(Clone, Copy, Default)]
struct Ticks {
    total: u64,
    idle: u64,
    processors: u32,
}

struct ProcessTicks {
    name: String,
    /// When the process started: tells a reused process id from the old one.
    started: u64,
    busy: u64,
    rss_bytes: u64,
}

impl Look<'_> {
    /// Watches for `interval` and says who was busy.
    pub fn load(&self, interval: Duration) -> Result<Load, ToolError> {
        let (before, processes_before) = (self.system.ticks(), self.system.process_ticks());
        let started = Instant::now();
        while started.elapsed() < interval {
            if self.cx.cancel().is_cancelled() {
                return Err(ToolError::new(ErrorCode::Cancelled, "the measurement was cancelled"));
            }
            std::thread::sleep(GLANCE.min(interval.saturating_sub(started.elapsed())));
        }
        let (after, processes_after) = (self.system.ticks(), self.system.process_ticks());
        let total = after.total.saturating_sub(before.total);
        let idle = after.idle.saturating_sub(before.idle);
        let mut processes: Vec<ProcessLoad> = processes_after
            .into_iter()
            .map(|(pid, now)| {
                let then = processes_before.get(&pid).filter(|then| then.started == now.started);
                let busy = now.busy.saturating_sub(then.map_or(now.busy, |then| then.busy));
                let cpu_percent = percent(busy, total) * f64::from(after.processors);
                ProcessLoad { pid, name: now.name, cpu_percent: round(cpu_percent), rss_bytes: now.rss_bytes }
            })
            .collect();
        processes.sort_by(|a, b| {
            b.cpu_percent
                .total_cmp(&a.cpu_percent)
                .then(b.rss_bytes.cmp(&a.rss_bytes))
                .then(a.pid.cmp(&b.pid))
        });
        Ok(Load { usage_percent: round(percent(total.saturating_sub(idle), total)), processes })
    }
}

impl System {
    fn ticks(&self) -> Ticks {
        let text = Self::text(self.proc.join("stat")).unwrap_or_default();
        let mut ticks = Ticks::default();
        for line in text.lines() {
            let mut fields = line.split_whitespace();
            match fields.next() {
                Some("cpu") => {
                    // Guest time, the ninth and tenth, is part of user time already.
                    let values: Vec<u64> = fields.take(8).filter_map(|field| field.parse().ok()).collect();
                    ticks.total = values.iter().sum();
                    ticks.idle = values.iter().skip(3).take(2).sum();
                }
                Some(name) if name.starts_with("cpu") => ticks.processors += 1,
                _ => {}
            }
        }
        ticks
    }

    fn process_ticks(&self) -> HashMap<u32, ProcessTicks> {
        let Ok(entries) = std::fs::read_dir(&self.proc) else { return HashMap::new() };
        entries
            .flatten()
            .filter_map(|entry| {
                let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
                Some((pid, parse_process(&Self::text(entry.path().join("stat"))?)?))
            })
            .collect()
    }
}

/// Reads `/proc/<pid>/stat`. The name stands in parentheses and may hold anything, so the fields are
/// counted from the last closing one.
fn parse_process(text: &str) -> Option<ProcessTicks> {
    let (head, rest) = text.rsplit_once(')')?;
    let name = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    let page = u64::try_from(rustix::param::page_size()).unwrap_or(4096);
    Some(ProcessTicks {
        name,
        busy: number(11)? + number(12)?,
        started: number(19)?,
        rss_bytes: number(21).unwrap_or(0) * page,
    })
}

#[expect(clippy::cast_precision_loss, reason = "a percentage needs no more than 52 bits")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 }
}

fn round(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_parentheses_do_not_shift_the_fields() {
        let text = "7 (a) b (c) S 1 7 7 0 -1 4194560 0 0 0 0 11 22 0 0 20 0 1 0 3333 1000 4 0";
        let process = parse_process(text).unwrap();
        assert_eq!(process.name, "a) b (c");
        assert_eq!((process.busy, process.started), (33, 3333));
        assert_eq!(process.rss_bytes, 4 * rustix::param::page_size() as u64);
        assert!(parse_process("garbage").is_none());
    }
}
