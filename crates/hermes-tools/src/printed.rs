//! What a command or a script printed, as the model reads it: cleaned, bounded, and whole behind a handle.

use hermes_core::text;
use hermes_host::terminal::{Captured, Ran};
use hermes_kit::prelude::*;
use tokio::sync::Semaphore;

use crate::one_thread;

/// Whole outputs take several times their size while they are cleaned and searched for secrets; one after the other
/// they take no more memory together than one alone.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

/// What to do where the whole output is nowhere.
const ADVICE: &str = "redirect the output to a file and read parts of it";

/// An output that was too long to be shown, and where it can be read.
#[derive(Debug, Serialize)]
pub struct Whole {
    truncated: bool,
    /// For read_result, or in place of the text in any other call.
    handle: String,
    chars: usize,
    lines: usize,
}

/// What is shown of an output, and where all of it is if that is more.
pub(crate) async fn printed(ran: &Ran, cx: &CallContext) -> (String, Option<Whole>) {
    if ran.output.omitted == 0 {
        return (shown(&ran.output, ADVICE), None);
    }
    match keep(ran, cx).await {
        Ok(Some(whole)) => {
            let advice = format!("read_result pages through {}", whole.handle);
            (shown(&ran.output, &advice), Some(whole))
        }
        Ok(None) => (shown(&ran.output, ADVICE), None),
        Err(_) => (shown(&ran.output, &format!("they could not be kept; {ADVICE}")), None),
    }
}

async fn keep(ran: &Ran, cx: &CallContext) -> Result<Option<Whole>, ToolError> {
    let _turn = ONE_AT_A_TIME.acquire().await.map_err(lost)?;
    let all = ran.clone();
    let reading = one_thread::run(move || all.whole().map(|whole| whole.map(|all| clean(&all))));
    let Some(text) = reading.await.map_err(lost)?.map_err(lost)? else { return Ok(None) };
    let (chars, lines) = (text.chars().count(), text.lines().count());
    let handle = cx.conversation()?.keep(text.into()).await?;
    Ok(Some(Whole { truncated: true, handle, chars, lines }))
}

fn lost(error: impl std::fmt::Display) -> ToolError {
    ToolError::internal("the whole output could not be read back").with_operator(error.to_string())
}

/// Cleaned text with the middle left out where there was too much of it, and said so.
fn shown(captured: &Captured, advice: &str) -> String {
    if captured.omitted == 0 {
        // Cut in the middle of a character or an escape sequence, the halves must meet again.
        return clean(&[&captured.head[..], &captured.tail].concat()).trim_end().to_owned();
    }
    let (omitted, total) = (captured.omitted, captured.total);
    let notice = format!("\n\n[{omitted} of {total} bytes left out here: {advice}]\n\n");
    clean(&captured.head) + &notice + clean(&captured.tail).trim_end()
}

fn clean(bytes: &[u8]) -> String {
    text::printed(&String::from_utf8_lossy(bytes))
}

/// What comes before the end of a text, and that end: no more than so many characters, and from the beginning of a line
/// unless it is a single one.
pub(crate) fn newest(text: &str, most: usize) -> (&str, &str) {
    let Some((cut, _)) = text.char_indices().rev().nth(most.saturating_sub(1)).filter(|(cut, _)| *cut > 0)
    else {
        return ("", text);
    };
    let (before, shown) = text.split_at_checked(cut).unwrap_or(("", text));
    let whole = if before.ends_with('\n') { None } else { shown.find('\n') };
    text.split_at_checked(cut + whole.map_or(0, |end| end + 1)).unwrap_or((before, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_meet_and_gaps_are_named() {
        let whole = Captured { head: b"gr\xc3".to_vec(), tail: b"\xbcn\n".to_vec(), omitted: 0, total: 6 };
        assert_eq!(shown(&whole, "go on"), "grün");
        let cut = Captured { head: b"a\n".to_vec(), tail: b"z\n".to_vec(), omitted: 5, total: 9 };
        assert_eq!(shown(&cut, "go on"), "a\n\n\n[5 of 9 bytes left out here: go on]\n\nz");
    }

    #[test]
    fn the_end_of_a_text_begins_with_a_line() {
        assert_eq!(newest("one\ntwo\nthree", 100), ("", "one\ntwo\nthree"));
        assert_eq!(newest("one\ntwo\nthree", 10), ("one\n", "two\nthree"));
        assert_eq!(newest("one\ntwo\nthree", 9), ("one\n", "two\nthree"));
        assert_eq!(newest("one\ntwo\nthree", 8), ("one\ntwo\n", "three"));
        assert_eq!(newest("größer als", 3), ("größer ", "als"));
        assert_eq!(newest("", 3), ("", ""));
    }
}
