//! Where Hermes was started: home, working folder, environment, and the configuration they add up to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hermes_host::home::Home;
use hermes_host::undo::{UndoLimits, UndoStore};
use hermes_host::{Clock, Env, Host, Http, Terminals};
use hermes_policy::urls::{HostRule, UrlPolicy};
use hermes_runtime::config::{Config, ENV, Layer, Loaded, Origin, ProjectTrust, project_trust};

use super::settings;
use super::trust::{TrustStore, digest};
use crate::failure::Failure;

/// Flags that every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct GlobalOptions {
    /// Folder of Hermes's own state [default: $HERMES_HOME or ~/.hermes]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Act as if started in this folder
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Set a configuration key for this run, such as --set limits.batch_width=4
    #[arg(long = "set", global = true, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Offer only these toolsets; MCP servers among them by name (mcp-NAME) or all (mcp_servers)
    #[arg(long, global = true, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) toolsets: Option<Vec<String>>,
    /// Take these toolsets away
    #[arg(long, global = true, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) disable_toolsets: Option<Vec<String>>,
    /// Shape definitions for this provider: openai, anthropic, gemini or generic
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Judge calls by this permission profile; 'hermes policy profiles' lists them
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Colour the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: crate::render::ColorChoice,
}

impl GlobalOptions {
    /// The folder that was asked for. An empty variable is one that is not set, whatever its bytes are otherwise.
    pub(crate) fn home_folder(&self) -> Option<PathBuf> {
        let variable = || std::env::var_os("HERMES_HOME").filter(|folder| !folder.is_empty());
        self.home.clone().or_else(|| variable().map(PathBuf::from))
    }
}

/// Everything known before the first command runs.
pub(crate) struct Surroundings {
    pub(crate) home: Home,
    pub(crate) cwd: PathBuf,
    pub(crate) host: Host,
    pub(crate) loaded: Loaded,
    pub(crate) project: ProjectConfig,
    /// What it was started with, to look at the configuration again.
    pub(in crate::app) options: GlobalOptions,
}

/// The project's own configuration file, if it has one.
pub(crate) struct ProjectConfig {
    pub(crate) path: PathBuf,
    pub(crate) trust: ProjectTrust,
}

impl Surroundings {
    pub(crate) fn discover(options: &GlobalOptions) -> Result<Self, Failure> {
        let (env, home, cwd) = place(options)?;
        let (project, layers) = read_layers(&home, &cwd)?;
        let variables: Vec<(String, String)> = ENV
            .iter()
            .filter_map(|known| Some((known.name.to_owned(), env.get(known.name)?.to_owned())))
            .collect();
        let loaded = Config::load(&layers, &variables, &flags(options)?).map_err(Failure::config)?;
        Self::found(options, (env, home, cwd), project, loaded)
    }

    /// As if only the flags said anything: for what has to work where the configuration is broken.
    pub(crate) fn unconfigured(options: &GlobalOptions) -> Result<Self, Failure> {
        let (env, home, cwd) = place(options)?;
        let loaded = Config::load(&[], &[], &flags(options)?).map_err(Failure::config)?;
        let project = ProjectConfig { path: project_file(&cwd), trust: ProjectTrust::Absent };
        Self::found(options, (env, home, cwd), project, loaded)
    }

    fn found(
        options: &GlobalOptions,
        (env, home, cwd): (Env, Home, PathBuf),
        project: ProjectConfig,
        loaded: Loaded,
    ) -> Result<Self, Failure> {
        let mut host = Host::new(env.clone(), home.root().to_owned());
        host.http = Http::new(Arc::new(url_policy(&loaded.config)?));
        host.workspace = host.workspace.clone().with_undo(undo(&home, &loaded.config.undo));
        let user_home = env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let terminal = settings::terminal(&loaded.config, &user_home);
        host.terminals = Terminals::new(terminal, env, home.root().to_owned());
        Ok(Surroundings { home, cwd, host, loaded, project, options: options.clone() })
    }

    pub(crate) fn config(&self) -> &Config {
        &self.loaded.config
    }
}

