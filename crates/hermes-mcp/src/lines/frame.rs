//! Messages on a byte stream, one per line, none longer than a bound. What is too long is read to its end and
//! dropped, so that one answer costs its own call and not the link.

use rmcp::model::RequestId;
use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest message that is taken.
pub(crate) const MAX_FRAME: usize = 32 * 1024 * 1024;
/// Who sends more than this in one go lets others have their turn.
const AT_ONCE: usize = 256 * 1024;
/// How much of a dropped message is looked at for the id of the request it answers.
const PEEK: usize = 512;
/// What holds the payload of a message.
const PAYLOADS: [&str; 3] = [r#""params""#, r#""result""#, r#""error""#];

/// A line as it came.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    Line(Vec<u8>),
    /// A line beyond the bound, and the request it seems to answer.
    TooLong {
        bytes: u64,
        answers: Option<RequestId>,
    },
}

/// Reads frames. May be dropped between two polls of [`Frames::next`] without losing anything.
pub(crate) struct Frames<R> {
    reader: BufReader<R>,
    max: usize,
    line: Vec<u8>,
    dropping: Option<Dropped>,
    /// Bytes since others had their turn.
    in_a_row: usize,
}

/// A line on its way into nothing.
struct Dropped {
    /// Whoever waits for it knows already.
    told: bool,
    bytes: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(crate) fn new(stream: R, max: usize) -> Self {
        let reader = BufReader::with_capacity(64 * 1024, stream);
        Frames { reader, max, line: Vec::new(), dropping: None, in_a_row: 0 }
    }

    /// The next line, without its end. `None` is the end of the stream.
    pub(crate) async fn next(&mut self) -> std::io::Result<Option<Frame>> {
        loop {
            // A line of many megabytes is read for many milliseconds, and calls of other servers run here, too.
            if self.in_a_row > AT_ONCE {
                self.in_a_row = 0;
                tokio::task::yield_now().await;
            }
            let chunk = self.reader.fill_buf().await?;
            if chunk.is_empty() {
                return Ok(self.last());
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            let used = end.map_or(chunk.len(), |end| end + 1);
            match &mut self.dropping {
                Some(dropped) => dropped.swallow(part),
                None if self.line.len() + part.len() > self.max => {
                    let mut dropped = Dropped::beginning(&std::mem::take(&mut self.line));
                    dropped.swallow(part);
                    self.dropping = Some(dropped);
                }
                None => self.line.extend_from_slice(part),
            }
            self.reader.consume(used);
            self.in_a_row += used;
            if let Some(dropped) = self.dropping.as_mut().filter(|dropped| !dropped.told)
                && let Some(id) = dropped.named_in_head()
            {
                // The rest may take as long as it likes, or never end.
                dropped.told = true;
                let told = Frame::TooLong { bytes: dropped.bytes, answers: Some(id) };
                if end.is_some() {
                    self.dropping = None;
                }
                return Ok(Some(told));
            }
            if end.is_none() {
                continue;
            }
            match self.dropping.take() {
                Some(dropped) if dropped.told => {}
                Some(dropped) => {
                    return Ok(Some(Frame::TooLong {
                        bytes: dropped.bytes,
                        answers: dropped.named_in_tail(),
                    }));
                }
                None => return Ok(Some(Frame::Line(std::mem::take(&mut self.line)))),
            }
        }
    }

    /// A last line without an end. An object that can be read to its closing brace is whole; of anything else nobody
    /// can say that.
    fn last(&mut self) -> Option<Frame> {
        let line = std::mem::take(&mut self.line);
        let is_whole = line.trim_ascii_start().first() == Some(&b'{')
            && serde_json::from_slice::<IgnoredAny>(&line).is_ok();
        is_whole.then_some(Frame::Line(line))
    }
}

impl Dropped {
    fn beginning(line: &[u8]) -> Self {
        let mut dropped = Dropped { told: false, bytes: 0, head: Vec::new(), tail: Vec::new() };
        dropped.swallow(line);
        dropped
    }

    fn swallow(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        let room = PEEK.saturating_sub(self.head.len());
        self.head.extend(part.iter().take(room));
        self.tail.extend(part.iter().skip(part.len().saturating_sub(PEEK)));
        let over = self.tail.len().saturating_sub(PEEK);
        self.tail.drain(..over);
    }

    /// Programs write the id first or last; between lies the payload, with ids of its own.
    fn named_in_head(&self) -> Option<RequestId> {
        let head = String::from_utf8_lossy(&self.head);
        let payload = PAYLOADS.iter().filter_map(|name| head.find(name)).min();
        id_in(head.get(..payload.unwrap_or(head.len()))?)
    }

