//! `hermes grants`: what was approved for longer than once, seen and taken back.

use clap::{ArgGroup, Args, Subcommand};
use hermes_core::Permission;
use hermes_core::grant::{Grant, NewGrant, Pattern, Scope};
use hermes_core::text::visible;
use hermes_host::state::{GrantLedger, Revoked, StateOptions};
use serde_json::{Value, json};

use super::grant_pattern::{falls_short, pattern, places};
use super::people::{told_by, when};
use crate::app::{Allowlist, App, Surroundings, duration};
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, one_line, print_json, print_text, warn};

#[derive(Subcommand, Debug)]
pub(crate) enum GrantsCommand {
    /// List what is granted, and by whom
    List {
        /// Also what has ended: revoked, expired, used up
        #[arg(long)]
        all: bool,
    },
    /// Grant something beforehand
    Add(Box<AddArgs>),
    /// Take grants back; running processes see it at their next call
    Revoke {
        /// Ids, or the beginnings of ids
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
    /// Forget grants that have ended
    Prune,
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true))]
#[command(group = ArgGroup::new("where").multiple(false))]
pub(crate) struct AddArgs {
    /// The tool it is for
    #[arg(long, value_name = "NAME")]
    tool: String,
    /// Exactly this command, letter for letter
    #[arg(long, value_name = "TEXT", group = "what")]
    pub(super) command: Option<String>,
    /// Simple commands that begin with these words; never shells, interpreters or launchers
    #[arg(long, value_name = "WORDS", group = "what")]
    pub(super) prefix: Option<String>,
    /// Calls that touch only paths that match: * and ? within a name, ** for folders
    #[arg(long, value_name = "GLOB", group = "what")]
    pub(super) path: Option<String>,
    /// Calls that reach only this host
    #[arg(long, value_name = "HOST", group = "what")]
    pub(super) host: Option<String>,
    /// The very call with this digest, as a refusal names it
    #[arg(long, value_name = "DIGEST", group = "what")]
    pub(super) call: Option<String>,
    /// Only in this session
    #[arg(long, value_name = "NAME", group = "where")]
    session: Option<String>,
    /// Only in this folder [default]
    #[arg(long, group = "where")]
    project: bool,
    /// In every folder and session
    #[arg(long, group = "where")]
    always: bool,
    /// At most so many times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    times: Option<u64>,
    /// For so long, such as 10m, 2h or 7d
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    lifetime: Option<i64>,
    /// Who may use it; '*' is anybody
    #[arg(long, value_name = "NAME", default_value = "user")]
    actor: String,
    /// Only for calls that need nothing but this permission
    #[arg(long, value_name = "PERMISSION")]
    permission: Option<String>,
    /// Why, for those who look later
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
}

pub(crate) async fn run(
    command: GrantsCommand,
    surroundings: Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let exists = surroundings.home.state_db().exists();
    match command {
        GrantsCommand::Add(args) => return add(*args, surroundings, json, style).await,
        GrantsCommand::List { all } => {
            let grants = if exists { open(&surroundings)?.all()? } else { Vec::new() };
            list(&grants, all, &surroundings, json, style)?;
            for id in if exists { open(&surroundings)?.strange()? } else { Vec::new() } {
                let text =
                    format!("{id} was not written by this version; it grants nothing and can be revoked");
                warn(style, "note:", &text);
            }
        }
        GrantsCommand::Revoke { ids } => return revoke(&ids, &surroundings, style),
        GrantsCommand::Prune => {
            let gone = if exists { open(&surroundings)?.prune()? } else { 0 };
            match json {
                true => print_json(&json!({ "forgotten": gone }))?,
                false => print_text(&format!("{gone} grants that had ended are forgotten\n"))?,
            }
        }
    }
    Ok(exit::OK)
}

fn open(surroundings: &Surroundings) -> Result<GrantLedger, Failure> {
    Ok(GrantLedger::open(&surroundings.home, &StateOptions::default())?)
}

async fn add(args: AddArgs, surroundings: Surroundings, json: bool, style: Style) -> Result<u8, Failure> {
    let (pattern, mut files) = pattern(&args, &surroundings)?;
    if let Some(unknown) = args.permission.as_deref().filter(|name| !Permission::is_known(name)) {
        return Err(Failure::usage(format!("there is no permission '{unknown}'")));
    }
    let scope = match &args.session {
        Some(session) => Scope::Session(session.clone()),
        None if args.always => Scope::Always,
        None => Scope::Project(surroundings.cwd.clone()),
    };
    let falls_short = falls_short(&pattern, &surroundings)?;
    let created_by = told_by(&surroundings);
    let ledger = open(&surroundings)?;
    let app = App::for_looking(surroundings).await?;
    let registered = app.runtime.registry().snapshot();
    let known = registered.canonical(&args.tool);
    let tool = known.unwrap_or(&args.tool).to_owned();
    files.extend(places(&pattern, &tool, &app));
    let grant = ledger.add(&NewGrant {
        created_by,
        tool,
        permission: args.permission.map(Permission::named),
        pattern,
        files,
        scope,
        actor: (args.actor != "*").then_some(args.actor),
        uses: args.times,
        lifetime_ms: args.lifetime,
        reason: args.reason,
    })?;
    if known.is_none() {
        warn(style, "note:", &format!("no tool is called '{}' now; the grant waits for one", args.tool));
    }
    if let Some(beyond) = falls_short {
        let text = format!("it does not cover a command that does more, such as `{beyond}`; that still asks");
        warn(style, "note:", &text);
    }
    match json {
        true => print_json(&grant)?,
        false => print_text(&format!("{} {}\n", style.good("granted"), describe(&grant, ledger.now_ms())))?,
    }
    Ok(exit::OK)
}

