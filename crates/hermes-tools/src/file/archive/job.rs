//! What is done with archives: packing, unpacking, listing.

use std::io::Read;

use hermes_core::{CallContext, ErrorCode, ToolError};
use hermes_host::workspace::{UnpackLimits, Workspace, spelled};

use super::format::Format;
use super::gather::Gathered;
use super::outcome::{Listed, Output, note, ratio};
use super::password::Password;
use super::read::{Entry, Kind, Look, Reading, entries, stripped};
use super::write::{Meta, Writer};
use crate::file::file_compress::Args;
use crate::file::find::glob::Filter;

const MAX_ENTRIES: usize = 20_000;
const MAX_BYTES: u64 = 2 * 1024 * 1024 * 1024;
const MAX_RATIO: u64 = 200;
/// Set where a program runs with the rights of its owner or group.
const SET_ID: u32 = 0o6000;
/// Entries named in one answer.
const MAX_LISTED: usize = 1_000;

/// One call, with everything it needs.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) args: &'a Args,
    pub(crate) exclude: &'a [Filter],
    pub(crate) password: Option<&'a Password>,
    pub(crate) cx: &'a CallContext,
}

impl Job<'_> {
    pub(crate) fn compress(self) -> Result<Output, ToolError> {
        let Job { workspace, args, exclude, password, cx } = self;
        let destination = args.destination();
        let format = self.format(&destination)?;
        let mut gathered = Gathered::default();
        for source in args.source.all() {
            gathered.add(workspace, cx, source, (exclude, format))?;
        }
        gathered.refuse_what_no_archive_holds()?;
        let files = gathered.items.iter().filter(|item| !item.is_folder).count();
        if format.is_bare() && files != 1 {
            return Err(ToolError::invalid(
                "gz, zst and xz hold exactly one file; use tar.gz, tar.zst or tar.xz for several",
            ));
        }
        let new = workspace.create(cx, &destination, args.overwrite).map_err(|error| match error.code {
            ErrorCode::Conflict => error.with_hint("Pass overwrite to replace it, or another destination."),
            _ => error,
        })?;
        let failed = new.explaining();
        let mut writer = Writer::new(new, format, args.level, password).map_err(&failed)?;
        let (mut bytes_in, mut packed, mut closed, mut last_modified) = (0, 0, Vec::<String>::new(), 0);
        for item in &gathered.items {
            let mut meta = Meta { size: 0, mode: item.mode, modified: item.modified };
            if item.is_folder {
                writer.folder(&item.name, meta).map_err(&failed)?;
                continue;
            }
            let mut file = match workspace.open_read(cx, &item.path) {
                Ok(file) => file,
                // Of a folder some may stay out, and the answer says so; what was named itself was meant.
                Err(error)
                    if error.code == ErrorCode::PermissionDenied
                        && !args.source.all().contains(&item.path.as_str()) =>
                {
                    closed.push(spelled(&item.name));
                    continue;
                }
                // It went away since its folder was listed. What was named itself was meant, and one file is all there is.
                Err(error)
                    if error.code == ErrorCode::NotFound
                        && !format.is_bare()
                        && !args.source.all().contains(&item.path.as_str()) =>
                {
                    continue;
                }
                Err(error) => return Err(error),
            };
            meta.size = file.size();
            meta.mode = file.mode().unwrap_or(meta.mode);
            meta.modified = file.modified().unwrap_or(meta.modified);
            last_modified = meta.modified;
            bytes_in += meta.size;
            packed += 1;
            writer.file(&item.name, meta, &mut file).map_err(&failed)?;
        }
        let new = writer.finish().map_err(&failed)?;
        // Where the archive has no place for the time of its one file, its own is that.
        let new = if format.is_bare() { new.dated(last_modified) } else { new };
        let (path, size) = new.finish()?;
        Ok(Output {
            path: spelled(&path),
            files: packed,
            bytes_in,
            bytes_out: Some(size),
            ratio: ratio(bytes_in, size),
            note: note(gathered.left_out, &closed),
            ..Output::default()
        })
    }

    pub(crate) fn extract(self) -> Result<Output, ToolError> {
        let Job { workspace, args, exclude, password, cx } = self;
        let source = args.one_source()?;
        let reading = Reading {
            format: self.format(source)?,
            stem: Format::stem(source),
            password,
            look: Look::Contents,
        };
        let archive = workspace.open_read(cx, source)?;
        let archive_bytes = archive.size();
        let limits = UnpackLimits {
            max_entries: MAX_ENTRIES,
            max_bytes: MAX_BYTES,
            max_ratio: MAX_RATIO,
            archive_bytes,
        };
        let mut unpacking = workspace.unpack(cx, &args.destination(), args.overwrite, limits)?;
        entries(archive, &reading, &mut |entry: Entry<'_>| {
            let Some(name) = stripped(&entry.name, args.strip_components) else { return Ok(()) };
            if std::path::Path::new(name)
                .ancestors()
                .any(|path| exclude.iter().any(|filter| filter.matches(path)))
            {
                return Ok(());
            }
            // Whose leading folders go may still not climb or be absolute.
            unpacking.look_at(&entry.name)?;
            let refuse = |what: &str| {
                let text = format!(
                    "the archive is refused: the entry '{}' is {what}; nothing was unpacked",
                    spelled(name.as_ref())
                );
                Err(ToolError::invalid(text))
            };
            match entry.kind {
                Kind::File if entry.mode.is_some_and(|mode| mode & SET_ID != 0) => {
                    refuse("a program that runs with the rights of its owner")
                }
                Kind::Folder => unpacking.folder(name, entry.modified),
                Kind::File => unpacking.file(name, (entry.mode, entry.modified), entry.content).map(|_| ()),
                Kind::Link => refuse("a link"),
                Kind::Special => refuse("a device, pipe or socket"),
            }
        })
        .map_err(|error| of_the_archive(error, "See what is in it with action 'list'."))?;
        let unpacked = unpacking.finish()?;
        Ok(Output {
            path: spelled(&unpacked.path),
            files: unpacked.files,
            bytes_in: archive_bytes,
            bytes_out: Some(unpacked.bytes),
            ratio: ratio(unpacked.bytes, archive_bytes),
            ..Output::default()
        })
    }

    pub(crate) fn list(self) -> Result<Output, ToolError> {
        let Job { workspace, args, password, cx, .. } = self;
        let source = args.one_source()?;
        let format = self.format(source)?;
        let reading = Reading { format, stem: Format::stem(source), password, look: Look::Names };
        let archive = workspace.open_read(cx, source)?;
        let archive_bytes = archive.size();
        let most = archive_bytes.saturating_mul(MAX_RATIO).clamp(1024 * 1024, MAX_BYTES);
        let (mut listed, mut files, mut seen, mut bytes) = (Vec::new(), 0, 0, 0_u64);
        let went_through = entries(archive, &reading, &mut |entry: Entry<'_>| {
            seen += 1;
            files += usize::from(entry.kind == Kind::File);
            // What an archive says about sizes may be a lie; what comes out of it is not.
            let is_bare = format.is_bare();
            let size = match is_bare {
                true => std::io::copy(&mut entry.content.take(most), &mut std::io::sink()).unwrap_or(0),
                false => entry.size,
            };
            bytes = bytes.saturating_add(size);
            if seen > MAX_ENTRIES || bytes > most.max(MAX_BYTES) {
                return Err(ToolError::new(ErrorCode::TooLarge, "the archive is too large to be listed"));
            }
            if listed.len() < MAX_LISTED {
                let name: String = spelled(entry.name.as_ref()).chars().take(500).collect();
                listed.push(Listed { name, kind: entry.kind.name(), size });
            }
            Ok(())
        });
        went_through.map_err(|mut error| {
            // Nothing was to be unpacked.
            error.message = error.message.trim_end_matches("; nothing was unpacked").to_owned();
            of_the_archive(error, "Look at it with a program in the terminal.")
        })?;
        Ok(Output {
            path: source.to_owned(),
            files,
            bytes_in: archive_bytes,
            truncated: seen > listed.len(),
            entries: Some(listed),
            ..Output::default()
        })
    }

    /// The format that is meant. A password is refused where nothing would be locked with it.
    fn format(&self, name: &str) -> Result<Format, ToolError> {
        let format = Format::needed(self.args.format, name)?;
        if self.password.is_some() && !format.takes_password() {
            let text = format!("{} archives have no password", format.ending());
            return Err(ToolError::invalid(text).with_hint("Use zip or 7z, or leave password_env out."));
        }
        Ok(format)
    }
}

/// It is the archive that is wrong, not the call: to show one that is right would help nobody.
fn of_the_archive(mut error: ToolError, instead: &str) -> ToolError {
    error.hint.get_or_insert_with(|| instead.to_owned());
    error
}
