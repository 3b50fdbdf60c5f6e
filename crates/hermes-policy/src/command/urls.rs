//! Addresses in commands: where a request goes, as far as the text says.

use core::net::{Ipv4Addr, Ipv6Addr};

use crate::urls::{UrlPolicy, inspect};

/// Hosts that stand for the machine itself.
const LOOPBACK: &[&str] =
    &["localhost", "127.0.0.1", "[::1]", "::1", "0.0.0.0", "host.docker.internal", "ip6-localhost"];

/// Kinds of hosts, as the table of addresses names them, where a request is never what it seems: a cloud's own
/// credentials, and addresses in spellings that hide others.
const STRANGE: &[&str] = &[
    "metadata",
    "link_local",
    "noncanonical_address",
    "mapped",
    "compatible",
    "translated",
    "nat64",
    "6to4",
    "teredo",
];

/// Where packages usually come from.
const REGISTRIES: &[&str] = &[
    "pypi.org",
    "files.pythonhosted.org",
    "test.pypi.org",
    "download.pytorch.org",
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "npm.pkg.github.com",
    "crates.io",
    "index.crates.io",
    "static.crates.io",
    "rubygems.org",
    "proxy.golang.org",
    "repo.maven.apache.org",
    "repo1.maven.org",
    "packagist.org",
    "nuget.org",
    "api.nuget.org",
    "conda.anaconda.org",
    "repo.anaconda.com",
    "ghcr.io",
    "docker.io",
    "quay.io",
    "gcr.io",
    "mcr.microsoft.com",
    "registry.hub.docker.com",
    "hex.pm",
    "pub.dev",
    "wheels.vllm.ai",
    "data.pyg.org",
    "pypi.nvidia.com",
    "mirrors.aliyun.com",
    "pypi.tuna.tsinghua.edu.cn",
    "registry.npmmirror.com",
    "huggingface.co",
];

pub(crate) fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    })
}

/// The host of a URL or of `host:port/path`, in lower case and without port or user.
pub(crate) fn host(text: &str) -> Option<String> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    let host = if authority.starts_with('[') {
        authority.split_inclusive(']').next()?
    } else {
        authority.split(':').next()?
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

pub(crate) fn is_loopback(text: &str) -> bool {
    host(text).is_some_and(|host| {
        LOOPBACK.contains(&host.as_str()) || host.starts_with("127.") || host.ends_with(".localhost")
    }) || text.starts_with(':')
}

/// A host that hands out credentials, or one whose spelling hides which host it is.
pub(crate) fn is_metadata(text: &str) -> bool {
    let Some(host) = host(text) else { return false };
    match inspect(&format!("http://{host}/"), &UrlPolicy::default()) {
        Ok(_) => false,
        Err(blocked) => STRANGE.contains(&blocked.category),
    }
}

/// Whether such a host stands in a word that says where to go: an address, a name, `TCP:host:port`, `a:80:host:80`.
pub(crate) fn names_metadata(text: &str) -> bool {
    if text.len() > 2048 || text.contains([' ', '\n', '\t']) {
        return false;
    }
    if is_url(text) {
        return is_metadata(text);
    }
    let whole = text.trim_matches(['[', ']']);
    if whole.parse::<Ipv6Addr>().is_ok() || text.starts_with('[') {
        return is_metadata(&format!("[{}]", whole.split(']').next().unwrap_or(whole)));
    }
    let host =
        |part: &&str| part.parse::<Ipv4Addr>().is_ok() || (part.contains('.') && part.contains("data"));
    text.split([':', ',', '@', '/', '=']).filter(host).any(is_metadata)
}

pub(crate) fn is_trusted_registry(text: &str) -> bool {
    if text.starts_with("http://") && !is_loopback(text) {
        return false;
    }
    host(text).is_some_and(|host| {
        REGISTRIES
            .iter()
            .any(|known| host == *known || host.strip_suffix(known).is_some_and(|front| front.ends_with('.')))
    }) || is_loopback(text)
}

/// The file name that a download would get.
pub(crate) fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let rest = path.split_once("://").map_or(path, |(_, rest)| rest);
    rest.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty()).unwrap_or("index.html")
}
