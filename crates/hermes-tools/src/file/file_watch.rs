//! Tells when files change.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hermes_host::Clock;
use hermes_host::Files;
use hermes_kit::prelude::*;

use super::find::glob::Filter;
use super::watching::told::{Kind, Told};
use super::watching::watched::Watched;

/// Watches that one session may have at once.
const MAX_WATCHES: usize = 16;

/// Watch files and folders for changes. start returns an id; poll returns what changed since the last look,
/// wait does so too but waits for a first change, stop ends the watch. wait with paths and without id watches
/// only as long as it waits. Watches end with the session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to do.
    action: Action,
    /// The files and folders to watch.
    #[serde(default)]
    paths: Vec<String>,
    /// Whether to watch everything below folders too.
    #[serde(default = "yes")]
    recursive: bool,
    /// Only names that match one of these globs.
    #[serde(default)]
    patterns: Vec<String>,
    /// Only these kinds of changes; all if left out.
    #[serde(default)]
    events: Vec<Kind>,
    /// A file must be quiet for so long before its change is told, in milliseconds.
    #[serde(default = "default_debounce")]
    #[schemars(range(min = 10, max = 5_000))]
    debounce_ms: u64,
    /// The watch that start returned.
    id: Option<String>,
    /// How long wait waits at most.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 1, max = 600))]
    timeout_seconds: u64,
    /// How many changes to return at most.
    #[serde(default = "default_events")]
    #[schemars(range(min = 1, max = 2_000))]
    max_events: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "WatchAction")]
pub enum Action {
    Start,
    Poll,
    Wait,
    Stop,
    List,
}

#[derive(Debug, Default, Serialize)]
pub struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Told>>,
    /// Changes that were too many to keep; look at the files themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    watches: Option<Vec<Listed>>,
    /// Whether the watch goes on.
    active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Listed {
    id: String,
    paths: Vec<String>,
}

type Key = (String, String);

pub struct FileWatch {
    files: Files,
    clock: Clock,
    watched: Mutex<BTreeMap<Key, Arc<Watched>>>,
    next: AtomicU64,
}

impl Tool for FileWatch {
    type Args = Args;
    type Output = Output;
    const META: ToolMeta = ToolMeta {
        // A session that waits can still do other things.
        parallel: Parallel::Shared,
        exposure: Exposure::Deferrable,
        timeout: Duration::from_secs(610),
        emoji: "👀",
        tags: &["file", "watch", "inotify", "changes", "monitor"],
        ..ToolMeta::new("file_watch", "file", Effect::Session)
    };

    fn new(host: &Host) -> Self {
        FileWatch {
            files: host.files(),
            clock: host.clock.clone(),
            watched: Mutex::default(),
            next: AtomicU64::new(1),
        }
    }

    fn access(&self, args: &Args) -> Vec<Access> {
        args.paths.iter().map(Access::read_path).collect()
    }

    async fn call(&self, args: Args, cx: &CallContext) -> Result<Output, ToolError> {
        let session = cx.session().id.clone();
        match args.action {
            Action::Start => {
                let watched = self.start(&args, cx).await?;
                let note = watched.note();
                let id = format!("w{}", self.next.fetch_add(1, Ordering::Relaxed));
                let mut all = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
                if all.keys().filter(|(owner, _)| *owner == session).count() >= MAX_WATCHES {
                    return Err(ToolError::new(
                        ErrorCode::Unavailable,
                        format!("this session has {MAX_WATCHES} watches already; stop one first"),
                    ));
                }
                all.insert((session, id.clone()), watched);
                Ok(Output { id: Some(id), active: true, note, ..Output::default() })
            }
            Action::Poll => {
                let watched = self.find(&args, &session)?;
                Ok(told(&watched, &args, args.id.clone(), true))
            }
            Action::Wait if args.id.is_none() => {
                let watched = self.start(&args, cx).await?;
                self.wait(&watched, &args, cx).await?;
                Ok(told(&watched, &args, None, false))
            }
            Action::Wait => {
                let watched = self.find(&args, &session)?;
                self.wait(&watched, &args, cx).await?;
                Ok(told(&watched, &args, args.id.clone(), true))
            }
            Action::Stop => {
                let watched = self.find(&args, &session)?;
                let id = args.id.clone().unwrap_or_default();
                self.watched.lock().unwrap_or_else(PoisonError::into_inner).remove(&(session, id));
                Ok(told(&watched, &args, args.id.clone(), false))
            }
            Action::List => {
                let all = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
                let own = all.iter().filter(|((owner, _), _)| *owner == session);
                let watches: Vec<Listed> = own
                    .map(|((_, id), watched)| Listed { id: id.clone(), paths: watched.paths.clone() })
                    .collect();
                Ok(Output { active: !watches.is_empty(), watches: Some(watches), ..Output::default() })
            }
        }
    }

