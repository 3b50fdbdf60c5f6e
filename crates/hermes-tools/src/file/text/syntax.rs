//! Whether JSON, YAML and TOML files can still be read by machines after a change.

use std::path::Path;

/// A file that is no longer well-formed: where and why. `None` if it is, or was not before either, or if its
/// format is not known here.
pub(crate) fn broken_by(path: &Path, before: Option<&str>, after: &str) -> Option<String> {
    let check = checker(path)?;
    let problem = check(after)?;
    let since = match before {
        Some(before) if check(before).is_some() => return None,
        Some(_) => " any more",
        None => "",
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Some(format!("{name} is not well-formed{since}: {problem}"))
}

type Check = fn(&str) -> Option<String>;

fn checker(path: &Path) -> Option<Check> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "json" if !takes_comments(path) => Some(json),
        "yaml" | "yml" => Some(yaml),
        "toml" => Some(toml),
        _ => None,
    }
}

/// Well-known files that are JSON with comments in spite of their name.
fn takes_comments(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("tsconfig")
        || name.starts_with("jsconfig")
        || path.components().any(|part| part.as_os_str() == ".vscode")
}

fn json(text: &str) -> Option<String> {
    // An empty file is the beginning of one, not a broken one.
    if text.trim().is_empty() {
        return None;
    }
    serde_json::from_str::<serde::de::IgnoredAny>(text).err().map(|error| error.to_string())
}

fn yaml(text: &str) -> Option<String> {
    // Templates are YAML only after somebody filled them in; several documents in a file are fine.
    if text.contains("{{") || text.contains("{%") || text.trim().is_empty() {
        return None;
    }
    let documents = serde_saphyr::from_multiple::<serde_json::Value>(text);
    documents.err().and_then(|error| error.to_string().lines().next().map(str::to_owned))
}

fn toml(text: &str) -> Option<String> {
    toml::from_str::<toml::Table>(text).err().map(|error| error.to_string().replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_broke_now_is_reported() {
        let broken = |name: &str, before: Option<&str>, after: &str| {
            broken_by(Path::new(name), before, after).is_some()
        };
        assert!(broken("a.json", Some("{}"), "{"));
        assert!(broken("a.json", None, "{\"a\": 1,}"));
        assert!(!broken("a.json", Some("{ // no"), "{ // still no"), "it was broken before");
        assert!(!broken("tsconfig.json", None, "{ // comments are fine here\n}"));
        assert!(broken("a.yaml", None, "a: [1, 2\nb: 3\n"));
        assert!(!broken("a.yml", None, "a: 1\n---\nb: 2\n"));
        assert!(!broken("chart.yaml", None, "a: {{ .Values.a }}\n"));
        assert!(broken("a.toml", None, "a = \n"));
        assert!(!broken("a.toml", None, "[a]\nb = 1\n"));
        assert!(!broken("a.rs", None, "fn main( {"));
    }
}
