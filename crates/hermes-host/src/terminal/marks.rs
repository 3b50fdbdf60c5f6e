//! Tells what a program printed from what its shell says between two marks.

/// Bytes between the marks that are kept; an environment is at most this large.
const MOST_STATE: usize = 4 * 1024 * 1024;

/// What came, as far as it is certain.
pub(super) enum Heard<'a> {
    Output(&'a [u8]),
    /// A line end, which may turn out to belong to a mark.
    LineEnd,
}

/// Looks for marks wherever the pieces end.
pub(super) struct Marks {
    /// `\n`, the mark and `\n`; empty where there is none to look for.
    mark: Vec<u8>,
    /// The last bytes, which may be the beginning of a mark.
    held: Vec<u8>,
    state: State,
    /// What stood between the last marks.
    told: Option<Vec<u8>>,
}

enum State {
    /// Before the first mark.
    Output,
    /// Between the marks.
    Standing(Vec<u8>),
}

impl Marks {
    pub(super) fn new(mark: Option<&str>) -> Self {
        let mark = mark.map(|mark| [b"\n", mark.as_bytes(), b"\n"].concat());
        Marks { mark: mark.unwrap_or_default(), held: Vec::new(), state: State::Output, told: None }
    }

    /// Says what of a piece is output. Nothing of that is copied but what may be the beginning of a mark.
    pub(super) fn sift(&mut self, bytes: &[u8], hear: &mut dyn FnMut(Heard<'_>)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = match &mut self.state {
                State::Output if self.mark.is_empty() => return hear(Heard::Output(rest)),
                State::Output => self.sift_output(rest, hear),
                State::Standing(_) => self.sift_state(rest),
            };
        }
    }

    /// What was held is output, and the last that stood between marks is what was told.
    pub(super) fn finish(self, hear: &mut dyn FnMut(Heard<'_>)) -> Option<Vec<u8>> {
        hear(Heard::Output(&self.held));
        self.told
    }

    /// Returns what comes after a mark.
    fn sift_output<'b>(&mut self, bytes: &'b [u8], hear: &mut dyn FnMut(Heard<'_>)) -> &'b [u8] {
        let held = std::mem::take(&mut self.held);
        let mut found = None;
        if !held.is_empty() {
            // A mark that began in what is held ends within its own length.
            let (first, beyond) = bytes.split_at_checked(self.mark.len()).unwrap_or((bytes, &[]));
            let joined = [&held[..], first].concat();
            found = find(&joined, &self.mark).map(|at| (at, joined.get(..at).unwrap_or_default().to_vec()));
            if found.is_none() && beyond.is_empty() {
                self.hear_but_the_end(&joined, hear);
                return &[];
            }
        }
        let after = match found {
            Some((at, before)) => {
                hear(Heard::Output(&before));
                // No mark lies wholly in what is held.
                at + self.mark.len() - held.len()
            }
            None => {
                hear(Heard::Output(&held));
                let Some(at) = find(bytes, &self.mark) else {
                    self.hear_but_the_end(bytes, hear);
                    return &[];
                };
                hear(Heard::Output(bytes.get(..at).unwrap_or_default()));
                at + self.mark.len()
            }
        };
        self.state = State::Standing(Vec::new());
        bytes.get(after..).unwrap_or_default()
    }

    /// Holds the end back where it may be the beginning of a mark.
    fn hear_but_the_end(&mut self, bytes: &[u8], hear: &mut dyn FnMut(Heard<'_>)) {
        let (output, end) = bytes.split_at(bytes.len() - partial(bytes, &self.mark));
        hear(Heard::Output(output));
        self.held.extend(end);
        if end == b"\n" {
            hear(Heard::LineEnd);
        }
    }

    /// Returns what comes after the second mark.
    fn sift_state<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let State::Standing(state) = &mut self.state else { return bytes };
        // The second mark ends a line of the shell's own output, or stands alone.
        let end = self.mark.get(1..).unwrap_or_default();
        let before = state.len();
        let unseen = before.saturating_sub(end.len());
        state.extend(bytes);
        if let Some(at) = find(state.get(unseen..).unwrap_or_default(), end).map(|at| at + unseen) {
            state.truncate(at);
            // The shell tells where it stands more than once, and the last holds.
            self.told = Some(std::mem::take(state));
            self.state = State::Output;
            return bytes.get(at + end.len() - before..).unwrap_or_default();
        }
        if state.len() > MOST_STATE {
            self.state = State::Output;
        }
        &[]
    }
}

pub(super) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, wanted)
}

/// How many bytes at the end may be the beginning of the mark.
fn partial(text: &[u8], mark: &[u8]) -> usize {
    let longest = mark.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|length| mark.starts_with(text.get(text.len() - length..).unwrap_or_default()))
        .unwrap_or(0)
}