    fn named_in_tail(&self) -> Option<RequestId> {
        let tail = String::from_utf8_lossy(&self.tail);
        id_in(tail.rsplit('}').nth(1).unwrap_or_default())
    }
}

/// The request that a line seems to answer which cannot be read. What asks has a method; anything else with an id can
/// only be meant as an answer.
pub(crate) fn answered_by(line: &[u8]) -> Option<RequestId> {
    match serde_json::from_str::<Value>(&String::from_utf8_lossy(line)) {
        Ok(value) if value.get("method").is_some() => None,
        Ok(value) => serde_json::from_value(value.get("id")?.clone()).ok(),
        // Deeper than anything is read, or broken in the middle.
        Err(_) => named_in(line),
    }
}

fn named_in(line: &[u8]) -> Option<RequestId> {
    named_by(line).filter(|_| !has_method(line))
}

/// The request in a line that cannot be read, where it has a method.
pub(crate) fn asked_by(line: &[u8]) -> Option<RequestId> {
    named_by(line).filter(|_| has_method(line))
}

fn named_by(line: &[u8]) -> Option<RequestId> {
    let dropped = Dropped::beginning(line);
    dropped.named_in_head().or_else(|| dropped.named_in_tail())
}

fn has_method(line: &[u8]) -> bool {
    memchr::memmem::find(line.get(..PEEK).unwrap_or(line), br#""method""#).is_some()
}

fn id_in(text: &str) -> Option<RequestId> {
    let (_, after) = text.rsplit_once(r#""id""#)?;
    let value = after.trim_start().strip_prefix(':')?.trim_start();
    let end = value.find([',', '}']).unwrap_or(value.len());
    match serde_json::from_str::<Value>(value.get(..end)?.trim()).ok()? {
        Value::Number(number) => Some(RequestId::Number(number.as_i64()?)),
        Value::String(text) => Some(RequestId::String(text.into())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn frames(input: &[u8], max: usize) -> Vec<Frame> {
        let mut frames = Frames::new(input, max);
        let mut all = Vec::new();
        while let Some(frame) = frames.next().await.unwrap() {
            all.push(frame);
        }
        all
    }

    fn line(text: &str) -> Frame {
        Frame::Line(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_are_cut_at_their_ends_and_half_a_line_is_none() {
        assert_eq!(frames(b"a\n\nbc\nrest", 10).await, [line("a"), line(""), line("bc")]);
        assert_eq!(frames(b"a\n{\"b\":", 10).await, [line("a")]);
        assert_eq!(frames(b"a\n{\"b\":1}", 10).await, [line("a"), line("{\"b\":1}")], "it is whole");
    }

    #[tokio::test]
    async fn what_is_too_long_names_the_request_it_answers() {
        let filler = "x".repeat(5_000);
        for (text, id) in [
            (
                format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"id":9,"t":"{filler}"}}}}"#),
                Some(RequestId::Number(7)),
            ),
            (
                format!(r#"{{"result":{{"t":"{filler}"}},"jsonrpc":"2.0","id":"a"}}"#),
                Some(RequestId::String("a".into())),
            ),
            (
                format!(r#"{{"id":7,"method":"m","params":{{"id":9,"t":"{filler}"}}}}"#),
                Some(RequestId::Number(7)),
            ),
            (filler.clone(), None),
        ] {
            let input = format!("{text}\nnext\n");
            let all = frames(input.as_bytes(), 1_000).await;
            let [Frame::TooLong { bytes, answers }, next] = &all[..] else { panic!("{all:?}") };
            assert!(*bytes > 1_000 && *bytes <= text.len() as u64);
            assert_eq!((answers, next), (&id, &line("next")));
        }
    }

    #[tokio::test]
    async fn others_have_their_turn_while_a_long_line_is_read() {
        let text = [vec![b'x'; 8 * AT_ONCE], b"\n".to_vec()].concat();
        let mut frames = Frames::new(&text[..], MAX_FRAME);
        let mut reading = std::pin::pin!(frames.next());
        let mut turns = 0;
        let frame = loop {
            match futures_util::poll!(&mut reading) {
                std::task::Poll::Ready(frame) => break frame.unwrap().unwrap(),
                std::task::Poll::Pending => turns += 1,
            }
        };
        assert_eq!(frame, Frame::Line(vec![b'x'; 8 * AT_ONCE]));
        assert!(turns >= 6, "{turns}");
    }

    /// Nobody waits for the end of what is dropped, and it has none where a server means ill.
    #[tokio::test]
    async fn what_is_too_long_is_told_before_it_ends() {
        let begun = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"t":"{}"#, "x".repeat(5_000));
        let told = Frame::TooLong { bytes: begun.len() as u64, answers: Some(RequestId::Number(7)) };
        assert_eq!(frames(begun.as_bytes(), 1_000).await, [told]);
    }

    #[test]
    fn a_line_that_cannot_be_read_names_what_it_answers() {
        let deep = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{}1{}}}"#, "[".repeat(999), "]".repeat(999));
        assert_eq!(answered_by(deep.as_bytes()), Some(RequestId::Number(7)));
        assert_eq!(answered_by(br#"{"id":7,"method":"ping","params":[[["#), None);
        assert_eq!(answered_by(br#"{"id":"a","error":"no"}"#), Some(RequestId::String("a".into())));
        assert_eq!(answered_by(b"hello"), None);
        assert_eq!(asked_by(br#"{"id":7,"method":"ping","params":{"id":9,[[["#), Some(RequestId::Number(7)));
        assert_eq!(asked_by(br#"{"id":7,"result":[[["#), None);
    }
}
