//! `hermes approvals`: questions of runs that wait, answered from here.

use clap::{ArgGroup, Args, Subcommand};
use hermes_core::grant::Pattern;
use hermes_core::text::visible;
use hermes_host::state::{ApprovalState, PendingApproval, PendingApprovals, StateOptions};
use serde_json::Value;

use super::grants::describe;
use super::people::{told_by, when};
use crate::app::{
    Allowlist, Reach, SMART_EVENT, Subject, Surroundings, Terms, TrustStore, duration, program_digest,
};
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

#[derive(Subcommand, Debug)]
pub(crate) enum ApprovalsCommand {
    /// List the questions that wait for an answer
    List {
        /// Also those that were answered or have expired
        #[arg(long)]
        all: bool,
    },
    /// Show one question: what would run, what it would do, and why it is asked
    Show {
        /// The question, by the id that 'hermes approvals list' shows
        id: String,
    },
    /// Say yes, for once or for longer
    Approve(ApproveArgs),
    /// Say no
    Deny {
        /// The question, by the id that 'hermes approvals list' shows
        id: String,
        /// What the model is told
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Agree to the configured smart approval program as it is now
    Trust,
    /// Take that agreement back
    Untrust,
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("where").multiple(false))]
pub(crate) struct ApproveArgs {
    /// The question, by the id that 'hermes approvals list' shows
    id: String,
    /// So many times in all, this one included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    times: Option<u64>,
    /// For so long, such as 10m, 2h or 7d
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    lifetime: Option<i64>,
    /// For the session that asks
    #[arg(long, group = "where")]
    session: bool,
    /// For the folder it works in [default with --times and --for]
    #[arg(long, group = "where")]
    project: bool,
    /// For every folder and session
    #[arg(long, group = "where")]
    always: bool,
}

impl ApproveArgs {
    /// How far the yes reaches; `None` is once.
    fn terms(&self) -> Option<Terms> {
        let reach = match (self.session, self.project, self.always) {
            (true, ..) => Some(Reach::Session),
            (_, true, _) => Some(Reach::Project),
            (.., true) => Some(Reach::Always),
            _ => (self.times.is_some() || self.lifetime.is_some()).then_some(Reach::Project),
        };
        reach.map(|reach| Terms { reach, times: self.times, lifetime_ms: self.lifetime })
    }
}

pub(crate) fn run(
    command: ApprovalsCommand,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let exists = surroundings.home.state_db().exists();
    let open = || PendingApprovals::open(&surroundings.home, &StateOptions::default());
    let by = told_by(surroundings);
    match command {
        ApprovalsCommand::List { all } => {
            let found = if exists { open()?.list(all)? } else { Vec::new() };
            if json { print_json(&found)? } else { list(&found, style)? }
        }
        ApprovalsCommand::Show { id } => {
            let record = find(&open()?, &id)?;
            if json { print_json(&record)? } else { show(&record, style)? }
        }
        ApprovalsCommand::Approve(args) => {
            let store = open()?;
            let record = find(&store, &args.id)?;
            approve(&store, &record, args.terms(), (&by, &Allowlist::of(surroundings)), style)?;
        }
        ApprovalsCommand::Deny { id, reason } => {
            let store = open()?;
            let record = store.deny(&find(&store, &id)?.id, &by, reason.as_deref())?;
            print_text(&format!("{} {}\n", style.bad("denied"), title(&record)))?;
        }
        ApprovalsCommand::Trust => trust(surroundings, style)?,
        ApprovalsCommand::Untrust => {
            let known = match smart_digest(surroundings) {
                Some(digest) => TrustStore::of(&surroundings.home).remove(&[digest].into())?,
                None => false,
            };
            print_text(if known { "The program is no longer trusted.\n" } else { "It was not trusted.\n" })?;
        }
    }
    Ok(exit::OK)
}

fn find(store: &PendingApprovals, id: &str) -> Result<PendingApproval, Failure> {
    let missing = || {
        Failure::not_found(format!("there is no approval '{id}'"))
            .with_hint("'hermes approvals list' shows what waits.")
    };
    if id.is_empty() {
        return Err(Failure::usage("an approval is named by its id or the beginning of it")
            .with_hint("'hermes approvals list' shows what waits."));
    }
    store.find(id)?.ok_or_else(missing)
}

