//! Schemas for providers.

use hermes_core::schema::{Provider, normalise, surely_fits};
use serde_json::{Value, json};

use crate::fixtures::{report, rows, same};

fn generic(schema: &Value) -> Value {
    normalise(schema, Provider::Generic).unwrap()
}

/// One field in a schema for this provider.
pub(crate) fn field(schema: Value, provider: Provider) -> Value {
    normalise(&json!({"type": "object", "properties": {"a": schema}}), provider).unwrap()["properties"]["a"]
        .clone()
}

#[test]
fn every_row_comes_out_as_expected() {
    let rows = rows(include_str!("../fixtures/schema_sanitize.jsonl"));
    let mut failures = Vec::new();
    for row in &rows {
        let found = generic(&row["in"]);
        if !same(&found, &row["out"]) {
            failures.push(format!("{}: {found}, expected {}", row["case"], row["out"]));
        }
    }
    report(&failures, rows.len());
}

#[test]
fn every_row_is_a_fixed_point_for_every_provider() {
    for row in rows(include_str!("../fixtures/schema_sanitize.jsonl")) {
        for provider in Provider::ALL {
            let once = normalise(&row["in"], provider).unwrap();
            let twice = normalise(&once, provider).unwrap();
            assert_eq!(once.to_string(), twice.to_string(), "{} for {provider}", row["case"]);
            assert_eq!(once["type"], "object");
            assert!(once["properties"].is_object());
        }
    }
}

#[test]
fn data_is_never_walked() {
    let schema = json!({"type": "object", "properties": {"a": {
        "type": "object", "default": {"type": ["a", "null"], "required": ["q"], "properties": "x"}, "const": {"anyOf": ["object"]},
        "enum": [{"type": "object"}], "examples": [{"$ref": "x", "default": 1}], "dependentRequired": {"x": ["object"]},
        "x-vendor": {"type": []},
    }}});
    let found = generic(&schema);
    for keyword in ["default", "const", "enum", "examples", "dependentRequired", "x-vendor"] {
        assert_eq!(found["properties"]["a"][keyword], schema["properties"]["a"][keyword], "{keyword}");
    }
    let named = json!({"type": "object", "properties": {"type": {"type": "string"}, "anyOf": {"type": "string"},
        "required": {"type": "array", "items": {"type": "string"}}, "pattern": {"type": "string"}, "enum": "string"}});
    assert_eq!(generic(&named)["properties"].as_object().unwrap().len(), 5);
    assert_eq!(generic(&named)["properties"]["enum"], json!({"type": "string"}));
}

#[test]
fn property_order_is_kept() {
    let schema = json!({"type": "object", "properties": {"z": "string", "a": {"type": ["string", "null"]}, "m": {"type": "object"}},
        "required": ["m", "zz", "z"]});
    for provider in Provider::ALL {
        let found = normalise(&schema, provider).unwrap();
        let names: Vec<&String> = found["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["z", "a", "m"], "{provider}");
        assert_eq!(found["required"], json!(["m", "z"]), "{provider}");
    }
}

#[test]
fn top_level_unions_keep_their_fields() {
    let schema = json!({
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind", "n"]},
            {"$ref": "#/$defs/B"},
            {"type": "null"},
        ],
        "$defs": {"B": {"type": "object", "properties": {"kind": {"const": "b"}, "n": {"type": "string"}}, "required": ["kind"]}},
    });
    let found = generic(&schema);
    assert_eq!(found["properties"]["kind"], json!({"enum": ["a", "b"]}));
    assert_eq!(found["properties"]["n"], json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}));
    assert_eq!(found["required"], json!(["kind"]));
    assert!(found.get("oneOf").is_none());

    let referred = json!({"$ref": "#/definitions/A", "definitions": {"A": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}});
    assert_eq!(generic(&referred)["properties"], json!({"a": {"type": "string"}}));
    assert_eq!(generic(&referred)["required"], json!(["a"]));
    assert_eq!(generic(&json!({"$ref": "#"})), json!({"type": "object", "properties": {}}));
    let joined = json!({"type": "object", "properties": {"a": {"type": "string"}}, "allOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}]});
    assert_eq!(generic(&joined)["required"], json!(["b"]));
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let condition = json!({"type": "object", "properties": {"a": {}}, keyword: [{"required": ["a"]}]});
        assert_eq!(generic(&condition), json!({"type": "object", "properties": {"a": {}}}), "{keyword}");
    }
}

