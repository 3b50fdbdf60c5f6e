//! The address of an HTTP tool. Scheme, host and port are fixed when the file is read; arguments only fill
//! path segments and query values.

use hermes_core::ToolError;

use super::encode::{is_step, query, segment};
use super::template::{Arguments, Template};

/// An address, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// `scheme://host:port`, as written.
    base: String,
    segments: Vec<Template>,
    query: Vec<(String, Template)>,
}

impl Endpoint {
    pub(crate) fn parse(text: &str) -> Result<Endpoint, String> {
        let (scheme, rest) =
            text.split_once("://").ok_or("the endpoint must begin with https:// or http://")?;
        if text.contains('#') {
            return Err("a fragment (#…) is never sent; remove it".to_owned());
        }
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if scheme.contains('{') || authority.contains(['{', '}']) {
            return Err(
                "scheme, host and port are fixed: an argument may only stand in the path or query".to_owned()
            );
        }
        let (path, search) = rest.split_once('?').unwrap_or((rest, ""));
        let segments = path.split('/').skip(1).map(Template::parse).collect::<Result<Vec<_>, _>>()?;
        let mut query = Vec::new();
        for pair in search.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if name.contains(['{', '}']) {
                return Err("an argument may be a value of the query, not a name".to_owned());
            }
            query.push((name.to_owned(), Template::parse(value)?));
        }
        Ok(Endpoint { base: format!("{scheme}://{authority}"), segments, query })
    }

    /// The address without arguments, to be judged at load.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    pub(crate) fn path_names(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flat_map(Template::names)
    }

    pub(crate) fn query_names(&self) -> impl Iterator<Item = &str> {
        self.query.iter().flat_map(|(_, value)| value.names())
    }

    /// The names of query parameters that have a fixed value.
    pub(crate) fn literal_query(&self) -> impl Iterator<Item = &str> {
        self.query.iter().filter(|(_, value)| value.literal().is_some()).map(|(name, _)| name.as_str())
    }

    /// The URL of one call. `more` goes behind the query that the endpoint has itself.
    pub(crate) fn render(
        &self,
        arguments: &Arguments,
        more: &[(String, String)],
    ) -> Result<String, ToolError> {
        let mut url = self.base.clone();
        for part in &self.segments {
            let text = part.render(arguments, segment).ok_or_else(|| missing(part.names().next()))?;
            if part.literal().is_none() && is_step(&text) {
                let name = part.names().next().unwrap_or_default();
                return Err(ToolError::invalid(format!(
                    "{name}: this value would change the path of the request"
                )));
            }
            url.push('/');
            url.push_str(&text);
        }
        let own = self
            .query
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.render(arguments, query)?)));
        let more = more.iter().map(|(name, value)| (query(name), query(value)));
        let pairs: Vec<String> = own.chain(more).map(|(name, value)| format!("{name}={value}")).collect();
        if !pairs.is_empty() {
            url.push('?');
            url.push_str(&pairs.join("&"));
        }
        Ok(url)
    }
}

fn missing(name: Option<&str>) -> ToolError {
    ToolError::invalid(format!("{}: the address of the request needs it", name.unwrap_or_default()))
}
