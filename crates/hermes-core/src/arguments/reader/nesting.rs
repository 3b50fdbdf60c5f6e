//! How deep a text stands in brackets, found without reading what is between them.

/// Follows a text byte by byte. Brackets in strings do not count.
#[derive(Default)]
pub(super) struct Nesting {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Nesting {
    /// Whether the next byte stands inside no bracket and no string that this text has opened.
    pub(super) fn is_outside(&self) -> bool {
        self.depth == 0 && !self.in_string
    }

    pub(super) fn pass(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = self.in_string,
            b'"' => self.in_string = !self.in_string,
            _ if self.in_string => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}
