//! What looking costs when there is nothing to find, in texts too long to be remembered. Run with `--release -- --ignored speed --nocapture`.

use std::time::Instant;

use hermes_core::redact::Redactor;

#[test]
#[ignore = "a measurement"]
fn speed_of_redaction() {
    let secrets = (0..40).map(|number| {
        (format!("KEY_{number}"), format!("{:x}", 0x1234_5678_9abc_def0_u128 * (number + 3) * 7_919_777))
    });
    let code = include_str!("known.rs").repeat(40);
    let prose = "The quick brown fox jumps over the lazy dog, 12 times a day.\n".repeat(4_000);
    let json =
        r#"{"id": 17, "name": "file.rs", "url": "https://example.com/a/b", "size": 1234},"#.repeat(3_000);
    let redactor = Redactor::new(secrets);
    for (name, redactor) in [("40 secrets", redactor), ("shapes only", Redactor::new([]))] {
        for (kind, text) in [("code", &code), ("prose", &prose), ("json", &json)] {
            let start = Instant::now();
            let rounds = 20;
            for _ in 0..rounds {
                std::hint::black_box(redactor.redact_text(text));
            }
            let kib = (text.len() * rounds) as f64 / 1024.0;
            println!("{name}, {kind}: {:.2} us per KiB", start.elapsed().as_secs_f64() * 1e6 / kib);
        }
    }
}
