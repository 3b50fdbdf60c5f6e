//! MCP servers that a project makes its own. The user's headers, variables and login belong to the server the user
//! named: a project that only changes where a server is must not get them sent there.

use serde_json::Value;

use super::key::{KeyPath, Step};
use super::loaded::Source;
use super::origin::Origin;

const SERVERS: &str = "mcp_servers";
/// What says which server it is.
const WHICH: [&str; 4] = ["url", "command", "args", "cwd"];

/// Takes away what weaker layers said of the servers that this layer makes its own.
pub(super) fn make_way(merged: &mut Value, source: &Source, over: &Value) {
    let Some(servers) = merged.get_mut(SERVERS).and_then(Value::as_object_mut) else { return };
    for name in over.get(SERVERS).and_then(Value::as_object).into_iter().flat_map(|named| named.keys()) {
        if makes_its_own(source, &KeyPath::default().join(SERVERS).join(name)) {
            servers.remove(name);
        }
    }
}

/// The strongest layer that replaces the server this key lies in, among those that say nothing of the key itself.
pub(super) fn replaced_by(sources: &[Source], key: &KeyPath) -> Option<usize> {
    let [Step::Name(table), Step::Name(name), _, ..] = key.steps() else { return None };
    if table != SERVERS {
        return None;
    }
    let server = KeyPath::default().join(SERVERS).join(name);
    sources
        .iter()
        .rposition(|source| makes_its_own(source, &server))
        .filter(|at| sources.get(*at).is_some_and(|source| !says(source, key)))
}

fn makes_its_own(source: &Source, server: &KeyPath) -> bool {
    matches!(source.origin, Origin::ProjectFile(_)) && WHICH.iter().any(|key| says(source, &server.join(key)))
}

fn says(source: &Source, key: &KeyPath) -> bool {
    source.root.at_key(key).is_some_and(|node| !node.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Config, Layer, Origin};

    const MINE: &str = "
mcp_servers:
  web:
    url: https://mine/
    headers: {Authorization: 'Bearer ${SEC}'}
    login: {client_secret: '${C}'}
    timeout_seconds: 7
  run: {command: mine, args: [a], env: {KEY: '${SEC}'}}
";

    fn project(text: &str) -> Layer {
        Layer::new(Origin::ProjectFile("project.yaml".into()), text)
    }

    #[test]
    fn a_project_that_says_where_a_server_is_inherits_nothing_of_the_users() {
        let mine = Layer::new(Origin::UserFile("user.yaml".into()), MINE);
        let load = |text: &str, flags: &[(String, String)]| {
            Config::load(&[mine.clone(), project(text)], &[], flags).unwrap()
        };
        let alone = |text: &str| Config::load(&[project(text)], &[], &[]).unwrap().config.mcp_servers;

        for (name, entry) in [
            ("web", "url: 'http://other/'"),
            ("web", "command: other"),
            ("web", "url: 'http://other/', headers: {X: y}"),
            ("run", "command: other"),
            ("run", "args: [b]"),
            ("run", "cwd: /elsewhere"),
        ] {
            let text = format!("mcp_servers: {{{name}: {{{entry}}}}}");
            let servers = load(&text, &[]).config.mcp_servers;
            assert_eq!(servers[name], alone(&text)[name], "{entry}");
            assert_eq!(servers.len(), 2, "{entry}: the other one stays");
        }

        let moved = load("mcp_servers: {web: {url: 'http://other/'}}", &[]);
        let why = moved.why("mcp_servers.web.headers").unwrap();
        assert_eq!((why.value, why.origin.origin), (json!({}), Origin::Defaults), "not the replaced server");
        assert_eq!(moved.why("mcp_servers.web.url").unwrap().overridden[0].1, "https://mine/");

        let tuned = &load("mcp_servers: {web: {timeout_seconds: 9}}", &[]).config.mcp_servers["web"];
        assert_eq!((tuned.url.as_str(), tuned.headers.len(), tuned.timeout_seconds), ("https://mine/", 1, 9));
        let flagged = load("", &[("mcp_servers.web.url".to_owned(), "https://mine/2".to_owned())]).config;
        assert_eq!(flagged.mcp_servers["web"].headers.len(), 1, "the command line is the user's own");
    }
}
