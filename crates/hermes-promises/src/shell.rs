//! The reader of shell text: it comes back with places inside the text, the same ones each time, and what
//! stands in quotes is read as it was.

use hermes_policy::shell::{self, Reader, Surroundings, static_output};

const SURROUNDINGS: Surroundings<'_> = Surroundings { home: "/home/agent", cwd: "/workspace" };

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let script = shell::read_in(&text, &SURROUNDINGS);
    for (at, command) in script.commands.iter().enumerate() {
        static_output(&script, at);
        assert!(text.get(command.span.clone()).is_some(), "{:?} of {text:?}", command.span);
        assert!(command.reads_from.is_none_or(|from| from < script.commands.len()));
        assert!(command.feeds.is_none_or(|to| to < script.commands.len()));
        assert!(command.in_function.is_none_or(|at| at < script.functions.len()));
        assert!(command.calls.is_none_or(|at| at < script.functions.len()));
    }
    for doubt in &script.doubts {
        assert!(doubt.span.start <= doubt.span.end && doubt.span.end <= text.len());
        assert!(!doubt.reason.is_empty());
    }
    assert_eq!(script, shell::read_in(&text, &SURROUNDINGS), "read twice: {text:?}");

    // In quotes the same text is one word, whatever it looks like.
    if !text.contains('\0') {
        let quoted = format!("program '{}'", text.replace('\'', "'\\''"));
        let script = Reader::new(&SURROUNDINGS).read(&quoted);
        let word = script.commands.first().and_then(|command| command.words.get(1));
        assert_eq!(word.and_then(shell::Word::literal).as_deref(), Some(&*text), "{quoted:?}");
        assert_eq!(script.commands.len(), 1, "{quoted:?}");
    }
}