/// Where this is, before anything is read.
fn place(options: &GlobalOptions) -> Result<(Env, Home, PathBuf), Failure> {
    let env = Env::of_process();
    let home = match options.home_folder() {
        Some(root) => Home::at(std::path::absolute(root).map_err(Failure::io("--home"))?),
        None => Home::resolve(&env)?,
    };
    let cwd = working_folder(options.cwd.as_deref())?;
    Ok((env, home, cwd))
}

fn project_file(cwd: &Path) -> PathBuf {
    cwd.join(".hermes").join("config.yaml")
}

/// The memory of changes, as far as the configuration wants one.
fn undo(home: &Home, config: &hermes_runtime::config::Undo) -> Option<UndoStore> {
    let limits = UndoLimits {
        max_bytes: config.max_bytes,
        max_file_bytes: config.max_file_bytes,
        max_age_ms: i64::from(config.max_age_days) * 24 * 60 * 60 * 1_000,
    };
    config.enabled.then(|| UndoStore::at(home.undo_dir(), limits, Clock::system()))
}

fn working_folder(wanted: Option<&Path>) -> Result<PathBuf, Failure> {
    let current = std::env::current_dir().map_err(Failure::io("the working folder"))?;
    let Some(wanted) = wanted else { return Ok(current) };
    let path = current.join(wanted);
    path.canonicalize()
        .ok()
        .filter(|path| path.is_dir())
        .ok_or_else(|| Failure::usage(format!("--cwd: '{}' is not a folder", path.display())))
}

fn read_layers(home: &Home, cwd: &Path) -> Result<(ProjectConfig, Vec<Layer>), Failure> {
    let mut layers = Vec::new();
    let user = home.config_file();
    if let Some(text) = read_optional(&user)? {
        layers.push(Layer::new(Origin::UserFile(user), text));
    }
    let path = project_file(cwd);
    // Started in the home folder, the "project's" file is the user's own.
    let text = if path == home.config_file() { None } else { read_optional(&path)? };
    let trusted = TrustStore::of(home).digests()?;
    let trust = project_trust(text.as_deref().map(digest).as_deref(), &trusted);
    if let (ProjectTrust::Trusted, Some(text)) = (&trust, text) {
        layers.push(Layer::new(Origin::ProjectFile(path.clone()), text));
    }
    Ok((ProjectConfig { path, trust }, layers))
}

fn read_optional(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::io(&path.display().to_string())(error)),
    }
}

fn flags(options: &GlobalOptions) -> Result<Vec<(String, String)>, Failure> {
    let mut flags = Vec::new();
    for pair in &options.set {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("--set takes KEY=VALUE, not '{pair}'")))?;
        flags.push((key.to_owned(), value.to_owned()));
    }
    // Quoted as JSON, which is YAML too: a name such as `*` means something there.
    let list = |names: &[String]| serde_json::Value::from(names.to_vec()).to_string();
    let only = options.toolsets.as_deref().map(|names| list(&settings::only_named(names)));
    flags.extend(only.map(|names| ("toolsets".to_owned(), names)));
    flags.extend(
        options.disable_toolsets.as_deref().map(|names| ("disabled_toolsets".to_owned(), list(names))),
    );
    flags.extend(options.profile.clone().map(|name| ("permissions.profile".to_owned(), name)));
    flags.extend(options.provider.clone().map(|name| ("provider".to_owned(), name)));
    Ok(flags)
}

/// The rules by which the HTTP door judges every request and every redirect.
fn url_policy(config: &Config) -> Result<UrlPolicy, Failure> {
    let rules = |key: &str, hosts: &[String]| -> Result<Vec<HostRule>, Failure> {
        let read =
            |host: &String| HostRule::parse(host).map_err(|error| Failure::usage(format!("{key}: {error}")));
        hosts.iter().map(read).collect()
    };
    let network = &config.network;
    Ok(UrlPolicy {
        allow_private: network.allow_private,
        allowed_hosts: rules("network.allowed_hosts", &network.allowed_hosts)?,
        denied_hosts: rules("network.denied_hosts", &network.denied_hosts)?,
    })
}
