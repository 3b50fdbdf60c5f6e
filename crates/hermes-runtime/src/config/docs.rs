//! `docs/config.md`, generated from the schema, the defaults and the table of environment variables.

use serde_json::Value;

use super::env::ENV;
use super::shape::{Field, Shape};

const HEAD: &str = "# Configuration

<!-- Generated from crates/hermes-runtime/src/config. Do not edit. -->

Settings come from five places. A later one overrides an earlier one: tables are merged key by key, lists and single
values are replaced whole. An MCP server whose `url`, `command`, `args` or `cwd` a project sets is the project's alone:
nothing you said of a server of that name, such as its headers, goes with it.

1. The defaults below.
2. `config.yaml` in the Hermes home folder.
3. `.hermes/config.yaml` in the project, once you have trusted its content.
4. Environment variables.
5. Flags on the command line.

The files are YAML 1.2: only `true` and `false` are booleans. Unknown keys, keys written twice and values out of range
are errors, each with its place and what to write instead.
";

/// The page on configuration. The same for the same program: nothing in it comes from the machine it runs on.
pub fn config_markdown() -> String {
    let Shape::Table(fields) = Shape::root() else { return HEAD.to_owned() };
    let themed = |field: &&Field| matches!(field.shape, Shape::Table(_) | Shape::Map(_));
    let mut page = HEAD.to_owned();
    page.push_str("\n## General\n\n");
    let general: Vec<&Field> = fields.iter().filter(|field| !themed(field)).collect();
    push_table(&mut page, general.into_iter().flat_map(|field| rows(field, "")).collect());
    for field in fields.iter().filter(themed) {
        page.push_str(&format!("\n## `{}`\n\n{}\n\n", field.name, one_line(&field.doc)));
        push_table(&mut page, rows(field, ""));
    }
    page.push_str(
        "\n## Environment variables\n\nAn empty value counts as not set. Lists are separated by commas.\n\n",
    );
    page.push_str("| variable | key | meaning |\n|---|---|---|\n");
    for variable in ENV {
        let key = if variable.key.is_empty() { String::new() } else { format!("`{}`", variable.key) };
        page.push_str(&format!("| `{}` | {key} | {} |\n", variable.name, cell(variable.help)));
    }
    page
}

fn push_table(page: &mut String, rows: Vec<String>) {
    page.push_str("| key | type | default | range | meaning |\n|---|---|---|---|---|\n");
    rows.iter().for_each(|row| page.push_str(row));
}

fn row(field: &Field, key: &str) -> String {
    let default = match (&field.default, field.required) {
        (_, true) => "required".to_owned(),
        (None | Some(Value::Null), _) => String::new(),
        (Some(value), _) => format!("`{value}`"),
    };
    let (kind, range) = (kind(&field.shape), range(&field.shape));
    format!("| `{key}` | {kind} | {} | {range} | {} |\n", cell(&default), cell(&field.doc))
}

/// The rows of a key and of everything below it.
fn rows(field: &Field, prefix: &str) -> Vec<String> {
    let key = format!("{prefix}{}", field.name);
    let mut rows = Vec::new();
    if !matches!(field.shape, Shape::Table(_)) {
        rows.push(row(field, &key));
    }
    let (below, inner) = match &field.shape {
        Shape::Table(fields) => (format!("{key}."), fields.as_slice()),
        Shape::Map(values) => (format!("{key}.<name>."), fields_of(values)),
        Shape::List { item, .. } => (format!("{key}[]."), fields_of(item)),
        Shape::Either(_) => (format!("{key}."), field.shape.fields()),
        _ => (String::new(), fields_of(&field.shape)),
    };
    let alike = lists_alike(inner);
    for field in inner {
        if alike.is_empty() {
            rows.extend(self::rows(field, &below));
        } else {
            rows.push(row(field, &format!("{below}{}", field.name)));
        }
    }
    rows.extend(alike.iter().flat_map(|field| self::rows(field, &format!("{below}*[]."))));
    rows
}

/// The keys of the items, where all lists of a table hold the same kind of table: said once is enough.
fn lists_alike(fields: &[Field]) -> &[Field] {
    let names = |fields: &[Field]| fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    let mut items = fields.iter().map(|field| match &field.shape {
        Shape::List { item, .. } => fields_of(item),
        _ => &[],
    });
    match items.next() {
        Some(first) if fields.len() > 1 && items.all(|other| names(other) == names(first)) => first,
        _ => &[],
    }
}

fn fields_of(shape: &Shape) -> &[Field] {
    if let Shape::Table(fields) = shape { fields } else { &[] }
}

fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Table(_) => "table".to_owned(),
        Shape::Map(values) => format!("{} by name", many(values)),
        Shape::List { item, .. } => format!("list of {}", many(item)),
        Shape::Text(rule) => match (rule.allowed.as_slice(), rule.format.as_deref()) {
            ([], Some("permission-pattern")) => "permission".to_owned(),
            ([], Some("regex")) => "regular expression".to_owned(),
            ([], Some("folder")) => "folder".to_owned(),
            ([], _) => "text".to_owned(),
            (allowed, _) => allowed.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        },
        Shape::Whole { .. } => "whole number".to_owned(),
        Shape::Switch => "`true`, `false`".to_owned(),
        Shape::Optional(inner) => kind(inner),
        Shape::Either(shapes) => shapes.iter().map(kind).collect::<Vec<_>>().join(" or "),
    }
}

fn many(shape: &Shape) -> String {
    let one = kind(shape);
    if one == "text" { one } else { format!("{one}s") }
}

fn range(shape: &Shape) -> String {
    match shape {
        Shape::Whole { min, max: Some(max) } => format!("{min} to {max}"),
        Shape::Whole { min, max: None } => format!("from {min}"),
        Shape::Map(inner) | Shape::Optional(inner) => range(inner),
        _ => String::new(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text that stays inside its cell.
fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}
