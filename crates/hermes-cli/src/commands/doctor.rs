//! `hermes doctor`: is everything in place, and what to do where it is not.

use std::path::Path;

use hermes_core::ErrorCode;
use hermes_host::state::JournalReader;
use hermes_policy::profile::lint;
use hermes_runtime::config::ProjectTrust;
use serde_json::{Value, json};

use super::config::project_state;
use super::config_effect;
use super::setup::{Key, keys};
use crate::app::{App, Surroundings, idle_matchers, project_policy};
use crate::failure::{Failure, exit};
use crate::render::{Style, one_line, print_json, print_text};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Health {
    Good,
    Attention,
    Bad,
}

struct Check {
    name: &'static str,
    health: Health,
    text: String,
}

/// Looks at everything. A configuration that is broken is one of the things that are not in place.
pub(crate) async fn run(
    surroundings: Surroundings,
    broken: Option<Failure>,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let mut checks = Vec::from_iter(broken.map(|failure| bad("configuration", failure)));
    checks.extend([
        home(&surroundings),
        project(&surroundings),
        journal(&surroundings),
        results(&surroundings),
    ]);
    match App::for_looking(surroundings).await {
        Ok(app) => {
            checks.push(policy(&app));
            checks.extend(odd_settings(&app));
            checks.extend(idle_hooks(&app));
            checks.extend(tools(&app).await);
            effect(&app, &mut checks).await;
            checks.extend(odd_keys(&app)?);
        }
        Err(failure) => checks.push(bad("tools", failure)),
    }
    let bad = checks.iter().any(|check| check.health == Health::Bad);
    if json {
        let rows: Vec<Value> = checks
            .iter()
            .map(|check| json!({"check": check.name, "health": word(check.health), "text": check.text}))
            .collect();
        print_json(&json!({"ok": !bad, "checks": rows}))?;
    } else {
        for check in &checks {
            let mark = match check.health {
                Health::Good => style.good("✓"),
                Health::Attention => style.warning("!"),
                Health::Bad => style.bad("✗"),
            };
            print_text(&format!("{mark} {:<12} {}\n", check.name, one_line(&check.text)))?;
        }
    }
    Ok(if bad { exit::TOOL_FAILED } else { exit::OK })
}

fn bad(name: &'static str, failure: Failure) -> Check {
    let text = [Some(failure.message), failure.hint].into_iter().flatten().collect::<Vec<_>>().join(" ");
    Check { name, health: Health::Bad, text }
}

/// Settings that were read as the nearest that makes sense.
fn odd_settings(app: &App) -> impl Iterator<Item = Check> {
    let odd = app.surroundings.loaded.notices.iter();
    odd.map(|odd| Check { name: "config", health: Health::Attention, text: odd.to_string() })
}

/// Hooks that can never run.
fn idle_hooks(app: &App) -> impl Iterator<Item = Check> {
    let registered = app.runtime.registry().snapshot();
    let idle = idle_matchers(app.surroundings.config(), &registered).into_iter();
    idle.map(|text| Check { name: "hooks", health: Health::Attention, text })
}

/// Keys that are missing, for whom and how to get them; and those that would show.
fn odd_keys(app: &App) -> Result<Vec<Check>, Failure> {
    let check = |key: Key| {
        let (name, tools) = (&key.need.name, key.tools.join(", "));
        let text = if key.shows {
            format!("{name} is too short to be hidden in what {tools} answers; get a longer one")
        } else if !key.set && !key.need.optional {
            let place = key.need.url.as_ref().map(|url| format!(", get it at {url}")).unwrap_or_default();
            format!("{name} is missing for {tools}{place}; run: hermes setup")
        } else {
            return None;
        };
        Some(Check { name: "key", health: Health::Attention, text })
    };
    Ok(keys(app)?.into_iter().filter_map(check).collect())
}

fn word(health: Health) -> &'static str {
    match health {
        Health::Good => "good",
        Health::Attention => "attention",
        Health::Bad => "bad",
    }
}

fn home(surroundings: &Surroundings) -> Check {
    let root = surroundings.home.root();
    let (health, text) = match root.metadata() {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            (Health::Bad, format!("{} cannot be used: {error}", root.display()))
        }
        // The first folder above it that is there.
        Err(_) => match root.ancestors().skip(1).find(|above| above.exists()) {
            Some(above) if writable(above) => {
                (Health::Good, format!("{} (made at the first run)", root.display()))
            }
            above => {
                let above = above.unwrap_or(root).display();
                (Health::Bad, format!("{} cannot be made: {above} is not writable", root.display()))
            }
        },
        Ok(meta) if !meta.is_dir() => (Health::Bad, format!("{} is not a folder", root.display())),
        Ok(_) if !writable(root) => (Health::Bad, format!("{} is not writable", root.display())),
        Ok(meta) if open_to_others(&meta) => {
            (Health::Attention, format!("{0} is readable by others; run: chmod 700 {0}", root.display()))
        }
        Ok(_) => (Health::Good, root.display().to_string()),
    };
    Check { name: "home", health, text }
}

