//! Head and tail of long texts.

use hermes_core::text::head_tail;

#[test]
fn what_fits_is_not_cut() {
    assert_eq!(head_tail("", 0), None);
    assert_eq!(head_tail("abc", 3), None);
    assert_eq!(head_tail("ééé", 3), None);
}

#[test]
fn cuts_keep_the_proportion_and_the_characters() {
    assert_eq!(head_tail(&"é".repeat(20), 10), Some(("éééé", "éééééé")));
    assert_eq!(head_tail("abc", 0), Some(("", "")));
    assert_eq!(head_tail("abc", 1), Some(("", "c")));
}

#[test]
fn cuts_prefer_line_ends() {
    let text: String = (0..100).map(|n| format!("line {n:03}\n")).collect();
    let (head, tail) = head_tail(&text, 200).unwrap();
    assert!(head.starts_with("line 000\n") && head.ends_with('\n'), "{head:?}");
    assert!(tail.starts_with("line ") && tail.ends_with("line 099\n"), "{tail:?}");
    assert!(head.chars().count() + tail.chars().count() <= 200);
    let one_line = "x".repeat(1000);
    let (head, tail) = head_tail(&one_line, 100).unwrap();
    assert_eq!((head.len(), tail.len()), (40, 60));
}
