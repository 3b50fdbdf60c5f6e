//! A yes or a no of the person at the terminal to what they have just read.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::approver::terminal::{Typed, forget_typed, is_attended, read_line, say};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(600);

/// Whether the person agrees. Where nobody can be asked, giving the command was the word.
pub(crate) fn agrees(question: &str) -> bool {
    if !is_attended() {
        return true;
    }
    forget_typed();
    say(question);
    match read_line(Instant::now() + PATIENCE, &AtomicBool::new(false)) {
        Typed::Line(line) => matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"),
        Typed::End | Typed::Late => false,
    }
}
