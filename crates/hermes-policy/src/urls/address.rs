//! Addresses that are not plain public hosts, range by range, from the IANA registries of special-purpose
//! addresses. The standard library's `is_private` and its like miss many of them.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What is special about an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// A stable word such as `loopback` or `metadata`.
    pub category: &'static str,
    /// Whether a policy that allows private addresses lets it through.
    pub private: bool,
}

const fn open(category: &'static str) -> Special {
    Special { category, private: true }
}

const fn shut(category: &'static str) -> Special {
    Special { category, private: false }
}

/// Single addresses where clouds answer with credentials. They come before the ranges they lie in.
const METADATA_V4: &[[u8; 4]] =
    &[[100, 100, 100, 200], [168, 63, 129, 16], [169, 254, 169, 254], [192, 0, 0, 192]];
const METADATA_V6: &[[u16; 8]] =
    &[[0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254], [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]];

/// First address, length of the prefix.
const V4: &[([u8; 4], u32, Special)] = &[
    ([0, 0, 0, 0], 8, shut("unspecified")),
    ([10, 0, 0, 0], 8, open("private")),
    ([100, 64, 0, 0], 10, open("shared")),
    ([127, 0, 0, 0], 8, open("loopback")),
    ([169, 254, 0, 0], 16, shut("link_local")),
    ([172, 16, 0, 0], 12, open("private")),
    ([192, 0, 0, 0], 24, shut("protocol")),
    ([192, 0, 2, 0], 24, shut("documentation")),
    ([192, 31, 196, 0], 24, shut("as112")),
    ([192, 52, 193, 0], 24, shut("amt")),
    ([192, 88, 99, 0], 24, shut("6to4_relay")),
    ([192, 168, 0, 0], 16, open("private")),
    ([192, 175, 48, 0], 24, shut("as112")),
    ([198, 18, 0, 0], 15, shut("benchmarking")),
    ([198, 51, 100, 0], 24, shut("documentation")),
    ([203, 0, 113, 0], 24, shut("documentation")),
    ([224, 0, 0, 0], 4, shut("multicast")),
    ([240, 0, 0, 0], 4, shut("reserved")),
];

/// In order: the first that matches names the address. What lies outside 2000::/3 is special by itself.
const V6: &[([u16; 8], u32, Special)] = &[
    ([0, 0, 0, 0, 0, 0, 0, 0], 128, shut("unspecified")),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, open("loopback")),
    ([0, 0, 0, 0, 0, 0, 0, 0], 96, shut("compatible")),
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, shut("mapped")),
    ([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, shut("translated")),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, shut("nat64")),
    ([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, shut("nat64")),
    ([0x100, 0, 0, 0, 0, 0, 0, 0], 64, shut("discard")),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, shut("teredo")),
    ([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, shut("benchmarking")),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, shut("protocol")),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, shut("documentation")),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, shut("6to4")),
    ([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48, shut("as112")),
    ([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16, shut("reserved")),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, shut("documentation")),
    ([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, shut("segment_routing")),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, open("unique_local")),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, shut("link_local")),
    ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, shut("site_local")),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, shut("multicast")),
];

/// What is special about the address; nothing, if it is a globally routable unicast address.
pub fn special(address: IpAddr) -> Option<Special> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<Special> {
    if METADATA_V4.contains(&address.octets()) {
        return Some(shut("metadata"));
    }
    let bits = address.to_bits();
    V4.iter().find_map(|(first, length, special)| {
        let differs = (bits ^ Ipv4Addr::from(*first).to_bits()).checked_shr(32 - length).unwrap_or(0);
        (differs == 0).then_some(*special)
    })
}

fn special_v6(address: Ipv6Addr) -> Option<Special> {
    if METADATA_V6.contains(&address.segments()) {
        return Some(shut("metadata"));
    }
    let bits = address.to_bits();
    let listed = V6.iter().find_map(|(first, length, special)| {
        let differs = (bits ^ Ipv6Addr::from(*first).to_bits()).checked_shr(128 - length).unwrap_or(0);
        (differs == 0).then_some(*special)
    });
    if listed.is_some() {
        return listed;
    }
    if bits >> 125 != 0b001 {
        return Some(shut("reserved"));
    }
    // ISATAP: an IPv4 address in the lower half, reached through a tunnel.
    let marker = (bits >> 32) as u32;
    matches!(marker, 0x0000_5efe | 0x0200_5efe).then_some(shut("isatap"))
}
