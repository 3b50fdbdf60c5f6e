//! One call as a request. Everything is decided here, before policy looks: what it judges is what is sent.

use hermes_core::ToolError;
use hermes_host::http::{HeaderMap, HeaderName, HeaderValue, Limits, Redirects, Request, header};
use serde_json::{Map, Value};

use super::encode;
use super::spec::{HttpSpec, Position, ToolSpec};
use super::template::{Arguments, as_it_is, as_text};

/// The request, without its credentials: those are looked up when it is sent.
pub(super) fn request(tool: &ToolSpec, spec: &HttpSpec, arguments: &Arguments) -> Result<Request, ToolError> {
    let mut query = Vec::new();
    for (name, template) in &spec.query {
        query.extend(template.render(arguments, as_it_is).map(|value| (name.clone(), value)));
    }
    let mut headers = HeaderMap::new();
    for (name, template) in &spec.headers {
        if let Some(value) = template.render(arguments, as_it_is) {
            insert(&mut headers, name, &value, template.names().next().unwrap_or(name))?;
        }
    }
    let mut fields = Map::new();
    for parameter in &tool.parameters {
        let Some(value) = arguments.get(&parameter.name).filter(|value| !value.is_null()) else { continue };
        match parameter.place {
            Some(Position::Query) => add_pairs(&mut query, &parameter.wire_name, value),
            Some(Position::Header) => {
                insert(
                    &mut headers,
                    &parameter.wire_name,
                    &as_text(value).unwrap_or_default(),
                    &parameter.name,
                )?;
            }
            Some(Position::Body) => {
                fields.insert(parameter.wire_name.clone(), value.clone());
            }
            Some(Position::Path) | None => {}
        }
    }
    let body = match &spec.body {
        Some(template) => template.render(arguments),
        None if spec.is_safe() || (spec.method == "DELETE" && fields.is_empty()) => None,
        None => Some(Value::Object(fields)),
    };
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, */*;q=0.5"));
    let body = body.map(|body| {
        let (kind, bytes) = written(&body, spec.form);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        bytes
    });
    let limits = Limits { total: Some(tool.timeout), idle: tool.timeout, max_body: spec.max_bytes };
    Ok(Request {
        headers,
        body,
        reach: spec.reach,
        redirects: if spec.is_safe() { Redirects::Follow } else { Redirects::Return },
        limits,
        ..Request::new(spec.http_method(), spec.endpoint.render(arguments, &query)?)
    })
}

/// A value of a query or form. A list is the same name several times; a table is written as JSON.
fn add_pairs(pairs: &mut Vec<(String, String)>, name: &str, value: &Value) {
    let values = match value {
        Value::Array(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    pairs.extend(values.iter().filter_map(|value| Some((name.to_owned(), as_text(value)?))));
}

/// A value that a header cannot carry as it is, is refused: cleaning it would send something else.
fn insert(headers: &mut HeaderMap, name: &str, value: &str, argument: &str) -> Result<(), ToolError> {
    let refused = || {
        ToolError::invalid(format!(
            "{argument}: a header takes visible ASCII characters on one line, without blanks at its ends"
        ))
    };
    let trimmed = value.trim_matches([' ', '\t']);
    let value = HeaderValue::from_str(value).map_err(|_| refused())?;
    // Bytes beyond ASCII are read differently by every server.
    if trimmed.len() != value.len() || !value.as_bytes().is_ascii() {
        return Err(refused());
    }
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused())?;
    headers.insert(name, value);
    Ok(())
}

fn written(body: &Value, form: bool) -> (&'static str, Vec<u8>) {
    match (form, body) {
        (true, Value::Object(fields)) => {
            let mut pairs = Vec::new();
            fields.iter().for_each(|(name, value)| add_pairs(&mut pairs, name, value));
            let written =
                pairs.iter().map(|(name, value)| format!("{}={}", encode::query(name), encode::query(value)));
            ("application/x-www-form-urlencoded", written.collect::<Vec<_>>().join("&").into_bytes())
        }
        _ => ("application/json", body.to_string().into_bytes()),
    }
}