fn approve(
    store: &PendingApprovals,
    record: &PendingApproval,
    terms: Option<Terms>,
    (by, allowlist): (&str, &Allowlist),
    style: Style,
) -> Result<(), Failure> {
    let keep = match (terms, &record.offer) {
        (None, _) => None,
        (Some(terms), Some(offer)) => {
            let subject = Subject {
                tool: &record.tool,
                actor: &record.actor,
                session: &offer.session,
                project: &offer.project,
                suggestion: &offer.suggestion,
            };
            let reason = record.request.get("reason").and_then(Value::as_str).unwrap_or_default();
            terms.grant(subject, by, reason)
        }
        (Some(_), None) => {
            return Err(Failure::answer_is_no("this one can be approved for once only")
                .with_hint(format!("'hermes approvals show {}' says why.", record.id)));
        }
    };
    let listed = keep.as_ref().is_some_and(Allowlist::can_hold);
    let (record, stored) = store.approve(&record.id, by, keep.as_ref().filter(|_| !listed))?;
    print_text(&format!("{} {}\n", style.good("approved"), title(&record)))?;
    if let Some(grant) = stored {
        print_text(&format!("{} {}\n", style.good("granted"), describe(&grant, store.now_ms())))?;
    }
    if let Some(allowed) = keep.as_ref().and_then(|new| allowlist.hold(new)) {
        let allowed = allowed?;
        let what = one_line(&Pattern::Command(allowed.command).to_string());
        print_text(&format!("{} {} {what}\n", style.good("granted"), allowed.id))?;
    }
    Ok(())
}

fn title(record: &PendingApproval) -> String {
    one_line(&format!("{} {} for {}, session {}", record.id, record.tool, record.actor, record.session))
}

/// What others wrote, on one line: a line end must not make up rows of its own.
fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}

fn list(records: &[PendingApproval], style: Style) -> Result<(), Failure> {
    if records.is_empty() {
        return print_text("Nothing waits for approval.\n");
    }
    let mut table = Table::new(&["ID", "STATE", "TOOL", "SESSION", "WHO", "EXPIRES", "DOES"]);
    for record in records {
        let effects = record.request.get("effects").and_then(Value::as_array);
        let first = effects.and_then(|effects| effects.first()).and_then(Value::as_str).unwrap_or_default();
        let state = match record.state {
            ApprovalState::Pending => style.warning(record.state.as_str()),
            other => style.dim(other.as_str()),
        };
        table.row(vec![
            record.id.clone(),
            state,
            one_line(&record.tool),
            one_line(&record.session),
            one_line(&record.actor),
            when(record.expires_ms),
            one_line(first),
        ]);
    }
    print_text(&table.render(style))
}

fn show(record: &PendingApproval, style: Style) -> Result<(), Failure> {
    let mut text = format!("{}  {}\n", style.bold(&title(record)), record.state.as_str());
    let mut line = |label: &str, value: &str| {
        text.push_str(&format!("  {} {value}\n", style.dim(&format!("{label:<9}"))))
    };
    line("asked", &when(record.created_ms));
    line("expires", &when(record.expires_ms));
    if let (Some(by), Some(at)) = (&record.decided_by, record.decided_ms) {
        line("answered", &format!("by {} at {}", visible(by), when(at)));
    }
    line("digest", &record.digest);
    let mut fields = record.request.clone();
    let arguments = fields.get_mut("arguments").map(Value::take).unwrap_or_default();
    for name in ["cwd", "rule", "reason", "warning", "once_only", "would_store", "access", "effects"] {
        match fields.get(name) {
            Some(Value::String(value)) => line(name, &visible(value).replace('\n', " ")),
            Some(Value::Array(items)) => {
                items
                    .iter()
                    .filter_map(Value::as_str)
                    .for_each(|item| line(name, &visible(item).replace('\n', " ")));
            }
            _ => {}
        }
    }
    for finding in fields.get("findings").and_then(Value::as_array).into_iter().flatten() {
        let part = |name: &str| finding.get(name).and_then(Value::as_str).map(visible).unwrap_or_default();
        line("risk", &style.bad(&format!("{}: {}", part("category"), part("reason"))));
    }
    text.push_str(&format!("  {}\n", style.dim("arguments")));
    let shown = serde_json::to_string_pretty(&arguments).unwrap_or_default();
    for row in visible(&shown).lines() {
        text.push_str(&format!("    {row}\n"));
    }
    print_text(&text)
}

fn smart_digest(surroundings: &Surroundings) -> Option<String> {
    let command = &surroundings.config().approvals.smart.command;
    (!command.is_empty()).then(|| program_digest(SMART_EVENT, command, &surroundings.host.env))
}

fn trust(surroundings: &Surroundings, style: Style) -> Result<(), Failure> {
    let Some(digest) = smart_digest(surroundings) else {
        return Err(Failure::usage("no smart approval program is configured")
            .with_hint("Set approvals.smart.command; docs/approvals.md shows how."));
    };
    let what = format!("{SMART_EVENT} {}", surroundings.config().approvals.smart.command.join(" "));
    TrustStore::of(&surroundings.home).add(&digest, &what)?;
    print_text(&format!("{} {}\n", style.good("trusted"), visible(&what)))
}
