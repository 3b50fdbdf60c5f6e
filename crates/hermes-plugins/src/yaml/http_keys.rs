//! The keys of an `http_wrapper` tool.

use hermes_core::egress::{Origin, Reach};
use hermes_core::yaml::{Key, Kind as NodeKind, Node, Reader, quote};
use hermes_host::http::{HeaderName, HeaderValue, Method};
use hermes_host::secrets::is_secret_name;

use super::auth_keys::auth;
use super::body_keys::body;
use super::endpoint::Endpoint;
use super::parameter::{one_of, refuse_unknown};
use super::spec::{Auth, BodyTemplate, HttpSpec, Parameter, Position};
use super::template::Template;

pub(super) const KEYS: &[&str] = &[
    "endpoint",
    "method",
    "auth",
    "headers",
    "query",
    "body",
    "body_format",
    "response",
    "retries",
    "idempotent",
    "allow_private",
];
pub(super) const RESPONSE_KEYS: &[&str] = &["pick", "max_bytes"];
pub(super) const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
const MAX_RETRIES: u64 = 5;
const DEFAULT_MAX_BYTES: u64 = 2 * 1024 * 1024;
const LARGEST_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Headers that belong to the connection or are made from the request itself.
const OWN_HEADERS: &[&str] = &[
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Judges the base of an endpoint, without arguments.
pub(crate) type Judge<'a> = &'a dyn Fn(&str, Reach) -> Result<Origin, String>;

/// Reads the keys of one tool. What arguments no template speaks of go where their method puts them.
pub(super) fn http(
    reader: &mut Reader,
    tool: &Node,
    entries: &[(&Key, &Node)],
    parameters: &mut [Parameter],
    judge: Judge<'_>,
) -> Option<HttpSpec> {
    let find = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    let Some(endpoint_node) = find("endpoint") else {
        reader.error(
            tool.at,
            "an http_wrapper needs an endpoint",
            Some("write endpoint: https://…".to_owned()),
        );
        return None;
    };
    let method = match find("method") {
        Some(node) => one_of(reader, node, "method", METHODS)?,
        None => "GET".to_owned(),
    };
    let allow_private = find("allow_private").is_some_and(|node| reader.switch(node, "allow_private"));
    let reach = if allow_private { Reach::Local } else { Reach::Public };
    let auth = find("auth").map_or(Auth::None, |node| auth(reader, node));
    let (endpoint, origin) = address(reader, endpoint_node, reach, judge)?;
    if auth != Auth::None && !origin.secure && reach == Reach::Public {
        let hint = "use https://".to_owned();
        reader.error(endpoint_node.at, "the credentials would travel in the clear", Some(hint));
    }
    let safe = matches!(method.as_str(), "GET" | "HEAD");
    let idempotent = match find("idempotent") {
        Some(node) => reader.switch(node, "idempotent"),
        None => safe || matches!(method.as_str(), "PUT" | "DELETE"),
    };
    let retries =
        find("retries").and_then(|node| Some((node, reader.whole(node, "retries", 0, MAX_RETRIES)?)));
    if let Some((node, wanted)) = &retries
        && wanted.value > 0
        && !idempotent
    {
        let hint = "say idempotent: true if the service ignores repetitions".to_owned();
        reader.error(node.at, format!("a {method} that is repeated may act twice"), Some(hint));
    }
    let mut spec = HttpSpec {
        endpoint,
        origin,
        reach,
        auth,
        headers: find("headers").map(|node| headers(reader, node)).unwrap_or_default(),
        query: find("query").map(|node| templates(reader, node, "query")).unwrap_or_default(),
        body: find("body").map(|node| body(reader, node)),
        form: find("body_format")
            .and_then(|node| one_of(reader, node, "body_format", &["json", "form"]))
            .as_deref()
            == Some("form"),
        pick: None,
        max_bytes: DEFAULT_MAX_BYTES,
        retries: retries.and_then(|(_, wanted)| u32::try_from(wanted.value).ok()).unwrap_or(0),
        idempotent,
        method,
    };
    if let Some(node) = find("response") {
        response(reader, node, &mut spec);
    }
    if let (true, Some(node)) = (safe, find("body")) {
        reader.error(node.at, format!("a {} has no body", spec.method), Some("use query:".to_owned()));
    }
    if let (true, Some(node), Some(BodyTemplate::List(_) | BodyTemplate::Value(_))) =
        (spec.form, find("body"), &spec.body)
    {
        reader.error(node.at, "the body of a form is a table", Some("write name: value".to_owned()));
    }
    place_all(reader, tool, &mut spec, parameters);
    Some(spec)
}

fn address(reader: &mut Reader, node: &Node, reach: Reach, judge: Judge<'_>) -> Option<(Endpoint, Origin)> {
    let text = reader.text(node, "endpoint")?;
    let endpoint = match Endpoint::parse(&text.value) {
        Ok(endpoint) => endpoint,
        Err(why) => {
            reader.error(node.at, why, None);
            return None;
        }
    };
    if let Some(name) = endpoint.literal_query().find(|name| is_secret_name(name)) {
        let hint = "use auth: {type: query, name: …, value_env: …}".to_owned();
        reader.error(
            node.at,
            format!("{} is a secret and may not stand in the file", quote(name)),
            Some(hint),
        );
    }
    match judge(endpoint.base(), reach) {
        Ok(origin) => Some((endpoint, origin)),
        Err(why) => {
            let hint = (reach == Reach::Public && judge(endpoint.base(), Reach::Local).is_ok())
                .then(|| "allow_private: true lets this tool reach it, where policy does too".to_owned());
            reader.error(node.at, why, hint);
            None
        }
    }
}

fn headers(reader: &mut Reader, node: &Node) -> Vec<(String, Template)> {
    let templates = templates(reader, node, "headers");
    for (name, template) in &templates {
        if template.texts().any(|text| HeaderValue::from_str(text).is_err() || !text.is_ascii()) {
            let hint = "use visible ASCII characters on one line".to_owned();
            reader.error(node.at, format!("the text of {} fits no header", quote(name)), Some(hint));
        }
        if is_secret_name(name) || name.eq_ignore_ascii_case("authorization") {
            let hint = "use auth: {type: header, name: …, value_env: …}".to_owned();
            reader.error(node.at, format!("{} carries a secret", quote(name)), Some(hint));
        } else if !is_free_header(name) {
            reader.error(node.at, format!("{} cannot be set", quote(name)), None);
        }
    }
    templates
}

/// Whether a tool may set this header.
fn is_free_header(name: &str) -> bool {
    HeaderName::from_bytes(name.as_bytes()).is_ok()
        && !OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str())
}