fn revoke(ids: &[String], surroundings: &Surroundings, style: Style) -> Result<u8, Failure> {
    let (ledger, allowlist) = (open(surroundings)?, Allowlist::of(surroundings));
    let mut unknown = Vec::new();
    for id in ids {
        if let Some(allowed) = allowlist.remove(id)? {
            let what = Pattern::Command(allowed.command).to_string();
            print_text(&format!("{} {} {}\n", style.good("revoked"), allowed.id, one_line(&what)))?;
            continue;
        }
        match ledger.revoke(id)? {
            Revoked::Done(grant) => {
                print_text(&format!("{} {}\n", style.good("revoked"), describe(&grant, ledger.now_ms())))?;
            }
            Revoked::Before(grant) => print_text(&format!("{} had ended before\n", grant.id))?,
            Revoked::Strange(id) => print_text(&format!("{} {id}\n", style.good("revoked")))?,
            Revoked::Unknown => unknown.push(id.as_str()),
        }
    }
    match unknown.as_slice() {
        [] => Ok(exit::OK),
        ids => Err(Failure::not_found(format!("there is no grant {}", ids.join(", ")))
            .with_hint("'hermes grants list --all' shows every id.")),
    }
}

fn list(
    grants: &[Grant],
    all: bool,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<(), Failure> {
    let now = hermes_host::Clock::system().now_ms();
    let shown: Vec<&Grant> = grants.iter().filter(|grant| all || grant.is_live(now)).collect();
    let allowlist = Allowlist::of(surroundings).entries();
    if json {
        let stored = shown.iter().map(|grant| {
            let mut row = json!(grant);
            row.as_object_mut().map(|fields| fields.insert("state".to_owned(), state(grant, now).into()));
            row
        });
        let configured = allowlist.iter().map(|allowed| {
            json!({"id": allowed.id, "pattern": {"command": allowed.command}, "scope": "always", "created_by": "command_allowlist", "state": "live"})
        });
        return print_json(&stored.chain(configured).collect::<Vec<Value>>());
    }
    if shown.is_empty() && allowlist.is_empty() {
        return print_text("Nothing is granted: whatever needs approval asks.\n");
    }
    let mut table = Table::new(&["ID", "TOOL", "WHAT", "WHERE", "WHO", "LEFT", "ENDS", "STATE"]);
    for grant in shown {
        let state = state(grant, now);
        table.row(vec![
            grant.id.clone(),
            visible(&grant.tool),
            one_line(&grant.pattern.to_string()),
            one_line(&grant.scope.to_string()),
            grant.actor.as_deref().map_or_else(|| "anybody".to_owned(), one_line),
            grant.uses_left.map_or_else(|| "any number".to_owned(), |left| left.to_string()),
            grant.expires_ms.map_or_else(|| "never".to_owned(), when),
            if state == "live" { style.good(state) } else { style.dim(state) },
        ]);
    }
    for allowed in allowlist {
        let what = Pattern::Command(allowed.command).to_string();
        let cells = [&allowed.id, "any", &one_line(&what), "everywhere", "anybody", "any number", "never"];
        table.row(cells.map(str::to_owned).into_iter().chain([style.good("live")]).collect());
    }
    print_text(&table.render(style))
}

fn state(grant: &Grant, now: i64) -> &'static str {
    match grant {
        _ if grant.is_live(now) => "live",
        Grant { revoked_ms: Some(_), .. } => "revoked",
        Grant { uses_left: Some(0), .. } => "used up",
        _ => "expired",
    }
}

/// The whole rule in one line.
pub(super) fn describe(grant: &Grant, now: i64) -> String {
    let who = grant.actor.as_deref().unwrap_or("anybody");
    let times = match grant.uses_left {
        None => String::new(),
        Some(1) => ", once".to_owned(),
        Some(left) => format!(", {left} times"),
    };
    let until = grant.expires_ms.map(|at| format!(", for {}", duration::show(at - now))).unwrap_or_default();
    one_line(&format!(
        "{} {}: {}, by {who}, {}{times}{until}",
        grant.id, grant.tool, grant.pattern, grant.scope
    ))
}
