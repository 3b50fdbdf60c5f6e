//! Packs files into archives and unpacks them.

use std::io::Read;

use hermes_host::Files;
use hermes_host::workspace::{UnpackLimits, Workspace};
use hermes_kit::prelude::*;

use super::archive::format::Format;
use super::archive::gather::Gathered;
use super::archive::outcome::{Listed, Output, note, ratio};
use super::archive::read::{Entry, Kind, entries, stripped};
use super::archive::write::{Meta, Writer};
use super::find::glob::Filter;

const MAX_ENTRIES: usize = 20_000;
const MAX_BYTES: u64 = 2 * 1024 * 1024 * 1024;
const MAX_RATIO: u64 = 200;
/// Entries named in one answer.
const MAX_LISTED: usize = 1_000;

/// Pack files into an archive, unpack one, or list what is in it (zip, tar, tar.gz, tar.zst, tar.xz; gz, zst
/// and xz for single files). Unpacking puts everything in place or nothing, and refuses archives with links, devices,
/// paths that lead outside the destination, or far more content than their size suggests.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do.
    action: Action,
    /// The files and folders to pack; the archive to unpack or list.
    source: OneOrMany,
    /// The archive to write, or the folder to unpack into; named after the source if left out.
    destination: Option<String>,
    /// The format, if the name of the archive does not tell it.
    format: Option<Format>,
    /// How hard to compress, from 0 (fast) to 9 (small).
    #[serde(default = "six")]
    #[schemars(range(max = 9))]
    level: u32,
    /// Globs of what to leave out, such as node_modules or *.log.
    #[serde(default)]
    exclude: Vec<String>,
    /// Whether to replace files that are there already.
    #[serde(default)]
    overwrite: bool,
    /// How many leading folders to drop from the names of entries.
    #[serde(default)]
    #[schemars(range(max = 20))]
    strip_components: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ArchiveAction")]
pub enum Action {
    Compress,
    Extract,
    List,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn all(&self) -> Vec<&str> {
        match self {
            OneOrMany::One(path) => vec![path],
            OneOrMany::Many(paths) => paths.iter().map(String::as_str).collect(),
        }
    }
}

pub struct FileCompress {
    files: Files,
}

