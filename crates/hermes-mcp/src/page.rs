//! Pages that a person is sent to.

use url::{Host, Url};

/// What a shell would run where a page is handed to a browser by a command, even between double quotation marks.
const COMMANDS: [&str; 3] = ["$(", "${", "`"];

/// The page, if it leads where it seems to and nobody on the way to it can change it: encrypted, or on this machine.
pub(crate) fn safe(page: &str) -> Result<Url, String> {
    // They are dropped when an address is read, and what stood apart stands side by side.
    if page.contains(char::is_control) {
        return Err("the page holds control characters".to_owned());
    }
    let text = page;
    let page = Url::parse(text).map_err(|_| "the page is no address".to_owned())?;
    if COMMANDS.iter().any(|command| text.contains(command) || page.as_str().contains(command)) {
        return Err("the page holds what a shell would run".to_owned());
    }
    if !page.username().is_empty() || page.password().is_some() {
        return Err("the page has a user in front of its host, which hides where it leads".to_owned());
    }
    let this_machine = match page.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    match page.scheme() {
        "https" => Ok(page),
        "http" if this_machine => Ok(page),
        scheme => Err(format!("the page is not protected: it is of the kind '{scheme}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_nobody_can_change_are_safe() {
        for page in [
            "https://a.example/x?price=$5&mail=me@a.example",
            "https://a.example/x",
            "http://127.0.0.1:8/x",
            "http://[::1]/",
            "http://localhost/",
        ] {
            assert!(safe(page).is_ok(), "{page}");
        }
        for page in [
            "http://a.example/",
            "javascript:alert(1)",
            "file:///bin/sh",
            "data:text/html,x",
            "no page",
            "http://127.0.0.1.evil.example/",
            "x-app://run",
            "https://login.example.com@evil.example/",
            "https://:pw@evil.example/",
            "https://a.example/?q=$(reboot)",
            "https://a.example/`reboot`",
            "https://a.example/${IFS}",
            "https://a.example/?q=$\t(reboot)",
            "https://a.example/?q=$\r\n(reboot)",
        ] {
            assert!(safe(page).is_err(), "{page}");
        }
    }
}