#[test]
fn unions_with_null_collapse_without_loss() {
    let both =
        json!({"anyOf": [{"type": "string"}, {"type": "null"}], "minLength": 2, "description": "outer"});
    assert_eq!(
        field(both, Provider::Generic),
        json!({"type": "string", "minLength": 2, "description": "outer", "nullable": true})
    );
    let conflict = json!({"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "minLength": 2});
    assert_eq!(field(conflict.clone(), Provider::Generic), conflict);
    let kept = json!({"anyOf": [{"type": ["string", "null"]}, {"type": "null"}]});
    assert_eq!(field(kept, Provider::Generic), json!({"type": "string", "nullable": true}));
}

#[test]
fn older_and_foreign_spellings_are_understood() {
    assert_eq!(field(json!({"type": "int"}), Provider::Generic), json!({"type": "integer"}));
    assert_eq!(field(json!({"type": "any"}), Provider::Generic), json!({}));
    assert_eq!(field(json!({"type": null}), Provider::Generic), json!({}));
    assert_eq!(
        field(json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}), Provider::OpenAi),
        json!({"type": "integer", "exclusiveMinimum": 1})
    );
    assert_eq!(
        field(json!({"type": "string", "required": true}), Provider::Generic),
        json!({"type": "string"})
    );
    assert_eq!(field(json!(null), Provider::Generic), json!({}));
}

#[test]
fn openai_gets_items_and_no_tuples() {
    assert_eq!(field(json!({"type": "array"}), Provider::OpenAi), json!({"type": "array", "items": {}}));
    assert_eq!(
        field(json!({"type": "array", "items": ["string", "integer", "string"]}), Provider::OpenAi),
        json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}})
    );
    let found =
        normalise(&json!({"$schema": "x", "type": "object", "properties": {}}), Provider::OpenAi).unwrap();
    assert_eq!(found, json!({"type": "object", "properties": {}}));
}

#[test]
fn anthropic_keeps_modern_constructs() {
    let union = json!({"anyOf": [{"type": "string"}, {"type": "null"}], "default": null});
    assert_eq!(field(union.clone(), Provider::Anthropic), union);
    assert_eq!(
        field(json!({"type": ["string", "null"]}), Provider::Anthropic),
        json!({"type": ["string", "null"]})
    );
    assert_eq!(
        field(json!({"type": "array", "items": ["string"], "additionalItems": false}), Provider::Anthropic),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false})
    );
    let found = normalise(
        &json!({"type": "object", "properties": {"a": {}}, "dependencies": {"a": ["b"], "c": "object"}}),
        Provider::Anthropic,
    )
    .unwrap();
    assert_eq!(found["dependentRequired"], json!({"a": ["b"]}));
    assert!(found.get("oneOf").is_none() && found.get("dependencies").is_none());
    let odd = json!({"type": "object", "properties": {"ok": {}, "not ok": {}}});
    assert_eq!(normalise(&odd, Provider::Anthropic).unwrap()["properties"], json!({"ok": {}}));
    let needed = json!({"type": "object", "properties": {"not ok": {}}, "required": ["not ok"]});
    assert!(normalise(&needed, Provider::Anthropic).unwrap_err().contains("not ok"));
}

