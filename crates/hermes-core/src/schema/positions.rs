//! Which keywords hold schemas. Everything else is data and is never walked: a `default` may look like
//! a schema, and a property may be called `default`.

/// What the value of a keyword is.
pub enum Position {
    /// One schema.
    One,
    /// A list of schemas.
    List,
    /// Schemas by name.
    Named,
    /// One schema, or in older drafts a list of them.
    Items,
    /// By name, either schemas or lists of field names.
    Dependencies,
    /// No schema.
    Data,
}

/// What a keyword's value holds.
pub fn position(keyword: &str) -> Position {
    match keyword {
        "additionalProperties"
        | "additionalItems"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Position::One,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Position::List,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => Position::Named,
        "items" => Position::Items,
        "dependencies" => Position::Dependencies,
        _ => Position::Data,
    }
}
