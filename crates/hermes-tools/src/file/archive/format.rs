//! Kinds of archives, by name and by their first bytes.

use std::path::Path;

use hermes_core::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ArchiveFormat")]
pub enum Format {
    #[serde(rename = "zip")]
    Zip,
    #[serde(rename = "tar")]
    Tar,
    #[serde(rename = "tar.gz")]
    TarGz,
    #[serde(rename = "tar.zst")]
    TarZst,
    #[serde(rename = "tar.xz")]
    TarXz,
    #[serde(rename = "7z")]
    SevenZ,
    #[serde(rename = "gz")]
    Gz,
    #[serde(rename = "zst")]
    Zst,
    #[serde(rename = "xz")]
    Xz,
}

const ENDINGS: &[(&str, Format)] = &[
    (".tar.gz", Format::TarGz),
    (".tgz", Format::TarGz),
    (".tar.zst", Format::TarZst),
    (".tzst", Format::TarZst),
    (".tar.xz", Format::TarXz),
    (".txz", Format::TarXz),
    (".tar", Format::Tar),
    (".zip", Format::Zip),
    (".jar", Format::Zip),
    (".7z", Format::SevenZ),
    (".gz", Format::Gz),
    (".zst", Format::Zst),
    (".xz", Format::Xz),
];

impl Format {
    /// The format that a name stands for.
    pub(crate) fn of_name(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| *format)
    }

    /// The ending of a name that stands for the format.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Format::Zip => "zip",
            Format::Tar => "tar",
            Format::TarGz => "tar.gz",
            Format::TarZst => "tar.zst",
            Format::TarXz => "tar.xz",
            Format::SevenZ => "7z",
            Format::Gz => "gz",
            Format::Zst => "zst",
            Format::Xz => "xz",
        }
    }

    /// The name without the ending that says what it is.
    pub(crate) fn stem(name: &str) -> &str {
        let lower = name.to_ascii_lowercase();
        let ending = ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending));
        let kept = ending.map_or(name.len(), |(ending, _)| name.len().saturating_sub(ending.len()));
        name.get(..kept).filter(|stem| !stem.is_empty()).unwrap_or(name)
    }

    /// Whether it is one compressed file rather than an archive of several.
    pub(crate) fn is_bare(self) -> bool {
        matches!(self, Format::Gz | Format::Zst | Format::Xz)
    }

    /// Whether an archive of this format can be kept under a password.
    pub(crate) fn takes_password(self) -> bool {
        matches!(self, Format::Zip | Format::SevenZ)
    }

    /// Whether something of this name can be put into an archive of this format: names of files need not be text.
    pub(crate) fn takes(self, name: &Path) -> bool {
        !matches!(self, Format::Zip | Format::SevenZ) || name.to_str().is_some()
    }

    /// Whether the first bytes of an archive fit the format; a bare tar has its mark further in.
    pub(crate) fn fits(self, start: &[u8]) -> bool {
        match self {
            Format::Zip => start.starts_with(b"PK"),
            Format::TarGz | Format::Gz => start.starts_with(b"\x1f\x8b"),
            Format::TarZst | Format::Zst => {
                // Programs that pack in parallel begin with a frame that holds no content.
                let is_skipped = matches!(start, [0x50..=0x5f, b'*', b'M', 0x18, ..]);
                is_skipped || start.starts_with(b"\x28\xb5\x2f\xfd")
            }
            Format::TarXz | Format::Xz => start.starts_with(b"\xfd7zXZ"),
            Format::SevenZ => start.starts_with(b"7z\xbc\xaf\x27\x1c"),
            Format::Tar => true,
        }
    }

    pub(crate) fn needed(given: Option<Format>, name: &str) -> Result<Format, ToolError> {
        given.or_else(|| Format::of_name(name)).ok_or_else(|| {
            ToolError::invalid(format!("the format of '{name}' cannot be told by its name"))
                .with_hint("Pass format: zip, tar, tar.gz, tar.zst, tar.xz, 7z, gz, zst or xz.")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        assert_eq!(Format::of_name("a/B.TAR.GZ"), Some(Format::TarGz));
        assert_eq!(Format::of_name("a.tgz"), Some(Format::TarGz));
        assert_eq!(Format::of_name("notes.txt.gz"), Some(Format::Gz));
        assert_eq!(Format::of_name("a.TXZ"), Some(Format::TarXz));
        assert_eq!(Format::of_name("a.rar"), None);
        assert_eq!(Format::stem("dir/a.tar.zst"), "dir/a");
        assert_eq!(Format::stem(".zip"), ".zip");
    }
}
