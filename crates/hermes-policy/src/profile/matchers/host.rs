//! Hosts: `example.com`, `*.example.com`, `example.com:8443`, `*`.

use std::fmt;

/// A pattern over hosts. Names are compared without case and without a final dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    name: Name,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Any,
    Exact(String),
    /// Every name below this one, but not the name itself.
    Below(String),
}

/// Ports of a web address that names none.
const WEB_PORTS: [u16; 2] = [80, 443];

impl HostPattern {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.contains("://") || text.contains('/') {
            return Err("is an address, not a host: write the name between // and the next / only".to_owned());
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '@' | '\\')) {
            return Err("has a sign that no host has".to_owned());
        }
        let (name, port) = split(text);
        let port = match port {
            Some(port) => Some(port.parse().map_err(|_| format!("{port:?} is not a port"))?),
            None => None,
        };
        let name = match name.strip_prefix("*.") {
            _ if name == "*" => Name::Any,
            Some(rest) if !rest.contains('*') && !rest.is_empty() => Name::Below(tidy(rest)),
            None if !name.contains('*') && !name.is_empty() => Name::Exact(tidy(name)),
            _ => return Err("may have one * in front only, such as *.example.com".to_owned()),
        };
        Ok(HostPattern { name, port })
    }

    /// Whether a target of a call, a host with or without a port, is meant.
    pub(crate) fn matches(&self, target: &str) -> bool {
        let (name, port) = split(target);
        let name = tidy(name);
        let name_fits = match &self.name {
            Name::Any => true,
            Name::Exact(wanted) => *wanted == name,
            Name::Below(parent) => is_below(&name, parent),
        };
        let port_fits = match (self.port, port) {
            (None, _) => true,
            (Some(wanted), Some(port)) => port.parse() == Ok(wanted),
            (Some(wanted), None) => WEB_PORTS.contains(&wanted),
        };
        name_fits && port_fits
    }

    /// Whether it names a host, or those below a name, rather than all.
    pub(crate) fn is_specific(&self) -> bool {
        self.name != Name::Any
    }

    /// Whether everything `other` matches is matched by this one too.
    pub(crate) fn covers(&self, other: &HostPattern) -> bool {
        let names = match (&self.name, &other.name) {
            (Name::Any, _) => true,
            (Name::Exact(wide), Name::Exact(narrow)) | (Name::Below(wide), Name::Below(narrow))
                if wide == narrow =>
            {
                true
            }
            (Name::Below(parent), Name::Exact(name) | Name::Below(name)) => is_below(name, parent),
            _ => false,
        };
        names && (self.port.is_none() || self.port == other.port)
    }
}

fn is_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent).is_some_and(|front| front.ends_with('.') && front.len() > 1)
}

/// Name and port. An IPv6 address has its colons in brackets, or has no port.
fn split(text: &str) -> (&str, Option<&str>) {
    if let Some((inside, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return (inside, rest.strip_prefix(':'));
    }
    match text.split_once(':') {
        Some((name, port)) if !port.contains(':') => (name, Some(port)),
        _ => (text, None),
    }
}

fn tidy(name: &str) -> String {
    name.trim_end_matches('.').to_lowercase()
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (front, name) = match &self.name {
            Name::Any => ("", "*"),
            Name::Exact(name) => ("", name.as_str()),
            Name::Below(name) => ("*.", name.as_str()),
        };
        match self.port {
            Some(port) if name.contains(':') => write!(f, "{front}[{name}]:{port}"),
            Some(port) => write!(f, "{front}{name}:{port}"),
            None => write!(f, "{front}{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_match_by_name_and_port() {
        for (pattern, target, matches) in [
            ("example.com", "example.com", true),
            ("example.com", "EXAMPLE.com.:443", true),
            ("example.com", "api.example.com", false),
            ("example.com", "example.com.evil.org", false),
            ("*.example.com", "api.example.com:8080", true),
            ("*.example.com", "example.com", false),
            ("*.example.com", "badexample.com", false),
            ("example.com:8443", "example.com:8443", true),
            ("example.com:8443", "example.com", false),
            ("example.com:443", "example.com", true),
            ("*", "anything:1", true),
            ("[::1]:80", "[::1]:80", true),
            ("::1", "[::1]:80", true),
        ] {
            assert_eq!(HostPattern::parse(pattern).unwrap().matches(target), matches, "{pattern} {target}");
        }
        for bad in ["", "https://a.b", "a.*.b", "*.*.b", "a/b", "a b", "a:99999", "*.", "me@a.b"] {
            assert!(HostPattern::parse(bad).is_err(), "{bad}");
        }
        let covers = |wide: &str, narrow: &str| {
            HostPattern::parse(wide).unwrap().covers(&HostPattern::parse(narrow).unwrap())
        };
        assert!(
            covers("*.b.c", "a.b.c") && covers("*.c", "*.b.c") && covers("a.b", "a.b:1") && covers("*", "a")
        );
        assert!(!covers("*.b.c", "b.c") && !covers("a.b:1", "a.b") && !covers("a", "*"));
    }
}
