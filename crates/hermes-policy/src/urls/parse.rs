//! Taking a URL apart. What programs disagree about is refused, not repaired.

use super::host::Host;
use super::verdict::Blocked;

/// Longer texts are no addresses of anything.
const LONGEST: usize = 65_536;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    fn port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

/// A URL that was read without doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub scheme: Scheme,
    pub host: Host,
    pub port: u16,
    /// Path, query and fragment, as they were written.
    pub rest: String,
}

impl Target {
    pub(super) fn read(url: &str) -> Result<Target, Blocked> {
        clean(url)?;
        let Some((scheme, after)) = url.split_once(':') else {
            return Err(Blocked::new("scheme", "the URL does not begin with http:// or https://"));
        };
        let scheme = match scheme.to_ascii_lowercase().as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(Blocked::new("scheme", "only http and https are fetched")),
        };
        let Some(after) = after.strip_prefix("//") else {
            return Err(Blocked::new("no_host", "the scheme is not followed by // and a host"));
        };
        let end = after.find(['/', '?', '#']).unwrap_or(after.len());
        let (authority, rest) = after.split_at_checked(end).unwrap_or((after, ""));
        if authority.contains('@') {
            return Err(Blocked::new(
                "userinfo",
                "the URL carries a user name or password in front of its host",
            ));
        }
        let (host, port) = split_port(authority)?;
        let host = Host::parse(host)?;
        let port = match port {
            None | Some("") => scheme.port(),
            Some(digits) => read_port(digits)?,
        };
        Ok(Target { scheme, host, port, rest: rest.to_owned() })
    }

    /// `scheme://host`, with the port where it is not the usual one.
    pub(super) fn origin(&self) -> String {
        let (scheme, host) = (self.scheme.as_str(), &self.host);
        if self.port == self.scheme.port() {
            format!("{scheme}://{host}")
        } else {
            format!("{scheme}://{host}:{}", self.port)
        }
    }
}

/// Some programs drop control characters and blanks, and some read a backslash as a slash.
pub(super) fn clean(text: &str) -> Result<(), Blocked> {
    if text.len() > LONGEST {
        return Err(Blocked::new("too_long", "the URL is longer than any server takes"));
    }
    match text.chars().find(|c| c.is_control() || c.is_whitespace() || *c == '\\') {
        None => Ok(()),
        Some('\\') => {
            Err(Blocked::new("backslash", "the URL has a backslash, which programs read differently"))
        }
        Some(c) if c.is_control() => Err(Blocked::new("control", "the URL has a control character")),
        Some(_) => Err(Blocked::new("blank", "the URL has a blank in it")),
    }
}

fn split_port(authority: &str) -> Result<(&str, Option<&str>), Blocked> {
    let after_bracket = match authority.rfind(']') {
        Some(at) => at + 1,
        None => 0,
    };
    let tail = authority.get(after_bracket..).unwrap_or_default();
    let Some(colon) = tail.find(':') else {
        return if after_bracket > 0 && !tail.is_empty() {
            Err(bad_authority())
        } else {
            Ok((authority, None))
        };
    };
    let (host, port) = authority.split_at_checked(after_bracket + colon).ok_or_else(bad_authority)?;
    if after_bracket > 0 && colon > 0 {
        return Err(bad_authority());
    }
    Ok((host, port.strip_prefix(':')))
}

fn bad_authority() -> Blocked {
    Blocked::new("bad_host", "host and port cannot be told apart")
}

fn read_port(digits: &str) -> Result<u16, Blocked> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let port = if plain { digits.parse().ok() } else { None };
    port.ok_or_else(|| Blocked::new("port", format!("'{digits}' is no port")))
}
