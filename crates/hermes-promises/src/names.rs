//! Tool names: repair answers with a valid name or none, a valid name is itself, and suggestions are
//! distinct valid names. The first line is the name that was asked for, the others are the valid ones.

use std::collections::HashSet;

use hermes_core::names::{is_valid, nearest, normalise, repair};

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let asked = lines.next().unwrap_or_default();
    let valid: Vec<&str> = lines.filter(|name| is_valid(name)).take(64).collect();
    let names = || valid.iter().copied();

    let normal = normalise(asked);
    assert_eq!(normalise(&normal), normal, "{asked:?}");
    let repaired = repair(asked, names());
    assert!(repaired.is_none_or(|name| valid.contains(&name)), "{asked:?} -> {repaired:?}");
    if valid.contains(&asked) {
        assert_eq!(repaired, Some(asked));
    }
    let near = nearest(asked, names(), 3);
    assert!(near.len() <= 3 && near.iter().all(|name| valid.contains(name)));
    assert_eq!(near.iter().collect::<HashSet<_>>().len(), near.len());
}
