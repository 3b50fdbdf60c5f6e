//! Handle resolution. A handle that was read writes itself the same; selecting from any value answers;
//! and a handle in the arguments of a call becomes exactly the part it names, or the call is refused.

use crate::house::House;
use crate::json;
use arbitrary::Unstructured;
use hermes_core::ToolCall;
use hermes_core::handle::{Handle, Part, SCHEME, as_text, each_handle};
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let mut from = Unstructured::new(data);
    let Ok(stored) = json::value(&mut from) else { return };
    let Ok(rest) = from.bytes(from.len()) else { return };
    let part = String::from_utf8_lossy(rest);

    for text in [part.to_string(), format!("{SCHEME}{part}"), format!("{SCHEME}r1#{part}")] {
        let Some(Ok(handle)) = Handle::parse(&text) else { continue };
        assert_eq!(Handle::parse(&handle.to_string()), Some(Ok(handle.clone())), "{text:?}");
        let selected = handle.select(&stored);
        match (&handle.part, &selected) {
            (Part::Whole, selected) => assert_eq!(selected.as_ref(), Ok(&stored)),
            (Part::Pointer(pointer), selected) => {
                assert_eq!(selected.as_ref().ok(), stored.pointer(pointer));
            }
            (Part::Lines(first, last), Ok(Value::String(lines))) => {
                assert!(lines.lines().count() <= last - first + 1);
                let texts = stored.as_object().into_iter().flat_map(|fields| fields.values());
                let mut wholes = texts.chain([&stored]).map(as_text);
                let begin = lines.split('\n').next();
                assert!(wholes.any(|whole| whole.lines().nth(first - 1) == begin), "{lines:?} of {stored}");
            }
            // A field may be called so; otherwise they are lines.
            (Part::LinesAt(..), _) => {}
            (Part::Lines(..), Ok(other)) => panic!("lines of {stored} are {other}"),
            (Part::Lines(..), Err(_)) => {}
        }
        resolve(&stored, &text, &handle, selected.ok());
    }
    let mut found = 0;
    let _ = each_handle(&stored, &mut |text| {
        found += 1;
        assert!(Handle::parse(text).is_some());
        ControlFlow::<()>::Continue(())
    });
}

/// The same through the pipeline, nested in arguments.
fn resolve(stored: &Value, text: &str, handle: &Handle, selected: Option<Value>) {
    let house = House::new(stored.clone());
    let outcomes =
        house.call_all(vec![ToolCall::new("1", "echo", json!({"deep": [{"v": text}], "plain": 1}))]);
    let result = &outcomes[0].result;
    match selected.filter(|_| handle.id == "r1") {
        Some(value) => {
            let wanted = json!({"args": {"deep": [{"v": value}], "plain": 1}});
            if wanted.to_string().chars().count() <= 2_000 {
                assert_eq!(result.as_ref().ok(), Some(&wanted), "{text:?}");
            }
        }
        None => assert!(result.is_err(), "{text:?} gave {result:?}"),
    }
}
