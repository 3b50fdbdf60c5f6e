//! What an operator may settle about URLs.

use std::fmt;

use super::host::Host;

/// The default allows every public host and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlPolicy {
    /// Opens the local network: loopback, private, shared and unique local addresses, and local names.
    /// Metadata services and addresses that stand for others stay closed.
    pub allow_private: bool,
    /// Only these hosts, where any are named.
    pub allowed_hosts: Vec<HostRule>,
    /// Never these hosts, whatever else is allowed.
    pub denied_hosts: Vec<HostRule>,
}

/// `example.com` is that host alone, `*.example.com` every host below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRule {
    name: String,
    below: bool,
}

/// Why a text is no host rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRuleError(String);

impl fmt::Display for HostRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostRuleError {}

impl HostRule {
    pub fn parse(text: &str) -> Result<HostRule, HostRuleError> {
        let (below, name) = match text.strip_prefix("*.") {
            Some(name) => (true, name),
            None => (false, text),
        };
        // Written as a URL writes it, so that a rule and a URL cannot differ by their spelling.
        match Host::parse(name) {
            Ok(host @ Host::Address(_)) if !below => Ok(HostRule { name: host.to_string(), below }),
            Ok(Host::Name(name)) => Ok(HostRule { name, below }),
            _ => Err(HostRuleError(format!("'{text}' is no host, and no *.host"))),
        }
    }

    pub(super) fn matches(&self, host: &str) -> bool {
        if self.below {
            host.strip_suffix(self.name.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        } else {
            host == self.name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_match_whole_labels() {
        let matches = |rule: &str, host: &str| HostRule::parse(rule).unwrap().matches(host);
        assert!(matches("Example.com.", "example.com"));
        assert!(matches("*.example.com", "a.b.example.com"));
        assert!(matches("[::1]", "[::1]"));
        assert!(!matches("*.example.com", "example.com"));
        assert!(!matches("*.example.com", "notexample.com"));
        assert!(!matches("example.com", "a.example.com"));
        for bad in ["", "*", "*.", "a b", "*.127.0.0.1", "http://x"] {
            assert!(HostRule::parse(bad).is_err(), "{bad}");
        }
    }
}