fn open_to_others(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o077 != 0
}

/// Asks by doing: permission bits do not tell about read-only mounts and full disks.
fn writable(folder: &Path) -> bool {
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    let written = std::fs::write(&probe, b"x").is_ok();
    let _ = std::fs::remove_file(&probe);
    written
}

fn project(surroundings: &Surroundings) -> Check {
    let trust = &surroundings.project.trust;
    let health = match trust {
        ProjectTrust::Untrusted { .. } => Health::Attention,
        ProjectTrust::Absent | ProjectTrust::Trusted => Health::Good,
    };
    Check { name: "project file", health, text: project_state(trust).to_owned() }
}

/// Which profile is in force, what else is, and what of it does nothing.
fn policy(app: &App) -> Check {
    let name = "policy";
    let maker = app.policy.maker();
    let (profile, at) = maker.profile();
    let mut text = format!("profile {profile} (set by {at})");
    let Ok(texts) = maker.texts() else {
        return Check {
            name,
            health: Health::Bad,
            text: format!("{text}; the policy files cannot be read any more"),
        };
    };
    for file in &texts {
        text.push_str(&format!(", rules of {}", file.path.display()));
    }
    let files = maker.read(&texts).unwrap_or_default();
    let idle =
        files.iter().map(|file| lint(file, &files, maker.ground(), maker.known()).len()).sum::<usize>();
    if idle > 0 {
        text.push_str(&format!("; {idle} without effect, see 'hermes policy lint'"));
    }
    let project = project_policy(&app.surroundings);
    let ignored = project.is_ok_and(|project| matches!(project.trust, ProjectTrust::Untrusted { .. }));
    if ignored {
        text.push_str("; the project's rules are ignored until 'hermes policy trust'");
    }
    Check { name, health: if idle > 0 || ignored { Health::Attention } else { Health::Good }, text }
}

fn journal(surroundings: &Surroundings) -> Check {
    let name = "journal";
    if !surroundings.config().journal.enabled {
        return Check { name, health: Health::Attention, text: "switched off (journal.enabled)".to_owned() };
    }
    let look = |reader: JournalReader| Ok((reader.verify()?, reader.abandoned()?.len()));
    match JournalReader::open(&surroundings.home).and_then(look) {
        Ok((report, 1..)) if report.ok => {
            let text = format!(
                "{} entries, the chain holds; of some calls the outcome is unknown: \
                 hermes journal list --status outcome_unknown",
                report.entries
            );
            Check { name, health: Health::Attention, text }
        }
        Ok((report, _)) if report.ok => {
            Check { name, health: Health::Good, text: format!("{} entries, the chain holds", report.entries) }
        }
        Ok((report, _)) => {
            let text = report.problem.unwrap_or_else(|| "the chain is broken".to_owned());
            Check { name, health: Health::Bad, text }
        }
        Err(error) if error.code == ErrorCode::NotFound => {
            Check { name, health: Health::Good, text: "empty".to_owned() }
        }
        Err(error) => Check { name, health: Health::Bad, text: error.to_string() },
    }
}

fn results(surroundings: &Surroundings) -> Check {
    let folder = surroundings.home.results_dir();
    let bytes = folder_bytes(&folder, 3);
    let text = format!(
        "{:.1} MiB of at most {} MiB",
        bytes as f64 / f64::from(1 << 20),
        surroundings.config().results.max_bytes >> 20
    );
    Check { name: "results", health: Health::Good, text }
}

fn folder_bytes(folder: &Path, depth: usize) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let size = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() && depth > 0 => folder_bytes(&entry.path(), depth - 1),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

async fn tools(app: &App) -> Vec<Check> {
    let catalog = app.session(None).catalog().await;
    let text = format!("{} offered, {} hidden", catalog.tools.len(), catalog.hidden.len());
    let health = if catalog.tools.is_empty() { Health::Attention } else { Health::Good };
    let mut checks = vec![Check { name: "tools", health, text }];
    for (name, hidden) in &catalog.hidden {
        checks.push(Check {
            name: "",
            health: Health::Attention,
            text: format!("{name}: {}", hidden.text()),
        });
    }
    checks
}

/// What `config validate` refuses is not in place, and what it tells of is told.
async fn effect(app: &App, checks: &mut Vec<Check>) {
    match config_effect::check(&app.surroundings, app.surroundings.config()).await {
        Err(failure) => checks.push(bad("config", failure)),
        Ok(idle) => {
            let known: Vec<String> = checks.iter().map(|check| check.text.clone()).collect();
            let idle = idle.into_iter().filter(|text| !known.contains(text));
            checks.extend(idle.map(|text| Check { name: "config", health: Health::Attention, text }));
        }
    }
}
