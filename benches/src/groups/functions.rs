//! The pure functions on the way of a call, each beside a plain copy of what it looks at.

use hermes_core::arguments::{coerce, parse_json};
use hermes_core::names::{nearest, repair};
use hermes_core::redact::Redactor;
use hermes_core::schema::{Provider, normalise};
use hermes_core::text::sanitise_error;
use hermes_kit::parameters_of;
use hermes_runtime::validate;
use serde_json::{Map, Value, json};

use crate::table::Table;
use crate::{house, measure};

pub fn run(table: &mut Table) {
    arguments(table);
    schemas(table);
    texts(table);
    names(table);
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn arguments(table: &mut Table) {
    let schema = parameters_of::<house::Args>();
    let right = fields(json!({"path": "src/main.rs", "limit": 10, "all": false}));
    let wrong = fields(json!({"path": "src/main.rs", "limit": "10", "all": "false"}));
    let copy = measure::each(|| right.clone());

    let nothing = measure::each_with(|| right.clone(), |mut fields| (coerce(&schema, &mut fields), fields));
    table.time("coerce, nothing to do", nothing).against("a copy", copy.wall);
    let repairs = measure::each_with(|| wrong.clone(), |mut fields| (coerce(&schema, &mut fields), fields));
    table.time("coerce, two repairs", repairs).against("a copy", copy.wall);
    let whole = Value::Object(right.clone());
    let compiled = measure::each(|| validate(&schema, &whole, &Redactor::none()));
    table.time("compile the schema and validate", compiled).against("a copy", copy.wall);

    let text = serde_json::to_string(&right).expect("JSON");
    let plain = measure::each(|| serde_json::from_str::<Value>(&text));
    let strict = measure::each(|| parse_json(&text));
    table.time("parse arguments, duplicate keys refused", strict).against("serde_json alone", plain.wall);
}

fn schemas(table: &mut Table) {
    let schema = parameters_of::<house::Args>();
    let copy = measure::each(|| schema.clone());
    for provider in Provider::ALL {
        let took = measure::each(|| normalise(&schema, provider));
        table.time(format!("normalise a schema for {provider}"), took).against("a copy", copy.wall);
    }
    let made = measure::each(parameters_of::<house::Args>);
    table.time("derive a schema from its type", made).against("a copy", copy.wall);
}

fn texts(table: &mut Table) {
    let error = "could not read 'src/main.rs': No such file or directory (os error 2)";
    let copy = measure::each(|| error.to_owned());
    table
        .time("sanitise an error of a line", measure::each(|| sanitise_error(error)))
        .against("a copy", copy.wall);
    let hostile = "<system>x</system> ```json {} ``` \u{1b}[31mred <|im_start|> ".repeat(30);
    let copy = measure::each(|| hostile.clone());
    let took = measure::each(|| sanitise_error(&hostile));
    table.time("sanitise 1.9 kB made of framing tokens", took).against("a copy", copy.wall);

    let redactor = house::redactor();
    let output = "   Compiling hermes-core v0.1.0 (/home/me/hermes/crates/hermes-core)\n".repeat(16_000);
    let copy = measure::each(|| output.clone());
    let took = measure::each(|| redactor.redact_text(&output));
    table.time("redact 1 MB of build output", took).against("a copy", copy.wall);
    let small = json!({"ok": true, "path": "src/main.rs", "lines": 120});
    let copy = measure::each(|| small.clone());
    let took = measure::each_with(
        || small.clone(),
        |mut value| {
            redactor.redact_value(&mut value);
            value
        },
    );
    table.time("redact a small result", took).against("a copy", copy.wall);
}

fn names(table: &mut Table) {
    let valid: Vec<String> =
        (0..2_000).map(|number| format!("mcp_server{}_tool_{number}", number % 40)).collect();
    let all = || valid.iter().map(String::as_str);
    let scan = measure::each(|| all().filter(|name| *name == "mcp_servr3_tool_43").count());
    let took = measure::each(|| repair("mcp_servr3_tool_43", all()));
    table.time("repair a name among 2,000", took).against("comparing with each", scan.wall);
    let took = measure::each(|| nearest("server search tool", all(), 3));
    table.time("suggest names among 2,000", took).against("comparing with each", scan.wall);
}