#[test]
fn tools_that_cannot_be_shown_are_refused_with_a_reason() {
    let dangling = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}});
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
        assert!(normalise(&dangling, provider).unwrap_err().contains("Gone"), "{provider}");
    }
    assert!(normalise(&dangling, Provider::Generic).is_ok());
    let deep = (0..100).fold(json!({"type": "string"}), |inner, _| json!({"items": inner}));
    let wide = json!({"type": "object", "description": "x".repeat(2 << 20)});
    // Each level refers twice to the next: a billion fields once written out.
    let mut bomb = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": {"L30": {"type": "string"}}});
    for level in 0..30 {
        let next = format!("#/$defs/L{}", level + 1);
        bomb["$defs"][format!("L{level}")] =
            json!({"type": "object", "properties": {"x": {"$ref": next}, "y": {"$ref": next}}});
    }
    for provider in Provider::ALL {
        assert!(normalise(&deep, provider).unwrap_err().contains("deeper"));
        assert!(normalise(&wide, provider).unwrap_err().contains("1 MB"));
    }
    assert!(normalise(&bomb, Provider::Gemini).unwrap_err().contains("too large"));
    let heavy = json!({"type": "object", "properties": (0..400).map(|n| (format!("p{n}"), json!({"$ref": "#/$defs/H"}))).collect::<serde_json::Map<_, _>>(),
        "$defs": {"H": {"type": "string", "description": "x".repeat(100_000)}}});
    assert!(normalise(&heavy, Provider::Gemini).unwrap_err().contains("too large"));
}

#[test]
fn an_output_gives_itself_to_the_byte() {
    let found_by_fuzzing = [
        // The type list went to the end, and then the tuple behind it did.
        json!({"properties": {"a": {"type": ["number", "array"], "items": []}}}),
        // The union beside a type list moved into `allOf` as it was, and collapsed there the next time.
        json!({"definitions": {"a": {
            "anyOf": [{"type": "null"}, {"type": "array", "items": [{"type": "null"}]}],
            "type": ["number", "string", "number"],
        }}}),
    ];
    for (schema, provider) in found_by_fuzzing.iter().flat_map(|schema| Provider::ALL.map(|p| (schema, p))) {
        let once = normalise(schema, provider).unwrap();
        let twice = normalise(&once, provider).unwrap();
        assert_eq!(twice.to_string(), once.to_string(), "{provider}");
    }
}

#[test]
fn a_union_beside_a_type_list_holds_too() {
    let union = json!([{"type": "string"}, {"type": "null"}]);
    let both = json!({"type": ["string", "integer"], "anyOf": union, "allOf": [{"minLength": 1}]});
    assert_eq!(
        field(both, Provider::Generic),
        json!({"allOf": [
            {"minLength": 1},
            {"type": "string", "nullable": true},
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        ]})
    );
}

#[test]
fn what_may_not_fit_is_not_called_sure() {
    let plain = json!({"type": "object", "properties": {"not ok": {"type": ["string", "null"]}}});
    let dangling = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}});
    let large = json!({"type": "object", "description": "x".repeat(9 << 10)});
    let deep = (0..40).fold(json!({"type": "string"}), |inner, _| json!({"items": inner}));
    for provider in Provider::ALL {
        assert!(surely_fits(&plain, provider), "{provider}");
        for schema in [&dangling, &large, &deep] {
            assert!(!surely_fits(schema, provider), "{provider}: {schema}");
        }
    }
    let needed = json!({"type": "object", "properties": {"not ok": {}}, "required": ["not ok"]});
    assert!(surely_fits(&needed, Provider::OpenAi) && !surely_fits(&needed, Provider::Anthropic));
}

#[test]
fn providers_have_names() {
    for provider in Provider::ALL {
        assert_eq!(provider.as_str().parse::<Provider>(), Ok(provider));
        assert_eq!(serde_json::to_value(provider).unwrap(), json!(provider.as_str()));
    }
    assert!("mistral".parse::<Provider>().unwrap_err().contains("mistral"));
}
