//! The reference's own idea of what meets what, on texts.

use hermes_core::{Access, Target};

pub(crate) fn pattern_matches(pattern: &str, access: Option<&Access>) -> bool {
    let Some(access) = access else { return pattern == "*" };
    let (domain, action) = access.permission.as_str().split_once(':').unwrap();
    pattern == "*"
        || pattern == format!("{domain}:*")
        || pattern == format!("*:{action}")
        || pattern == format!("{domain}:{action}")
}

pub(crate) fn glob_matches(glob: &str, path: &str) -> bool {
    let glob = match glob.strip_prefix("~/") {
        Some(rest) => format!("/home/ada/{rest}"),
        None if glob.starts_with('/') => glob.to_owned(),
        None => format!("/workspace/{glob}"),
    };
    if let Some(folder) = glob.strip_suffix("/**") {
        return path == folder || path.starts_with(&format!("{folder}/"));
    }
    match glob.split_once('*') {
        Some((front, back)) => path
            .strip_prefix(front)
            .and_then(|rest| rest.strip_suffix(back))
            .is_some_and(|name| !name.contains('/')),
        None => path == glob,
    }
}

pub(crate) fn closed_by(glob: &str, path: &str) -> bool {
    let mut path = path;
    loop {
        if glob_matches(glob, path) {
            return true;
        }
        match path.rsplit_once('/') {
            Some((folder, _)) if !folder.is_empty() => path = folder,
            _ => return false,
        }
    }
}

pub(crate) fn host_matches(pattern: &str, host: &str) -> bool {
    let (name, port) = host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let (wanted, wanted_port) =
        pattern.split_once(':').map_or((pattern, None), |(name, port)| (name, Some(port)));
    let names =
        wanted == "*" || wanted == name || wanted.strip_prefix('*').is_some_and(|end| name.ends_with(end));
    names && wanted_port.is_none_or(|wanted| port.unwrap_or("443") == wanted)
}

pub(crate) fn name_matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((front, back)) => {
            name.starts_with(front) && name.ends_with(back) && name.len() >= front.len() + back.len()
        }
        None => pattern == name,
    }
}

pub(crate) fn path_of(access: Option<&Access>) -> Option<String> {
    match &access?.target {
        Target::Resolved(path) => Some(path.display().to_string()),
        _ => None,
    }
}

pub(crate) fn host_of(access: Option<&Access>) -> Option<String> {
    match &access?.target {
        Target::Host(host) => Some(host.clone()),
        _ => None,
    }
}
