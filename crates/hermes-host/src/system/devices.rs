//! Graphics cards and batteries, as far as the kernel shows them without a vendor's library.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Look, System};

#[derive(Clone, Debug, Serialize)]
pub struct Gpu {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_used: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_percent: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Battery {
    pub name: String,
    pub charge_percent: u64,
    pub state: String,
}

impl Look<'_> {
    /// Sorted by device name; empty on a machine without a graphics card.
    pub fn gpus(&self) -> Vec<Gpu> {
        children(&self.system.sys.join("class/drm"))
            .into_iter()
            // `card0` is a card, `card0-HDMI-A-1` one of its sockets.
            .filter(|card| file_name(card).starts_with("card") && !file_name(card).contains('-'))
            .map(|card| {
                let device = card.join("device");
                let id = |file: &str| System::text(device.join(file)).map(|id| id.trim().to_owned());
                let driver = std::fs::read_link(device.join("driver")).ok().map(|path| file_name(&path));
                let vendor = id("vendor").unwrap_or_default();
                Gpu {
                    name: format!("{} {}", vendor_name(&vendor), id("device").unwrap_or_default()),
                    driver,
                    memory_total: System::number(device.join("mem_info_vram_total")),
                    memory_used: System::number(device.join("mem_info_vram_used")),
                    usage_percent: System::number(device.join("gpu_busy_percent")),
                }
            })
            .collect()
    }

    /// Sorted by name; empty on a machine without a battery.
    pub fn batteries(&self) -> Vec<Battery> {
        children(&self.system.sys.join("class/power_supply"))
            .into_iter()
            .filter_map(|supply| {
                let kind = System::text(supply.join("type"))?;
                let state = System::text(supply.join("status")).unwrap_or_default();
                (kind.trim() == "Battery").then_some(())?;
                Some(Battery {
                    name: file_name(&supply),
                    charge_percent: System::number(supply.join("capacity"))?,
                    state: state.trim().to_lowercase(),
                })
            })
            .collect()
    }
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn vendor_name(id: &str) -> &str {
    match id {
        "0x10de" => "NVIDIA",
        "0x1002" => "AMD",
        "0x8086" => "Intel",
        "0x1af4" => "virtio",
        "" => "unknown vendor",
        other => other,
    }
}
