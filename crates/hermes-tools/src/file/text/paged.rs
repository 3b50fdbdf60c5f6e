//! One page of a file, decoded and put together.

use std::io::{self, BufReader, Cursor, Read};

use hermes_host::workspace::OpenFile;

use super::at_once::numbered;
use super::beginning::{AT_ONCE, Beginning};
use super::decode::utf8_stream;
use super::render::{Rendered, Style, render};
use super::sniff::Charset;
use crate::lines::{page_of, read_page};

/// Which lines are wanted, and how.
#[derive(Clone, Copy, Debug)]
pub(in crate::file) struct Wanted {
    pub(in crate::file) style: Style,
    pub(in crate::file) limit: u64,
    /// Whether bytes that do not fit the encoding are taken for Latin-1.
    pub(in crate::file) lenient: bool,
}

/// A page, and how many lines the file has; missing if it is too long to count.
pub(in crate::file) type Paged = (Rendered, Option<u64>);

/// Why there is no page.
pub(in crate::file) enum Unpaged {
    Read(io::Error),
    /// The bytes of this line do not fit the encoding.
    Line(u64),
}

/// The wanted lines of a file, of which the beginning was read.
pub(in crate::file) fn paged(
    file: &mut OpenFile,
    beginning: Beginning,
    charset: Charset,
    wanted: Wanted,
) -> Result<Paged, Unpaged> {
    let Beginning { bytes: start, whole } = beginning;
    let Wanted { style, limit, lenient } = wanted;
    let simple = whole && style.numbers && matches!(charset, Charset::Utf8 | Charset::Utf8Bom);
    if simple && let Some((rendered, total)) = numbered(&start, charset, (style.first, limit), style.room) {
        return Ok((rendered, Some(total)));
    }
    let page = if whole && !charset.is_utf16() {
        page_of(start, style.first, limit)
    } else {
        let source = Cursor::new(start).chain(file);
        let mut stream = BufReader::with_capacity(AT_ONCE, utf8_stream(source, charset));
        read_page(&mut stream, style.first, limit).map_err(Unpaged::Read)?
    };
    let rendered = match render(&page, charset, style) {
        Err(_) if lenient => render(&page, Charset::Latin1, style),
        rendered => rendered,
    };
    Ok((rendered.map_err(Unpaged::Line)?, page.total))
}
