//! Network interfaces with their counters and addresses.

use serde::Serialize;

use super::Look;

#[derive(Clone, Debug, Serialize)]
pub struct Interface {
    pub iface: String,
    pub rx_bytes: u64,
    pub tx_bytes: u64,
    /// With prefix length, as `10.0.0.2/24`.
    pub addresses: Vec<String>,
}

impl Look<'_> {
    /// Sorted by name.
    pub fn network(&self) -> Vec<Interface> {
        let Ok(networks) = sysinfo::Networks::new_with_refreshed_list() else { return Vec::new() };
        let mut interfaces: Vec<Interface> = networks
            .iter()
            .map(|(name, data)| Interface {
                iface: name.to_string_lossy().into_owned(),
                rx_bytes: data.total_received(),
                tx_bytes: data.total_transmitted(),
                addresses: data.ip_networks().iter().map(ToString::to_string).collect(),
            })
            .collect();
        interfaces.sort_by(|a, b| a.iface.cmp(&b.iface));
        interfaces
    }
}
