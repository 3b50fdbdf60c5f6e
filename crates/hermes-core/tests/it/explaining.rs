//! Error answers and examples.

use hermes_core::arguments::{self, Problem, Shape, example};
use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolError};
use serde_json::{Value, json};

/// Takes any example, where its validity is not the point.
fn explain(schema: &Value, problems: &[Problem]) -> ToolError {
    explain_checked(schema, problems, |_| true)
}

fn explain_checked(schema: &Value, problems: &[Problem], fits: impl Fn(&Value) -> bool) -> ToolError {
    let wrong = |value: &Value| match fits(value) {
        true => Vec::new(),
        false => vec![Problem::new("", "something else", "this")],
    };
    arguments::explain(&Shape { schema, examples: &[] }, &json!({}), problems, wrong, &Redactor::none())
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1},
            "filter": {"$ref": "#/$defs/Filter"},
        },
        "required": ["path"],
        "additionalProperties": false,
        "$defs": {"Filter": {"type": "object", "properties": {"glob": {"type": "string"}}, "additionalProperties": false}},
    })
}

#[test]
fn problems_become_an_answer() {
    let problems = [
        Problem::missing("", "path"),
        Problem::new("/limit", "integer", "\"abc\""),
        Problem::unknown("", "pth"),
        Problem::unknown("/filter", "globb"),
        Problem::unknown("", "zzzz"),
    ];
    let error = explain(&schema(), &problems);
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert_eq!(
        error.message,
        "invalid arguments: the arguments: expected field 'path', found nothing; /limit: expected integer, found \"abc\"; \
         unknown field 'pth' (did you mean 'path'?); unknown field 'globb' in /filter (did you mean 'glob'?); \
         unknown field 'zzzz'; known fields: path, limit, filter. The tool was not run."
    );
    assert_eq!(
        error.hint.as_deref(),
        Some("a minimal valid example: {\"path\":\"text\",\"limit\":1,\"filter\":{\"glob\":\"text\"}}")
    );
}

