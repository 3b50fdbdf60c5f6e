//! Operating system, processors and memory.

use serde::Serialize;

use super::{Look, System};

#[derive(Clone, Debug, Serialize)]
pub struct Os {
    pub name: String,
    pub kernel: String,
    pub arch: String,
    pub hostname: String,
    pub uptime_s: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Cpu {
    pub model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical: Option<usize>,
    /// What `nproc` says: the processors this process may run on.
    pub logical: usize,
    pub usage_percent: f64,
    pub load_avg: [f64; 3],
}

/// Bytes, as `free -b` shows them, or the container's if it has less than the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Memory {
    pub total: u64,
    pub used: u64,
    pub available: u64,
    pub swap_total: u64,
    pub swap_used: u64,
}

impl Look<'_> {
    pub fn os(&self) -> Os {
        let uptime = System::text(self.system.proc.join("uptime")).unwrap_or_default();
        Os {
            name: sysinfo::System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
            kernel: sysinfo::System::kernel_version().unwrap_or_default(),
            arch: std::env::consts::ARCH.to_owned(),
            hostname: sysinfo::System::host_name().unwrap_or_default(),
            uptime_s: uptime.split('.').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0),
        }
    }

    /// `usage_percent` comes from a [`super::Load`] that was measured over some time.
    pub fn cpu(&self, usage_percent: f64) -> Cpu {
        let info = System::text(self.system.proc.join("cpuinfo")).unwrap_or_default();
        let model = info
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| matches!(name.trim(), "model name" | "Model" | "Processor"))
            .map_or_else(|| "unknown".to_owned(), |(_, model)| model.trim().to_owned());
        let text = System::text(self.system.proc.join("loadavg")).unwrap_or_default();
        let mut averages = text.split(' ').map(|average| average.parse().unwrap_or(0.0));
        Cpu {
            model,
            physical: sysinfo::System::physical_core_count().ok(),
            logical: usable_processors(),
            usage_percent,
            load_avg: std::array::from_fn(|_| averages.next().unwrap_or(0.0)),
        }
    }

    pub fn memory(&self) -> Memory {
        let text = System::text(self.system.proc.join("meminfo")).unwrap_or_default();
        let bytes = |wanted: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(wanted)?.strip_prefix(':'));
            let kilobytes = line.and_then(|value| value.trim().trim_end_matches(" kB").parse::<u64>().ok());
            kilobytes.unwrap_or(0) * 1024
        };
        let (mut total, mut available) = (bytes("MemTotal"), bytes("MemAvailable"));
        if let Some(limits) = self.cgroup()
            && let Some(limit) = limits.memory_limit.filter(|limit| *limit < total)
        {
            total = limit;
            available = available.min(limit.saturating_sub(limits.memory_used.unwrap_or(0)));
        }
        let swap_total = bytes("SwapTotal");
        Memory {
            total,
            used: total.saturating_sub(available),
            available,
            swap_total,
            swap_used: swap_total.saturating_sub(bytes("SwapFree")),
        }
    }
}

fn usable_processors() -> usize {
    rustix::thread::sched_getaffinity(None)
        .ok()
        .and_then(|set| usize::try_from(set.count()).ok())
        .filter(|count| *count > 0)
        .or_else(|| std::thread::available_parallelism().ok().map(std::num::NonZero::get))
        .unwrap_or(1)
}
