//! The host of a URL, in the one spelling that means the same to every program.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::fmt;

use super::letters::to_ascii;
use super::verdict::Blocked;

const LONGEST_LABEL: usize = 63;
const LONGEST_NAME: usize = 253;

/// A host that was read without doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    Address(IpAddr),
    /// In small ASCII letters, without a dot at its end.
    Name(String),
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Host::Name(name) => f.write_str(name),
        }
    }
}

impl Host {
    /// Reads the host of a URL, without a port.
    pub fn parse(text: &str) -> Result<Host, Blocked> {
        if text.is_empty() {
            return Err(Blocked::new("no_host", "the URL has no host"));
        }
        if let Some(rest) = text.strip_prefix('[') {
            return read_v6(rest.strip_suffix(']').unwrap_or_default());
        }
        let labels: Vec<&str> = text.split('.').collect();
        // A dot at the end names the same host; more than one names nothing.
        let (labels, dotted) = match labels.as_slice() {
            [labels @ .., ""] if !labels.is_empty() => (labels, true),
            labels => (labels, false),
        };
        if labels.last().is_some_and(|last| is_number(last)) {
            return read_v4(text, dotted);
        }
        let mut name = String::new();
        for label in labels {
            let ascii = to_ascii(label).filter(|ascii| !ascii.is_empty() && ascii.len() <= LONGEST_LABEL);
            let Some(ascii) = ascii else { return Err(bad_name(text)) };
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&ascii);
        }
        if name.len() > LONGEST_NAME { Err(bad_name(text)) } else { Ok(Host::Name(name)) }
    }
}

/// Whether a last label makes programs read the whole host as a number: `127.1`, `0x7f000001`, `017`.
fn is_number(label: &str) -> bool {
    let hex = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
    let all = |text: &str, fits: fn(&u8) -> bool| text.as_bytes().iter().all(fits);
    match hex {
        Some(digits) => all(digits, u8::is_ascii_hexdigit),
        None => !label.is_empty() && all(label, u8::is_ascii_digit),
    }
}

/// Four decimal numbers without leading zeros. The parser of the standard library takes nothing else.
fn read_v4(text: &str, dotted: bool) -> Result<Host, Blocked> {
    match text.parse::<Ipv4Addr>() {
        Ok(address) if !dotted => Ok(Host::Address(IpAddr::V4(address))),
        _ => Err(Blocked::new(
            "noncanonical_address",
            format!("'{text}' is a number that programs read differently; write an address as 192.0.2.1"),
        )),
    }
}

fn read_v6(inside: &str) -> Result<Host, Blocked> {
    if inside.contains('%') {
        return Err(Blocked::new(
            "ipv6_zone",
            "an address with a zone reaches only this machine's own networks",
        ));
    }
    inside
        .parse::<Ipv6Addr>()
        .map(|address| Host::Address(IpAddr::V6(address)))
        .map_err(|_| Blocked::new("bad_host", format!("'[{inside}]' is no IPv6 address")))
}

fn bad_name(text: &str) -> Blocked {
    Blocked::new("bad_host", format!("'{text}' is no host name that every program reads alike"))
}