fn templates(reader: &mut Reader, node: &Node, what: &str) -> Vec<(String, Template)> {
    let mut all = Vec::new();
    for (key, value) in reader.entries(node, what) {
        let text = match &value.kind {
            NodeKind::Scalar { text, .. } if !value.is_null() => text.as_str(),
            _ => {
                reader.error(value.at, format!("{} must be text, not {}", key.name, value.written()), None);
                continue;
            }
        };
        match Template::parse(text) {
            Ok(template) => all.push((key.name.clone(), template)),
            Err(why) => reader.error(value.at, why, None),
        }
    }
    all
}

fn response(reader: &mut Reader, node: &Node, spec: &mut HttpSpec) {
    for (key, value) in reader.table(node, "response", RESPONSE_KEYS) {
        if key.name == "max_bytes" {
            if let Some(number) = reader.whole(value, "max_bytes", 1, LARGEST_MAX_BYTES) {
                spec.max_bytes = number.value;
            }
        } else if let Some(pointer) = reader.text(value, "pick") {
            if !pointer.value.is_empty() && !pointer.value.starts_with('/') {
                let hint = format!("write /{}", pointer.value.replace('.', "/"));
                reader.error(value.at, "pick is a JSON pointer and begins with /", Some(hint));
            }
            spec.pick = Some(pointer.value);
        }
    }
}

/// Gives every parameter its place, and every place its parameter.
fn place_all(reader: &mut Reader, tool: &Node, spec: &mut HttpSpec, parameters: &mut [Parameter]) {
    let in_path: Vec<String> = spec.endpoint.path_names().map(str::to_owned).collect();
    let mut spoken: Vec<String> = in_path.clone();
    spoken.extend(spec.endpoint.query_names().map(str::to_owned));
    spoken.extend(
        spec.headers.iter().chain(&spec.query).flat_map(|(_, template)| template.names()).map(str::to_owned),
    );
    if let Some(body) = &spec.body {
        body.names(&mut spoken);
    }
    refuse_unknown(reader, tool, spoken.iter().map(String::as_str), parameters);
    let to_query = matches!(spec.method.as_str(), "GET" | "HEAD" | "DELETE");
    for parameter in parameters {
        if in_path.contains(&parameter.name) {
            let scalar = !matches!(
                parameter.schema.get("type").and_then(|kind| kind.as_str()),
                Some("array" | "object")
            );
            if !scalar || !(parameter.required || parameter.default.is_some()) {
                let message =
                    format!("{} stands in the path: it must be required, and one value", parameter.name);
                reader.error(parameter.at, message, None);
            }
        } else if parameter.place == Some(Position::Path) {
            reader.error(parameter.at, format!("the endpoint has no place {{{}}}", parameter.name), None);
        }
        if spoken.contains(&parameter.name) {
            parameter.place = None;
            continue;
        }
        let place = parameter.place.unwrap_or(if to_query { Position::Query } else { Position::Body });
        match place {
            Position::Body if matches!(spec.method.as_str(), "GET" | "HEAD") => {
                reader.error(
                    parameter.at,
                    format!("a {} has no body for {}", spec.method, parameter.name),
                    None,
                );
            }
            Position::Body if spec.body.is_some() => {
                reader.error(parameter.at, format!("body: has no place {{{}}}", parameter.name), None);
            }
            Position::Header if !is_free_header(&parameter.wire_name) => {
                reader.error(parameter.at, format!("{} cannot be set", quote(&parameter.wire_name)), None);
            }
            _ => {}
        }
        parameter.place = Some(place);
    }
}

impl HttpSpec {
    pub(crate) fn http_method(&self) -> Method {
        Method::from_bytes(self.method.as_bytes()).unwrap_or(Method::GET)
    }

    /// Whether the request only looks.
    pub(crate) fn is_safe(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD")
    }
}
