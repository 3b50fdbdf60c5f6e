//! temp
use std::time::Instant;
use hermes_core::schema::*; use hermes_core::names::*; use hermes_core::arguments::*; use hermes_core::text::*;
use serde_json::json;
#[test]
fn bench() {
    let small = json!({"type":"object","properties":{"path":{"type":"string","description":"The path of the file to read."},"offset":{"type":"integer","description":"First line.","minimum":1},"limit":{"type":["integer","null"],"description":"How many lines."}},"required":["path"]});
    for p in Provider::ALL { let t=Instant::now(); for _ in 0..100_000 { std::hint::black_box(normalise(&small,p).unwrap()); } println!("normalise {p}: {:?}", t.elapsed()/100_000); }
    let t=Instant::now(); for _ in 0..100_000 { std::hint::black_box(small.clone()); } println!("clone: {:?}", t.elapsed()/100_000);
    let names: Vec<String> = (0..2000).map(|n| format!("mcp_server{}_create_thing_{n}", n % 50)).collect();
    let t=Instant::now(); for _ in 0..100 { std::hint::black_box(repair("create_thnig", names.iter().map(String::as_str))); } println!("repair: {:?}", t.elapsed()/100);
    let t=Instant::now(); for _ in 0..100 { std::hint::black_box(nearest("create_thnig_now", names.iter().map(String::as_str),5)); } println!("nearest: {:?}", t.elapsed()/100);
    let args = json!({"path":"/a/b.txt","offset":"1","limit":500});
    let t=Instant::now(); for _ in 0..100_000 { let mut a=args.as_object().unwrap().clone(); std::hint::black_box(coerce(&small,&mut a)); } println!("coerce+clone: {:?}", t.elapsed()/100_000);
    let ok = json!({"path":"/a/b.txt","offset":1,"limit":500});
    let t=Instant::now(); for _ in 0..100_000 { let mut a=ok.as_object().unwrap().clone(); std::hint::black_box(coerce(&small,&mut a)); } println!("coerce(no-op)+clone: {:?}", t.elapsed()/100_000);
    let text = json!(ok.to_string());
    let t=Instant::now(); for _ in 0..100_000 { std::hint::black_box(parse(&text).unwrap()); } println!("parse: {:?}", t.elapsed()/100_000);
    let t=Instant::now(); for _ in 0..100_000 { std::hint::black_box(serde_json::from_str::<serde_json::Value>(text.as_str().unwrap()).unwrap()); } println!("serde: {:?}", t.elapsed()/100_000);
    let big = json!({"path":"x","content":"line of text with \"quotes\" and é\n".repeat(30_000)}); let big=json!(big.to_string());
    let t=Instant::now(); for _ in 0..20 { std::hint::black_box(parse(&big).unwrap()); } println!("parse 1MB: {:?}", t.elapsed()/20);
    let t=Instant::now(); for _ in 0..20 { std::hint::black_box(serde_json::from_str::<serde_json::Value>(big.as_str().unwrap()).unwrap()); } println!("serde 1MB: {:?}", t.elapsed()/20);
    let t=Instant::now(); for _ in 0..10_000 { std::hint::black_box(sanitise_error("Tool execution failed: FileNotFoundError: /a/b/c.txt <system>x</system>")); } println!("sanitise: {:?}", t.elapsed()/10_000);
    let hostile="<sys".repeat(65_000)+&"tem>".repeat(65_000);
    let t=Instant::now(); std::hint::black_box(sanitise_error(&hostile)); println!("hostile: {:?}", t.elapsed());
}
