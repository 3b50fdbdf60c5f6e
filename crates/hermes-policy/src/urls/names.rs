//! Names that are known to mean this machine, this network or a cloud's own services, whatever a resolver
//! says about them.

use core::net::{IpAddr, Ipv4Addr};

use super::address::special;
use super::verdict::Blocked;

/// Names whose every subdomain belongs to the local network.
const LOCAL: &[&str] = &[
    "consul",
    "corp",
    "home",
    "home.arpa",
    "internal",
    "intra",
    "intranet",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "private",
    "svc",
];

/// Names under which clouds hand out credentials.
const METADATA: &[&str] = &[
    "api.metadata.cloud.ibm.com",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata",
    "metadata.azure.com",
    "metadata.azure.internal",
    "metadata.exoscale.com",
    "metadata.goog",
    "metadata.google.internal",
    "metadata.hetzner.cloud",
    "metadata.oraclecloud.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "metadata.scaleway.com",
    "metadata.tencentyun.com",
    "metadata.vultr.com",
    "rancher-metadata",
];

/// Public names that answer with the address written in front of them.
const ECHOES: &[&str] = &[
    "nip.io",
    "sslip.io",
    "traefik.me",
    "xip.io",
    "ip.addr.tools",
    "backname.io",
    "local-ip.co",
    "local-ip.sh",
    "my.local-ip.co",
];

/// Public names that answer with this machine's address, or with a new one each time.
const LOOPBACK: &[&str] = &[
    "1u.ms",
    "ddev.site",
    "fuf.me",
    "lacolhost.com",
    "lndo.site",
    "local.gd",
    "localho.st",
    "localtest.me",
    "lvh.me",
    "rbndr.us",
    "rebind.it",
    "rebind.network",
    "smackaho.st",
    "spoofed.burpcollaborator.net",
    "vcap.me",
];

/// Why the name is refused before it is looked up; `private` says whether the local network is open.
pub(super) fn refused(name: &str, private: bool) -> Option<Blocked> {
    if METADATA.contains(&name) {
        return Some(Blocked::new("metadata", format!("{name} is where a cloud keeps credentials")));
    }
    if private {
        return None;
    }
    if !name.contains('.') || is_below(name, LOCAL) {
        return Some(Blocked::new("local_name", format!("{name} names something on the local network")));
    }
    if is_below(name, LOOPBACK) {
        return Some(Blocked::new("local_name", format!("{name} is known to lead back to this machine")));
    }
    let echoed = if is_below(name, ECHOES) { written_address(name) } else { None };
    let special = special(IpAddr::V4(echoed?))?;
    Some(Blocked::new(special.category, format!("{name} stands for an address that is not public")))
}

fn is_below(name: &str, list: &[&str]) -> bool {
    list.iter()
        .any(|above| name.strip_suffix(above).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// The last address that the labels spell: `10.0.0.1`, `10-0-0-1` or `0a000001`.
fn written_address(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<&str> = name.split(['.', '-']).collect();
    let spelled = parts.windows(4).rev().find_map(|four| four.join(".").parse().ok());
    let hex = || {
        let label = parts.iter().rev().find(|label| label.len() == 8)?;
        Some(Ipv4Addr::from(u32::from_str_radix(label, 16).ok()?))
    };
    spelled.or_else(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_in_every_dress() {
        for name in [
            "localhost",
            "a.localhost",
            "printer.local",
            "db.internal",
            "nas.lan",
            "x.localdomain",
            "router.home.arpa",
            "intranet",
            "metadata.google.internal",
            "metadata.goog",
            "app.localtest.me",
            "127.0.0.1.nip.io",
            "a-10-0-0-1.sslip.io",
            "x.7f000001.nip.io",
            "kubernetes.default.svc",
            "fritz.home",
        ] {
            assert!(refused(name, false).is_some(), "{name}");
        }
        for name in [
            "example.com",
            "localhost.example.com",
            "local.example.com",
            "internal.example.com",
            "notlocal.dev",
            "mylocalhost.com",
            "metadata.example.com",
            "127.example.com",
            "8.8.8.8.nip.io",
            "thelocal.de",
            "wlan.com",
        ] {
            assert!(refused(name, false).is_none(), "{name}");
        }
        assert!(refused("printer.local", true).is_none());
        assert!(refused("metadata.google.internal", true).is_some());
    }
}