#[test]
fn the_example_shows_what_was_wrong_done_right() {
    let hint = |schema: &Value, path: &str| {
        explain(schema, &[Problem::new(path, "x", "y")])
            .hint
            .unwrap()
            .replace("a minimal valid example: ", "")
    };
    let optional = json!({"properties": {"seconds": {"type": "number", "minimum": 0}}, "type": "object"});
    assert_eq!(hint(&optional, "/seconds"), r#"{"seconds":1}"#);
    let nested = json!({"type": "object", "properties": {"jobs": {"type": "array", "items": {
        "type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer"}, "a/b": {"type": "boolean"}, "skipped": {"type": "string"}}}}}});
    assert_eq!(hint(&nested, "/jobs/3/a~1b"), r#"{"jobs":[{"id":1,"a/b":true}]}"#);
    let open = json!({"type": "object", "properties": {
        "headers": {"type": "object", "default": {}, "additionalProperties": {"type": "string"}}}});
    assert_eq!(hint(&open, "/headers/x"), r#"{"headers":{"x":"text"}}"#);
    let union = json!({"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "$defs": {
        "A": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        "B": {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]}}});
    assert_eq!(hint(&union, "/b"), r#"{"b":1}"#);
    assert_eq!(hint(&union, ""), r#"{"a":"text"}"#);
}

#[test]
fn the_example_shows_the_bound_that_was_passed() {
    let schema = json!({"type": "object", "required": ["path"], "$defs": {"n": {"type": "integer", "maximum": 9}},
        "properties": {
            "path": {"type": "string"},
            "seconds": {"type": "integer", "minimum": 1, "maximum": 600, "default": 50},
            "even": {"type": "integer", "exclusiveMinimum": 2, "maximum": 9, "multipleOf": 2},
            "share": {"type": "number", "minimum": 0.25, "maximum": 0.75},
            "jobs": {"type": "array", "items": {"type": "object", "properties": {"a/b": {"$ref": "#/$defs/n"}}}}}});
    let own = json!({"path": "a.txt", "seconds": 2});
    for (said, path, expected) in [
        (json!({"seconds": 601}), "/seconds", json!({"path": "a.txt", "seconds": 600})),
        (json!({"seconds": 1e300}), "/seconds", json!({"path": "a.txt", "seconds": 600})),
        (json!({"seconds": -4}), "/seconds", json!({"path": "a.txt", "seconds": 1})),
        (json!({"seconds": "many"}), "/seconds", json!({"path": "a.txt", "seconds": 2})),
        (json!({"even": 11}), "/even", json!({"path": "a.txt", "even": 8})),
        (json!({"even": 2}), "/even", json!({"path": "a.txt", "even": 4})),
        (json!({"share": 2}), "/share", json!({"path": "a.txt", "share": 0.75})),
        (json!({"jobs": [{"a/b": 10}]}), "/jobs/0/a~1b", json!({"path": "a.txt", "jobs": [{"a/b": 9}]})),
    ] {
        let shape = Shape { schema: &schema, examples: std::slice::from_ref(&own) };
        let problems = [Problem::new(path, "another number", "this one")];
        let error = arguments::explain(&shape, &said, &problems, |_| Vec::new(), &Redactor::none());
        assert_eq!(error.hint.unwrap(), format!("a minimal valid example: {expected}"), "{said}");
    }
}

#[test]
fn an_example_that_would_be_refused_is_not_shown() {
    let wrong = [Problem::new("/limit", "integer", "\"abc\"")];
    let without = |value: &Value| value.get("limit").is_none();
    let hint = explain_checked(&schema(), &wrong, without).hint;
    assert_eq!(hint.as_deref(), Some("a minimal valid example: {\"path\":\"text\"}"));
    assert_eq!(explain_checked(&schema(), &wrong, |_| false).hint, None);
}

#[test]
fn answers_are_bounded() {
    let problems: Vec<Problem> =
        (0..50).map(|n| Problem::new(format!("/{n}"), "x".repeat(5000), "y")).collect();
    let error = explain(&schema(), &problems);
    assert!(error.message.contains("and 45 more"));
    assert!(error.message.chars().count() < 1500);
    let twice = [Problem::new("/limit", "integer", "text"), Problem::new("/limit", "integer", "text")];
    assert_eq!(explain(&schema(), &twice).message.matches("/limit").count(), 1);
    assert!(explain(&json!(null), &[]).message.contains("invalid arguments"));
    let large = json!({"required": ["a"], "properties": {"a": {"default": "x".repeat(5000)}}});
    assert_eq!(explain(&large, &[]).hint, None);
}

#[test]
fn examples_use_what_the_schema_offers() {
    for (schema, expected) in [
        (json!({"const": 5}), json!(5)),
        (json!({"type": "string", "enum": ["b", "a"]}), json!("b")),
        (json!({"type": "string", "default": "d", "enum": ["d"]}), json!("d")),
        (json!({"type": "integer", "examples": [7]}), json!(7)),
        (json!({"type": "integer", "minimum": 3}), json!(3)),
        (json!({"type": "integer", "exclusiveMinimum": 3}), json!(4)),
        (json!({"type": "integer", "maximum": -2}), json!(-2)),
        (json!({"type": "integer", "minimum": 3, "multipleOf": 5}), json!(5)),
        (json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}), json!(0.5)),
        (json!({"type": "number"}), json!(1)),
        (json!({"type": ["null", "boolean"]}), json!(true)),
        (json!({"type": "string", "format": "date"}), json!("2025-01-31")),
        (json!({"type": "string", "minLength": 6}), json!("textxx")),
        (json!({"type": "string", "maxLength": 2}), json!("te")),
        (json!({"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"}), json!("2025-01-31")),
        (json!({"type": "string", "pattern": "(("}), json!("text")),
        (json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}), json!([1, 1])),
        (json!({"type": "array", "items": {"type": "integer"}}), json!([1])),
        (json!({"type": "array", "maxItems": 0}), json!([])),
        (
            json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}]}),
            json!([1, true]),
        ),
        (json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}), json!(1)),
        (
            json!({"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]},
                          {"properties": {"b": {"type": "boolean"}}, "required": ["b"]}]}),
            json!({"a": 1, "b": true}),
        ),
        (
            json!({"type": "object", "required": ["x"], "additionalProperties": {"type": "integer"}}),
            json!({"x": 1}),
        ),
    ] {
        assert_eq!(example(&schema), expected, "{schema}");
    }
}

