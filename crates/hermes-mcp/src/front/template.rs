//! Whether a resource may be one of those that a template stands for.

/// Whether an address can come from a template: its fixed parts stand in it, in their order.
pub(super) fn fits_template(template: &str, uri: &str) -> bool {
    let mut fixed = template.split('{').enumerate().map(|(number, part)| match number {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, after)| after),
    });
    let Some(mut rest) = fixed.next().and_then(|first| uri.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in fixed {
        if let Some(found) = last.replace(part).filter(|part| !part.is_empty()) {
            let Some(at) = rest.find(found) else { return false };
            rest = rest.get(at + found.len()..).unwrap_or_default();
        }
    }
    match last {
        None => rest.is_empty(),
        Some(end) => !rest.is_empty() && rest.ends_with(end) && rest.len() > end.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::fits_template;

    #[test]
    fn templates_are_told_apart_by_their_fixed_parts() {
        for (template, uri, fits) in [
            ("test://a/{id}/data", "test://a/12/data", true),
            ("test://a/{id}/data", "test://a//data", false),
            ("test://a/{id}/data", "test://b/12/data", false),
            ("test://{x}/m/{y}", "test://1/m/2", true),
            ("test://{x}/m/{y}", "test://1/n/2", false),
            ("file:///{+path}", "file:///etc/hosts", true),
            ("test://plain", "test://plain", true),
            ("test://plain", "test://plain/more", false),
            ("test://a/{unclosed", "test://a/1", true),
        ] {
            assert_eq!(fits_template(template, uri), fits, "{template} {uri}");
        }
    }
}