    fn examples() -> Vec<Example> {
        vec![
            Example::succeeds(
                "begin to watch a folder",
                json!({"action": "start", "paths": ["."], "patterns": ["*.rs"]}),
                json!({"active": true}),
            ),
            Example::succeeds(
                "what is watched",
                json!({"action": "list"}),
                json!({"watches": [], "active": false}),
            ),
            Example::fails(
                "a watch that does not exist",
                json!({"action": "poll", "id": "w99"}),
                ErrorCode::NotFound,
            ),
        ]
    }

    const HAS_LIFECYCLE: bool = true;

    async fn teardown(&self) {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl FileWatch {
    async fn start(&self, args: &Args, cx: &CallContext) -> Result<Arc<Watched>, ToolError> {
        if args.paths.is_empty() {
            return Err(ToolError::invalid("name at least one path to watch"));
        }
        let patterns =
            args.patterns.iter().map(|glob| Filter::new(glob, "patterns")).collect::<Result<_, _>>()?;
        let workspace = self.files.here("file_watch", cx)?.clone();
        let (clock, cx) = (self.clock.clone(), cx.clone());
        let (paths, recursive) = (args.paths.clone(), args.recursive);
        // A large tree takes a moment: every folder in it is watched by itself.
        let begun = tokio::task::spawn_blocking(move || {
            paths
                .iter()
                .map(|path| workspace.watch(&cx, path, recursive, &clock))
                .collect::<Result<Vec<_>, _>>()
        });
        let begun = begun.await.map_err(|error| ToolError::internal(error.to_string()))?;
        let watches = begun.map_err(|error| match error.code {
            ErrorCode::NotFound => {
                error.with_hint("Watch the folder where it will be, with its name under patterns.")
            }
            _ => error,
        })?;
        Ok(Arc::new(Watched {
            watches,
            paths: args.paths.clone(),
            patterns,
            events: args.events.clone(),
            settle: Duration::from_millis(args.debounce_ms),
        }))
    }

    /// Waits until something that was asked for has changed and settled, or the time is over.
    async fn wait(&self, watched: &Watched, args: &Args, cx: &CallContext) -> Result<(), ToolError> {
        tokio::select! {
            () = watched.settled() => Ok(()),
            () = self.clock.sleep(Duration::from_secs(args.timeout_seconds)) => Ok(()),
            () = cx.cancel().cancelled() => {
                Err(ToolError::new(ErrorCode::Cancelled, "the wait was cancelled"))
            }
        }
    }

    fn find(&self, args: &Args, session: &str) -> Result<Arc<Watched>, ToolError> {
        let Some(id) = &args.id else {
            return Err(ToolError::invalid("pass the id that start returned"));
        };
        let all = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&(session.to_owned(), id.clone())).cloned().ok_or_else(|| {
            ToolError::not_found(format!("there is no watch '{id}'")).with_hint("See action list.")
        })
    }
}

fn told(watched: &Watched, args: &Args, id: Option<String>, active: bool) -> Output {
    let (events, dropped) = watched.take(args.max_events);
    let note = (dropped > 0)
        .then(|| "Some changes were too many to keep; look at the files themselves.".to_owned())
        .or_else(|| watched.note());
    Output { id, events: Some(events), dropped: Some(dropped), active, note, ..Output::default() }
}

fn yes() -> bool {
    true
}

fn default_debounce() -> u64 {
    200
}

fn default_timeout() -> u64 {
    30
}

fn default_events() -> usize {
    200
}

register_tool!(FileWatch);
