//! What is wrong with an entry before anything is started or sent: what cannot work, and what would mean something else
//! than it seems to. What is told holds names of places, never the texts that stand there: they may be secret.

use std::collections::BTreeMap;

use hermes_core::text::visible;
use http::{HeaderName, HeaderValue};
use url::Url;

use super::expand::without_references;
use super::server::Endpoint;

/// Headers that belong to a connection: whoever sets them makes the other side read another request.
const OF_CONNECTIONS: [&str; 6] =
    ["connection", "content-length", "te", "trailer", "transfer-encoding", "upgrade"];

impl Endpoint {
    /// An error says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Endpoint::Stdio { command, args, env, cwd } => {
                check_program(command, args, env)?;
                match cwd {
                    Some(cwd) => no_nul("cwd", &cwd.to_string_lossy()),
                    None => Ok(()),
                }
            }
            Endpoint::Http { url, headers, login, .. } => {
                check_url("url", url)?;
                headers.iter().try_for_each(|(name, value)| check_header(name, value))?;
                let metadata = login.client_metadata_url.iter();
                metadata.into_iter().try_for_each(|url| check_url("login.client_metadata_url", url))
            }
        }
    }
}

/// Whether a program can be started so.
pub fn check_program(command: &str, args: &[String], env: &BTreeMap<String, String>) -> Result<(), String> {
    if command.trim().is_empty() {
        return Err("command is empty: it says which program to start".to_owned());
    }
    no_nul("command", command)?;
    for (at, arg) in args.iter().enumerate() {
        no_nul(&format!("args[{at}]"), arg)?;
    }
    for (name, value) in env {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(format!("'{}' is no name for an environment variable", visible(name)));
        }
        no_nul(&format!("env.{}", visible(name)), value)?;
    }
    Ok(())
}

fn no_nul(place: &str, text: &str) -> Result<(), String> {
    match text.contains('\0') {
        true => Err(format!("{place} has a NUL character in it, which ends a text for the system")),
        false => Ok(()),
    }
}

/// What references stand for is not known before they are filled in; everything around them is.
fn check_url(place: &str, url: &str) -> Result<(), String> {
    if url.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err(format!(
            "{place} has a blank or a control character in it; it begins with https:// or http:// and has none"
        ));
    }
    // A number can be a part of every part of an address, a port too.
    let sample = without_references(url, "1");
    let spoken = ["http://", "https://"];
    let begins = |text: &str| {
        spoken
            .iter()
            .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
    };
    if !begins(url) {
        // It may be all in the variable.
        let within = url.starts_with("${") && sample != url && !sample.contains("://");
        let wanted = format!("{place} must begin with https:// or http://");
        return if within { Ok(()) } else { Err(wanted) };
    }
    let address = Url::parse(&sample).map_err(|error| format!("{place} is no address: {error}"))?;
    if !address.username().is_empty() || address.password().is_some() {
        return Err(format!(
            "{place} has a user name or a password in it, where logs and errors show them; send them in a header, such as \
             'Authorization: Basic ${{LOGIN}}'"
        ));
    }
    Ok(())
}

fn check_header(name: &str, value: &str) -> Result<(), String> {
    let shown = visible(name);
    let header = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| format!("'{shown}' is no name for a header: use letters, digits and '-'"))?;
    if OF_CONNECTIONS.contains(&header.as_str()) {
        return Err(format!("headers.{shown} belongs to the connection and cannot be set"));
    }
    HeaderValue::from_str(value)
        .map(drop)
        .map_err(|_| format!("headers.{shown} has a line break or another control character in it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Login;

    fn at(url: &str, headers: &[(&str, &str)]) -> Result<(), String> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Endpoint::Http { url: url.to_owned(), headers, legacy: false, login: Login::default() }.check()
    }

    #[test]
    fn addresses_are_of_the_web_and_hold_no_passwords() {
        for good in [
            "https://example.com/mcp",
            "HTTP://127.0.0.1:8765/mcp?x=1",
            "http://[::1]:9/mcp",
            "https://${HOST}:${PORT}/${TENANT}/mcp?key=${KEY}",
            "http://127.0.0.1:${PORT:-8080}/mcp",
            "${BASE}",
            "${BASE}/mcp",
        ] {
            assert_eq!(at(good, &[]), Ok(()), "{good}");
        }
        for bad in [
            "",
            "example.com/mcp",
            "ftp://example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "$BASE/mcp",
            "${BASE}://example.com",
            "https://",
            "http://exa mple.com/",
            "https://example.com/\r\nX: 1",
            "https://example.com:99999/",
            "https://user:hunter22@example.com/mcp",
            "https://user@example.com/mcp",
            "https://${USER}:${PASS}@example.com/mcp",
        ] {
            let told = at(bad, &[]).expect_err(bad);
            assert!(!told.contains("hunter22"), "{told}");
        }
    }

    #[test]
    fn a_header_is_one_line_and_not_the_connections_own() {
        let send = |name, value| at("https://example.com/", &[(name, value)]);
        assert_eq!(send("Authorization", "Bearer ${TOKEN}"), Ok(()));
        for (name, value) in [
            ("X", "a\r\nHost: evil"),
            ("X", "a\nb"),
            ("X", "a\0b"),
            ("", "a"),
            ("X Y", "a"),
            ("X\r\nY", "a"),
            ("X:", "a"),
            ("Content-Length", "5"),
            ("transfer-encoding", "chunked"),
        ] {
            assert!(send(name, value).is_err(), "{name:?} {value:?}");
        }
    }

    #[test]
    fn a_program_has_a_name_and_texts_that_the_system_takes() {
        let start = |command: &str, arg: &str, (name, value): (&str, &str)| {
            check_program(command, &[arg.to_owned()], &BTreeMap::from([(name.to_owned(), value.to_owned())]))
        };
        assert_eq!(start("npx", "", ("A", "b=c")), Ok(()));
        for (command, arg, pair) in [
            ("", "a", ("A", "b")),
            (" \t", "a", ("A", "b")),
            ("a\0b", "a", ("A", "b")),
            ("npx", "a\0b", ("A", "b")),
            ("npx", "a", ("", "b")),
            ("npx", "a", ("A=B", "b")),
            ("npx", "a", ("A\0", "b")),
            ("npx", "a", ("A", "sec\0ret")),
        ] {
            let told = start(command, arg, pair).expect_err(command);
            assert!(!told.contains("sec"), "{told}");
        }
    }
}
