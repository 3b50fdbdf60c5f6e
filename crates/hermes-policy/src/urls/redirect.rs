//! Redirects: where a `Location` leads, and each hop checked like a new URL.

use core::net::IpAddr;

use super::check::check;
use super::parse::{Target, clean};
use super::policy::UrlPolicy;
use super::verdict::{Blocked, UrlVerdict};

/// More hops than this are a loop or a game.
pub const MAX_REDIRECTS: usize = 10;

/// The URL that a `Location` means, seen from the URL that answered with it.
pub fn next(from: &str, location: &str) -> Result<String, Blocked> {
    clean(location)?;
    let base = Target::read(from)?;
    if has_scheme(location) {
        return Ok(location.to_owned());
    }
    if location.starts_with("//") {
        return Ok(format!("{}:{location}", base.scheme.as_str()));
    }
    let base_rest = base.rest.split_once('#').map_or(base.rest.as_str(), |(before, _)| before);
    let base_path = base_rest.split_once('?').map_or(base_rest, |(path, _)| path);
    let rest = match location.chars().next() {
        None => base_rest.to_owned(),
        Some('#') => format!("{base_rest}{location}"),
        Some('?') => format!("{base_path}{location}"),
        Some('/') => without_dots(location),
        Some(_) => {
            let folder = base_path.rsplit_once('/').map_or("", |(folder, _)| folder);
            without_dots(&format!("{folder}/{location}"))
        }
    };
    let slash = if rest.is_empty() || rest.starts_with(['?', '#']) { "/" } else { "" };
    Ok(format!("{}{slash}{rest}", base.origin()))
}

/// Judges a URL and every redirect it leads to. The verdict is the last hop's; a blocked hop ends it.
pub fn check_hops(
    url: &str,
    locations: &[String],
    resolve: &mut dyn FnMut(&str) -> Vec<IpAddr>,
    policy: &UrlPolicy,
) -> UrlVerdict {
    let mut verdict = check(url, resolve, policy);
    let mut current = url.to_owned();
    for (hop, location) in locations.iter().enumerate() {
        if !verdict.is_allowed() {
            return verdict;
        }
        if hop >= MAX_REDIRECTS {
            return Blocked::new("redirects", format!("more than {MAX_REDIRECTS} redirects")).into();
        }
        current = match next(&current, location) {
            Ok(url) => url,
            Err(blocked) => return blocked.into(),
        };
        verdict = check(&current, resolve, policy);
    }
    verdict
}

/// Whether the text begins like `name:`, as RFC 3986 has it.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// The path without `.` and `..`; query and fragment stay as they are.
fn without_dots(text: &str) -> String {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let (path, tail) = text.split_at_checked(end).unwrap_or((text, ""));
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').skip(1) {
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            plain => kept.push(plain),
        }
    }
    let is_folder = matches!(path.rsplit('/').next(), Some("." | ".."));
    let slash = if is_folder && !kept.is_empty() { "/" } else { "" };
    format!("/{}{slash}{tail}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_lead_where_the_standard_says() {
        let from = "https://a.example:8443/b/c/d?q#f";
        for (location, expected) in [
            ("https://x.example/y", "https://x.example/y"),
            ("//x.example/y", "https://x.example/y"),
            ("/y", "https://a.example:8443/y"),
            ("y", "https://a.example:8443/b/c/y"),
            ("../y", "https://a.example:8443/b/y"),
            ("../../../y", "https://a.example:8443/y"),
            ("..", "https://a.example:8443/b/"),
            ("./", "https://a.example:8443/b/c/"),
            ("?z", "https://a.example:8443/b/c/d?z"),
            ("#z", "https://a.example:8443/b/c/d?q#z"),
            ("", "https://a.example:8443/b/c/d?q"),
            ("y?a=/../b", "https://a.example:8443/b/c/y?a=/../b"),
            ("/a:b", "https://a.example:8443/a:b"),
        ] {
            assert_eq!(next(from, location).as_deref(), Ok(expected), "{location}");
        }
        assert_eq!(next("http://[2606:4700::1]/", "x").as_deref(), Ok("http://[2606:4700::1]/x"));
        assert_eq!(next("http://a.example", "x").as_deref(), Ok("http://a.example/x"));
        for bad in ["/a\\b", "/a b", "\t//x"] {
            assert!(next(from, bad).is_err(), "{bad}");
        }
    }
}
