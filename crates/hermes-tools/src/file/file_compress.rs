//! Packs files into archives and unpacks them.

use hermes_host::{Files, Keys};
use hermes_kit::prelude::*;

use super::archive::format::Format;
use super::archive::job::Job;
use super::archive::outcome::Output;
use super::archive::password::Password;
use super::find::glob::Filter;

/// Pack files into an archive, unpack one, or list what is in it (zip, 7z, tar, tar.gz, tar.zst, tar.xz; gz, zst
/// and xz for single files). Unpacking puts everything in place or nothing, and refuses archives with links, devices,
/// paths that lead outside the destination, or far more content than their size suggests.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do.
    action: Action,
    /// The files and folders to pack; the archive to unpack or list.
    pub(super) source: OneOrMany,
    /// The archive to write, or the folder to unpack into; named after the source if left out.
    destination: Option<String>,
    /// The format, if the name of the archive does not tell it.
    pub(super) format: Option<Format>,
    /// How hard to compress, from 0 (fast) to 9 (small).
    #[serde(default = "six")]
    #[schemars(range(max = 9))]
    pub(super) level: u32,
    /// Globs of what to leave out, such as node_modules or *.log.
    #[serde(default)]
    exclude: Vec<String>,
    /// The variable that holds the password of a zip or 7z archive.
    password_env: Option<String>,
    /// Whether to replace files that are there already.
    #[serde(default)]
    pub(super) overwrite: bool,
    /// How many leading folders to drop from the names of entries.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub(super) strip_components: usize,
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
    pub(super) fn all(&self) -> Vec<&str> {
        match self {
            OneOrMany::One(path) => vec![path],
            OneOrMany::Many(paths) => paths.iter().map(String::as_str).collect(),
        }
    }
}

pub struct FileCompress {
    files: Files,
    keys: Keys,
}

impl BlockingTool for FileCompress {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        parallel: Parallel::Paths,
        exposure: Exposure::Deferrable,
        timeout: std::time::Duration::from_secs(600),
        emoji: "🗜️",
        tags: &["file", "zip", "tar", "gzip", "zstd", "xz", "7z", "archive", "unzip", "extract"],
        ..ToolMeta::new("file_compress", "file", Effect::Mutating)
    };

    fn new(host: &Host) -> Self {
        FileCompress { files: host.files(), keys: host.keys.clone() }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        let reads = args.source.all().into_iter().map(Access::read_path);
        let write = match args.action {
            Action::Compress => Some(Access::write_path(args.destination())),
            Action::Extract => Some(Access::write_into(args.destination())),
            Action::List => None,
        };
        let password = args.password_env.iter().map(|name| Access::name(Permission::ENV_READ, name));
        reads.chain(write).chain(password).collect()
    }

    fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let exclude: Vec<Filter> =
            args.exclude.iter().map(|glob| Filter::new(glob, "exclude")).collect::<Result<_, _>>()?;
        let workspace = self.files.here("file_compress", cx)?;
        let named = args.password_env.as_deref();
        let password = named.map(|name| Password::look_up(&self.keys, name)).transpose()?;
        let job = Job { workspace, args: &args, exclude: &exclude, password: password.as_ref(), cx };
        let done = match args.action {
            Action::Compress => job.compress(),
            Action::Extract => job.extract(),
            Action::List => job.list(),
        };
        done.map_err(|error| match error.code {
            ErrorCode::NotFound => error.with_hint("Use directory_list to see what is there."),
            _ => error,
        })
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

impl Args {
    pub(super) fn one_source(&self) -> Result<&str, ToolError> {
        match self.source.all().as_slice() {
            [one] => Ok(*one),
            _ => Err(ToolError::invalid("name exactly one archive as source")),
        }
    }

    /// Where the result goes: as asked for, or beside the source under its name.
    pub(super) fn destination(&self) -> String {
        if let Some(destination) = &self.destination {
            return destination.clone();
        }
        let first = self.source.all().first().copied().unwrap_or_default().trim_end_matches('/').to_owned();
        match (self.action, self.format) {
            (Action::Compress, format) => {
                let ending = format.unwrap_or(Format::Zip).ending();
                let name = if matches!(first.as_str(), "" | "." | "..") { "archive" } else { &first };
                format!("{name}.{ending}")
            }
            (Action::Extract | Action::List, _) => Format::stem(&first).to_owned(),
        }
    }
}

fn six() -> u32 {
    6
}

register_tool!(Blocking<FileCompress>);
