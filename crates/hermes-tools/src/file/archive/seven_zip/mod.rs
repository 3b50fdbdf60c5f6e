//! 7z archives: a list of contents at the end, often itself compressed, and blocks of content before it.

mod header;
mod pack;
mod unpack;

pub(super) use pack::SevenZipWriter;
pub(super) use unpack::entries;