impl BlockingTool for FileCompress {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        parallel: Parallel::Paths,
        exposure: Exposure::Deferrable,
        timeout: std::time::Duration::from_secs(600),
        emoji: "🗜️",
        tags: &["file", "zip", "tar", "gzip", "zstd", "xz", "archive", "unzip", "extract"],
        ..ToolMeta::new("file_compress", "file", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        FileCompress { files: host.files() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        let reads = args.source.all().into_iter().map(Access::read_path);
        let write = (args.action != Action::List).then(|| Access::write_path(destination(args)));
        reads.chain(write).collect()
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let exclude: Vec<Filter> =
            args.exclude.iter().map(|glob| Filter::new(glob, "exclude")).collect::<Result<_, _>>()?;
        let workspace = self.files.here("file_compress", cx)?;
        match args.action {
            Action::Compress => compress(workspace, &args, &exclude, cx),
            Action::Extract => extract(workspace, &args, &exclude, cx),
            Action::List => list(workspace, &args, cx),
        }
    }

    fn examples() -> Vec<Example> {
        const FILES: &[(&str, &str)] = &[("docs/a.md", "# A\n"), ("docs/b.md", "# B\n")];
        vec![
            Example::succeeds(
                "a folder as a zip file",
                json!({"action": "compress", "source": "docs", "destination": "docs.zip"}),
                json!({"files": 2, "bytes_in": 8}),
            )
            .with_files(FILES),
            Example::fails(
                "a file that is no archive",
                json!({"action": "extract", "source": "docs/a.md", "format": "zip"}),
                ErrorCode::InvalidArgument,
            )
            .with_files(FILES),
        ]
    }
}

fn compress(
    workspace: &Workspace,
    args: &Args,
    exclude: &[Filter],
    cx: &CallContext,
) -> Result<Output, ToolError> {
    let destination = destination(args);
    let format = Format::needed(args.format, &destination)?;
    let mut gathered = Gathered::default();
    for source in args.source.all() {
        gathered.add(workspace, cx, source, exclude)?;
    }
    let files = gathered.items.iter().filter(|item| !item.is_folder).count();
    if format.is_bare() && files != 1 {
        return Err(ToolError::invalid(
            "gz, zst and xz hold exactly one file; use tar.gz, tar.zst or tar.xz for several",
        ));
    }
    let new = workspace.create(cx, &destination, args.overwrite)?;
    let failed = |error: std::io::Error| {
        ToolError::new(ErrorCode::ExecFailed, "the archive could not be written")
            .with_operator(error.to_string())
    };
    let mut writer = Writer::new(new, format, args.level).map_err(failed)?;
    let (mut bytes_in, mut packed, mut closed) = (0, 0, 0);
    for item in &gathered.items {
        let mut meta = Meta { size: 0, mode: item.mode, modified: item.modified };
        if item.is_folder {
            writer.folder(&item.name, meta).map_err(failed)?;
            continue;
        }
        let mut file = match workspace.open_read(cx, &item.path) {
            Ok(file) => file,
            Err(error) if error.code == ErrorCode::PermissionDenied => {
                closed += 1;
                continue;
            }
            // It went away, or became something else, since the folder was listed.
            Err(error) if error.code == ErrorCode::NotFound => continue,
            Err(error) => return Err(error),
        };
        meta.size = file.size();
        bytes_in += meta.size;
        packed += 1;
        writer.file(&item.name, meta, &mut file).map_err(failed)?;
    }
    let (path, size) = writer.finish().map_err(failed)?.finish()?;
    Ok(Output {
        path: path.to_string_lossy().into_owned(),
        files: packed,
        bytes_in,
        bytes_out: Some(size),
        ratio: ratio(bytes_in, size),
        note: note(gathered.left_out, closed),
        ..Output::default()
    })
}

fn extract(
    workspace: &Workspace,
    args: &Args,
    exclude: &[Filter],
    cx: &CallContext,
) -> Result<Output, ToolError> {
    let source = one_source(args)?;
    let format = Format::needed(args.format, source)?;
    let archive = workspace.open_read(cx, source)?;
    let archive_bytes = archive.size();
    let limits =
        UnpackLimits { max_entries: MAX_ENTRIES, max_bytes: MAX_BYTES, max_ratio: MAX_RATIO, archive_bytes };
    let mut unpacking = workspace.unpack(cx, &destination(args), args.overwrite, limits)?;
    entries(archive, format, Format::stem(source), &mut |entry: Entry<'_>| {
        let Some(name) = stripped(&entry.name, args.strip_components) else { return Ok(()) };
        if std::path::Path::new(name)
            .ancestors()
            .any(|path| exclude.iter().any(|filter| filter.matches(path)))
        {
            return Ok(());
        }
        match entry.kind {
            Kind::Folder => unpacking.folder(name),
            Kind::File => unpacking.file(name, entry.mode, entry.content).map(|_| ()),
            Kind::Link | Kind::Special => Err(ToolError::invalid(format!(
                "the archive is refused: the entry {name:?} is a {}; nothing was unpacked",
                entry.kind.name()
            ))),
        }
    })?;
    let unpacked = unpacking.finish()?;
    Ok(Output {
        path: unpacked.path.to_string_lossy().into_owned(),
        files: unpacked.files,
        bytes_in: archive_bytes,
        bytes_out: Some(unpacked.bytes),
        ratio: ratio(unpacked.bytes, archive_bytes),
        ..Output::default()
    })
}

fn list(workspace: &Workspace, args: &Args, cx: &CallContext) -> Result<Output, ToolError> {
    let source = one_source(args)?;
    let format = Format::needed(args.format, source)?;
    let archive = workspace.open_read(cx, source)?;
    let archive_bytes = archive.size();
    let most = archive_bytes.saturating_mul(MAX_RATIO).clamp(1024 * 1024, MAX_BYTES);
    let (mut listed, mut files, mut seen, mut bytes) = (Vec::new(), 0, 0, 0_u64);
    entries(archive, format, Format::stem(source), &mut |entry: Entry<'_>| {
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
            let name: String = entry.name.chars().take(500).collect();
            listed.push(Listed { name, kind: entry.kind.name(), size });
        }
        Ok(())
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

fn one_source(args: &Args) -> Result<&str, ToolError> {
    match args.source.all().as_slice() {
        [one] => Ok(*one),
        _ => Err(ToolError::invalid("name exactly one archive as source")),
    }
}

/// Where the result goes: as asked for, or beside the source under its name.
fn destination(args: &Args) -> String {
    if let Some(destination) = &args.destination {
        return destination.clone();
    }
    let first = args.source.all().first().copied().unwrap_or_default().trim_end_matches('/').to_owned();
    match (args.action, args.format) {
        (Action::Compress, format) => {
            let ending = format.unwrap_or(Format::Zip).ending();
            let name = if matches!(first.as_str(), "" | "." | "..") { "archive" } else { &first };
            format!("{name}.{ending}")
        }
        (Action::Extract | Action::List, _) => Format::stem(&first).to_owned(),
    }
}

fn six() -> u32 {
    6
}

register_tool!(Blocking<FileCompress>);
