//! Facts about the machine and the container around it.

use std::time::Duration;

use hermes_host::System;
use hermes_host::system::{Battery, CgroupLimits, Cpu, Disk, Gpu, Interface, Memory, Os, ProcessLoad};
use hermes_kit::prelude::*;

/// Report on the machine: operating system, processors, memory, disks, network interfaces and the busiest
/// processes. Sizes are bytes. Inside a container, memory and the cgroup limits are the container's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to report; everything but gpu and battery if left out.
    #[serde(default = "default_sections")]
    sections: Vec<Section>,
    /// How many processes to report, the busiest first.
    #[serde(default = "default_top")]
    #[schemars(range(min = 1, max = 50))]
    top: usize,
    /// How long to watch the processors, in milliseconds.
    #[serde(default = "default_interval")]
    #[schemars(range(min = 50, max = 2_000))]
    interval_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    Os,
    Cpu,
    Memory,
    Disk,
    Network,
    Processes,
    Gpu,
    Battery,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    os: Option<Os>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<Cpu>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disks: Option<Vec<Disk>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<Vec<Interface>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<Vec<ProcessLoad>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpus: Option<Vec<Gpu>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    batteries: Option<Vec<Battery>>,
    /// The limits of the container, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    cgroup: Option<CgroupLimits>,
}

pub struct SystemInfo {
    system: System,
}

impl BlockingTool for SystemInfo {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        exposure: Exposure::Deferrable,
        emoji: "🖥️",
        tags: &["cpu", "memory", "ram", "disk", "df", "top", "uptime", "hardware", "container"],
        ..ToolMeta::new("system_info", "system", Effect::ReadOnly)
    };

    fn new(host: &Host) -> Self {
        SystemInfo { system: host.system.clone() }
    }

    fn access(&self, _args: &Args) -> Vec<Access> {
        vec![Access::any(Permission::SYSTEM_READ)]
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let look = self.system.look(cx)?;
        let wants = |section| args.sections.contains(&section);
        let load = (wants(Section::Cpu) || wants(Section::Processes))
            .then(|| look.load(Duration::from_millis(args.interval_ms)))
            .transpose()?;
        let usage = load.as_ref().map_or(0.0, |load| load.usage_percent);
        Ok(Output {
            os: wants(Section::Os).then(|| look.os()),
            cpu: wants(Section::Cpu).then(|| look.cpu(usage)),
            memory: wants(Section::Memory).then(|| look.memory()),
            disks: wants(Section::Disk).then(|| look.disks()),
            network: wants(Section::Network).then(|| look.network()),
            processes: load
                .filter(|_| wants(Section::Processes))
                .map(|load| load.processes.into_iter().take(args.top).collect()),
            gpus: wants(Section::Gpu).then(|| look.gpus()),
            batteries: wants(Section::Battery).then(|| look.batteries()),
            cgroup: (wants(Section::Cpu) || wants(Section::Memory)).then(|| look.cgroup()).flatten(),
        })
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds("only the disks", json!({"sections": ["disk"]}), json!({})),
            Example::succeeds(
                "the three busiest processes of half a second",
                json!({"sections": ["processes"], "top": 3, "interval_ms": 500}),
                json!({}),
            ),
            Example::fails(
                "an unknown section",
                json!({"sections": ["weather"]}),
                ErrorCode::InvalidArgument,
            ),
        ]
    }
}

fn default_sections() -> Vec<Section> {
    use Section::{Cpu, Disk, Memory, Network, Os, Processes};
    vec![Os, Cpu, Memory, Disk, Network, Processes]
}

fn default_top() -> usize {
    10
}

fn default_interval() -> u64 {
    200
}

register_tool!(Blocking<SystemInfo>);