#[test]
fn examples_end_even_when_schemas_do_not() {
    let endless = json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "required": ["a", "b"],
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"type": "array", "items": {"$ref": "#/$defs/A"}}}}}});
    assert!(example(&endless).is_object());
    assert_eq!(example(&json!({"$ref": "#"})), json!("text"));
    for odd in [
        json!(null),
        json!(true),
        json!([]),
        json!({"type": 5}),
        json!({"enum": []}),
        json!({"required": "x"}),
    ] {
        example(&odd);
    }
}

/// A tool whose schema does not say what each action asks for; its own examples do.
fn actions() -> (Value, Vec<Value>) {
    let schema = json!({"type": "object", "required": ["action"], "properties": {
        "action": {"$ref": "#/$defs/Action"}, "name": {"type": "string"}, "value": {"type": "string"},
        "count": {"type": "integer"}},
        "$defs": {"Action": {"oneOf": [{"const": "get"}, {"const": "set"}, {"enum": ["list", "drop"]}]}}});
    let examples =
        vec![json!({"action": "set", "name": "A", "value": "b"}), json!({"action": "get", "name": "A"})];
    (schema, examples)
}

#[test]
fn examples_are_of_the_branch_that_the_call_took() {
    let (schema, examples) = actions();
    let shape = Shape { schema: &schema, examples: &examples };
    let hint = |arguments: Value, problem: Problem| {
        arguments::explain(&shape, &arguments, &[problem], |_| Vec::new(), &Redactor::none()).hint.unwrap()
    };
    let shown = |arguments, problem| hint(arguments, problem).replace("a minimal valid example: ", "");
    let count = || Problem::new("/count", "an integer", "\"x\"");
    assert_eq!(
        shown(json!({"action": "get", "count": "x"}), count()),
        r#"{"action":"get","name":"A","count":1}"#
    );
    assert_eq!(
        shown(json!({}), Problem::missing("", "action")),
        r#"{"action":"set","name":"A","value":"b"}"#
    );
    assert_eq!(
        hint(json!({"action": "drop", "name": "mine", "count": "x"}), count()),
        r#"this call with that put right: {"action":"drop","count":1,"name":"mine"}"#,
        "nobody shows this branch, so nothing is promised"
    );
    let mut asks_for_name = schema.clone();
    asks_for_name["required"] = json!(["action", "name"]);
    let shape_of_two = Shape { schema: &asks_for_name, examples: &examples };
    let said = json!({"action": "drop", "name": "mine", "count": "x"});
    let error = arguments::explain(&shape_of_two, &said, &[count()], |_| Vec::new(), &Redactor::none());
    assert_eq!(
        error.hint.unwrap(),
        r#"this call with that put right: {"action":"drop","name":"mine","count":1}"#,
        "what was right stays as it was said"
    );
    assert_eq!(
        shape.example_in_branch(&json!({"action": "get"})),
        Some(json!({"action": "get", "name": "A"}))
    );
    assert_eq!(shape.example_in_branch(&json!({"action": "list"})), None);
}

#[test]
fn what_was_said_under_another_name_stays() {
    let (mut schema, examples) = actions();
    schema["additionalProperties"] = json!(false);
    let shape = Shape { schema: &schema, examples: &examples };
    let said = json!({"action": "drop", "nam": "mine"});
    let problems = [Problem::unknown("", "nam")];
    let error = arguments::explain(&shape, &said, &problems, |_| Vec::new(), &Redactor::none());
    assert_eq!(error.hint.unwrap(), r#"this call with that put right: {"action":"drop","name":"mine"}"#);
}

#[test]
fn a_default_chooses_a_branch_too() {
    let schema = json!({"type": "object", "properties": {
        "mode": {"enum": ["replace", "patch"], "default": "replace"}, "old": {"type": "string"}, "patch": {"type": "string"}}});
    let examples = [json!({"mode": "patch", "patch": "p"}), json!({"old": "o"})];
    let shape = Shape { schema: &schema, examples: &examples };
    assert_eq!(shape.example_in_branch(&json!({})), Some(json!({"old": "o"})));
    assert_eq!(shape.example_in_branch(&json!({"mode": "replace"})), Some(json!({"old": "o"})));
    assert_eq!(
        shape.example_in_branch(&json!({"mode": "patch"})),
        Some(json!({"mode": "patch", "patch": "p"}))
    );
}
