//! The id of a line of `run --jsonl`. It is the caller's: it goes back to the letter, for a number that no reader here
//! holds, or that is written in its own way, must find its request again.

use hermes_core::arguments::field_as_written;
use serde_json::{Map, Value};

const NONE: &str = "null";

#[derive(Clone, Debug)]
pub(super) struct LineId {
    /// As JSON, as it was written.
    text: String,
}

impl LineId {
    /// Of a line that has none, or whose one cannot be read.
    pub(super) fn none() -> Self {
        LineId { text: NONE.to_owned() }
    }

    pub(super) fn of(line: &str) -> Self {
        LineId { text: field_as_written(line, "id").unwrap_or(NONE).to_owned() }
    }

    /// The line's own fields, with a number as the text that it is: a call is known by a text.
    pub(super) fn put_into(&self, fields: &mut Map<String, Value>) {
        if let Some(id @ Value::Number(_)) = fields.get_mut("id") {
            *id = Value::String(self.text.clone());
        }
    }

    /// An answer under this id, as one line.
    pub(super) fn answer(&self, fields: &Map<String, Value>) -> String {
        let LineId { text } = self;
        // Writing JSON to memory cannot fail; without its fields an answer still says whose it is.
        let body = serde_json::to_string(fields).unwrap_or_default();
        match body.strip_prefix('{').filter(|_| !fields.is_empty()) {
            Some(rest) => format!("{{\"id\":{text},{rest}"),
            None => format!("{{\"id\":{text}}}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_id_comes_back_to_the_letter() {
        for id in [
            "7",
            "1e3",
            "1.50",
            "-0.0",
            "18446744073709551616",
            "123456789012345678901234567890",
            "\"a\\u0062\"",
            "null",
        ] {
            for line in [
                format!("{{\"id\": {id}, \"op\": \"ping\"}}"),
                format!(" {{\"op\":\"ping\",\"a\":[{{\"id\":0}}],\"id\":{id}}}"),
                format!("{{\"id\":{id},\"arguments\":{{\"seconds\":NaN}}}}"),
                format!("{{\"id\":{id},\"name\":\"x\",\"arguments\":{{\"a\": [1,"),
            ] {
                let answer = LineId::of(&line).answer(json!({"pong": true}).as_object().unwrap());
                assert_eq!(answer, format!("{{\"id\":{id},\"pong\":true}}"), "{line}");
            }
        }
        for line in ["", "[1]", "{\"id\":12", "{\"id\":1,\"id\":2}", "{\"id\":NaN}", "{\"id\":01}", "id"] {
            assert_eq!(LineId::of(line).text, "null", "{line}");
        }
        assert_eq!(LineId::none().answer(&Map::new()), "{\"id\":null}");
    }
}
