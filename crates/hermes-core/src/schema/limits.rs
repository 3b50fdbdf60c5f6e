//! Bounds on what a schema may cost. A tool beyond them is left out instead of harming the request.

use serde_json::Value;

const MAX_DEPTH: usize = 64;
const MAX_BYTES: usize = 1 << 20;

/// Refuses schemas that nest deeper than 64 levels or are larger than 1 MB.
pub(super) fn check(schema: &Value) -> Result<(), String> {
    let mut bytes_left = MAX_BYTES;
    measure(schema, MAX_DEPTH, &mut bytes_left)
}

fn measure(value: &Value, levels_left: usize, bytes_left: &mut usize) -> Result<(), String> {
    let children: &mut dyn Iterator<Item = &Value> = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => return pay(bytes_left, 6),
        Value::String(text) => return pay(bytes_left, text.len() + 3),
        Value::Array(items) => &mut items.iter(),
        Value::Object(fields) => {
            pay(bytes_left, fields.keys().map(|name| name.len() + 4).sum())?;
            &mut fields.values()
        }
    };
    if levels_left == 0 {
        return Err(format!("its schema nests deeper than {MAX_DEPTH} levels"));
    }
    pay(bytes_left, 2)?;
    for child in children {
        measure(child, levels_left - 1, bytes_left)?;
    }
    Ok(())
}

fn pay(bytes_left: &mut usize, bytes: usize) -> Result<(), String> {
    match bytes_left.checked_sub(bytes) {
        Some(rest) => {
            *bytes_left = rest;
            Ok(())
        }
        None => Err("its schema is larger than 1 MB".to_owned()),
    }
}
