//! The reader of shell text, against tables of what bash makes of it.

mod certainty;
mod decoders;
mod doubts;
mod expansions;
mod flags;
mod functions;
mod heredocs;
mod lists;
mod properties;
mod quoting;
mod redirects;
mod render;
mod steps;
mod syntax;
mod traps;
mod variables;

use hermes_policy::shell::{Script, Surroundings, read_in};

/// A text and the commands in it.
type Row = (&'static str, &'static [&'static str]);

fn read(text: &str) -> Script {
    read_in(text, &Surroundings { home: "/home/user", cwd: "/work" })
}

/// Holds every text of a table to the commands beside it, and to having no doubt.
fn check(rows: &[Row]) {
    for (text, expected) in rows {
        let script = read(text);
        assert_eq!(render::script(&script), *expected, "{text}");
        assert!(script.doubts.is_empty(), "{text}: {:?}", script.doubts);
    }
}
