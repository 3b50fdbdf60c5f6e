//! The encoder gives the numbers that its weights were trained to give.

use hermes_search::encoder::{Encoder, QUERY_TOKENS};
use serde_json::Value;

const VECTORS: &str = include_str!("../fixtures/test-vectors.jsonl");

#[test]
fn ids_and_numbers_are_those_of_the_reference() {
    let encoder = Encoder::shared().expect("the weights of this build");
    for line in VECTORS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        let ids: Vec<u32> =
            row["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect();
        assert_eq!(encoder.ids(text, QUERY_TOKENS), ids, "{text}");
        let numbers = encoder.embed(text, QUERY_TOKENS).floats();
        let head =
            row["embedding_head"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32);
        let worst = head.zip(numbers).map(|(want, got)| (want - got).abs()).fold(0.0, f32::max);
        // Vectors are kept in 8 bits: half a step of the largest number, plus the reference's own rounding.
        assert!(worst < 0.002, "{text}: {worst}");
    }
}
