//! The approver of the command line: what was granted before needs no question, the rest goes to a person.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;
use hermes_core::grant::{Grant, Pattern, Scope, quoted};
use hermes_core::{AccessRequest, Approval, Approver, Decision, ToolError};
use hermes_host::state::GrantLedger;
use hermes_mcp::Desk;
use hermes_runtime::config::ApprovalMode;

use super::allowlist::Allowlist;
use super::asked::{Asked, Gatherer, blocking};
use super::by_client::ByClient;
use super::effects::{effects, through_links};
use super::hooks::{ApprovalHooks, Said};
use super::nobody::Nobody;
use super::person::{Answer, Person};
use super::prompt::Prompt;
use super::queue::Queue;
use super::smart::{Opinion, Smart};
use super::terminal::is_attended;
use super::terms::Terms;
use crate::render::warn;

/// The session of calls that named none.
pub(crate) const ANONYMOUS: &str = "cli";

/// Asks the ledger, then the configuration, then perhaps a program, then a person.
pub(crate) struct LedgerApprover {
    pub(super) gatherer: Gatherer,
    pub(super) open: Arc<dyn Fn() -> Result<GrantLedger, ToolError> + Send + Sync>,
    /// Opened at the first question: most runs ask none.
    pub(super) ledger: OnceLock<GrantLedger>,
    pub(super) allowlist: Allowlist,
    pub(super) smart: Option<Smart>,
    pub(super) hooks: ApprovalHooks,
    pub(super) mode: Option<ApprovalMode>,
    pub(super) may_prompt: AtomicBool,
    pub(super) prompt: Prompt,
    pub(super) queue: Queue,
    /// Where calls come from clients: they are asked first, and what they cannot be asked waits in the queue.
    pub(super) clients: OnceLock<ByClient>,
    /// One question at a time on one terminal.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// Tells unnamed sessions of different runs apart.
    pub(super) run: String,
}

impl Approver for LedgerApprover {
    fn ask<'a>(&'a self, request: &'a AccessRequest<'a>, decision: &'a Decision) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            self.answer(request, decision).await.unwrap_or_else(|error| {
                self.report(&format!("an approval could not be asked for: {}", whole(&error)));
                Approval::Unanswered { hint: format!("The approval could not be asked for: {error}") }
            })
        })
    }
}

impl LedgerApprover {
    /// From now on the terminal belongs to somebody else.
    pub(crate) fn never_prompt(&self) {
        self.may_prompt.store(false, Ordering::Relaxed);
    }

    /// From now on calls come from clients that stand at this desk.
    pub(crate) fn serve_clients(&self, desk: Desk) {
        self.never_prompt();
        let _ = self.clients.set(ByClient { desk });
    }

    async fn answer(&self, request: &AccessRequest<'_>, decision: &Decision) -> Result<Approval, ToolError> {
        let mut asked = self.gatherer.gather(request, decision, self.session(request.session)).await?;
        if asked.is_beyond_approval() {
            return Ok(Approval::Denied { by: "the rules that no approval overrides".to_owned() });
        }
        if let Some(by) = self.granted(&asked).await {
            return Ok(Approval::Granted { by });
        }
        self.describe(&mut asked).await?;
        let approval = self.decide(&mut asked).await?;
        for failure in self.hooks.tell(&asked, &approval).await {
            self.report(&failure);
        }
        Ok(approval)
    }

    /// Asks whoever may answer: the operator's hooks, smart approval, a person.
    async fn decide(&self, asked: &mut Asked<'_>) -> Result<Approval, ToolError> {
        let (said, failures) = self.hooks.ask(asked).await;
        for failure in failures {
            self.report(&failure);
        }
        match said {
            Said::Approve(by) => return self.grant(asked, by, None).await,
            Said::Deny(by) => return Ok(Approval::Denied { by }),
            Said::Nothing => {}
        }
        if let Some(by) = self.consult(asked).await {
            return self.grant(asked, by, None).await;
        }
        let person = self.person(asked);
        let _turn = if person.is_here { Some(self.turn.lock().await) } else { None };
        // The answer to the question before this one may have answered this one too.
        if person.is_here
            && let Some(by) = self.granted(asked).await
        {
            return Ok(Approval::Granted { by });
        }
        match person.who.put(asked).await {
            Answer::Yes { by, keep } => self.grant(asked, by, keep).await,
            Answer::No { by } => Ok(Approval::Denied { by }),
            Answer::Silence { hint } => Ok(Approval::Unanswered { hint }),
        }
    }

    /// Who said yes to this before, if it still holds; a use of it is taken. A ledger that cannot be read
    /// grants nothing, and a person may still be asked.
    async fn granted(&self, asked: &Asked<'_>) -> Option<String> {
        let used = self.use_grant(asked).await.unwrap_or_else(|error| {
            self.report(&whole(&error));
            None
        });
        match used {
            Some(by) => Some(by),
            None => self.listed(asked).await,
        }
    }

    /// The entry of the allowlist that is this command.
    async fn listed(&self, asked: &Asked<'_>) -> Option<String> {
        asked.command()?;
        let list = self.allowlist.clone();
        let entries = blocking(move || Ok(list.entries())).await.ok()?;
        let found = entries.into_iter().find(|allowed| allows(&allowed.command, asked))?;
        Some(format!("grant {} in command_allowlist of the configuration", found.id))
    }

    async fn use_grant(&self, asked: &Asked<'_>) -> Result<Option<String>, ToolError> {
        // Nobody who granted it could know what it would run now.
        if asked.unsure.is_some() {
            return Ok(None);
        }
        let ledger = self.ledger().await?;
        let (reader, tool) = (ledger.clone(), asked.request.tool.to_owned());
        let grants = blocking(move || reader.live(&tool)).await?;
        let facts = asked.facts(ledger.now_ms());
        for grant in
            grants.into_iter().filter(|grant| grant.covers(&facts) && self.does_no_more(grant, asked))
        {
            let (user, id) = (ledger.clone(), grant.id.clone());
            if blocking(move || user.use_one(&id)).await? {
                return Ok(Some(format!("grant {}, given by {}", grant.id, grant.created_by)));
            }
        }
        Ok(None)
    }

    /// A prefix speaks of its words; what the words after it add must not be of another kind. A pattern of paths
    /// speaks of ordinary files; those that are sensitive must be named.
    fn does_no_more(&self, grant: &Grant, asked: &Asked<'_>) -> bool {
        match (&grant.pattern, asked.command()) {
            (Pattern::Prefix(words), Some(command)) => self.gatherer.judge.does_no_more(
                command,
                &quoted(words),
                &self.gatherer.folder(asked.request),
            ),
            (Pattern::Path(pattern), _) => {
                self.gatherer.judge.names_what_is_sensitive(pattern, asked.request)
            }
            _ => true,
        }
    }

    async fn describe(&self, asked: &mut Asked<'_>) -> Result<(), ToolError> {
        let (judgement, access) = (asked.judgement.clone(), asked.request.access.to_vec());
        let cwd = self.gatherer.folder(asked.request);
        asked.effects = through_links(asked.request.effects, &cwd);
        let others = blocking(move || Ok(effects(judgement.as_ref(), &access, &cwd))).await?;
        asked.effects.extend(others);
        Ok(())
    }

    /// A yes of smart approval, or its warning to the person.
    async fn consult(&self, asked: &mut Asked<'_>) -> Option<String> {
        let smart = self.smart.as_ref().filter(|smart| smart.may_judge(asked))?;
        match smart.ask(asked).await {
            Opinion::Approve(reason) => return Some(format!("smart approval: {reason}")),
            Opinion::Deny(reason) => {
                asked.warning = Some(format!("smart approval advises against it: {reason}"));
            }
            Opinion::Escalate(why) => self.report(&format!("smart approval left it to a person: {why}")),
        }
        None
    }

    /// Makes a yes count: for what was asked and nothing else, and remembered if it is to last.
    async fn grant(&self, asked: &Asked<'_>, by: String, keep: Option<Terms>) -> Result<Approval, ToolError> {
        if self.gatherer.once(asked.request).await? != asked.once {
            let by = "Hermes: what would run has changed since the question was asked".to_owned();
            return Ok(Approval::Denied { by });
        }
        let kept = keep.filter(|_| asked.once_only().is_none());
        let kept = kept.and_then(|terms| terms.grant(asked.subject(), &by, &asked.decision.reason));
        let Some(new) = kept else { return Ok(Approval::Granted { by }) };
        let (ledger, list) = (self.ledger().await?, self.allowlist.clone());
        // A file that only its author should change does not keep the yes from lasting.
        let stored = blocking(move || match list.hold(&new) {
            Some(Ok(allowed)) => Ok(format!("{} in command_allowlist of the configuration", allowed.id)),
            Some(Err(_)) | None => ledger.add(&new).map(|grant| grant.id),
        });
        let by = match stored.await {
            Ok(id) => format!("{by}, stored as grant {id}"),
            // The yes stands for this call; that it will be asked again is said.
            Err(error) => format!("{by}; it could not be stored: {error}"),
        };
        Ok(Approval::Granted { by })
    }

    async fn ledger(&self) -> Result<GrantLedger, ToolError> {
        if let Some(ledger) = self.ledger.get() {
            return Ok(ledger.clone());
        }
        let open = Arc::clone(&self.open);
        let ledger = blocking(move || open()).await?;
        Ok(self.ledger.get_or_init(|| ledger).clone())
    }

    fn session(&self, id: &str) -> String {
        if id == ANONYMOUS { format!("{id}@{}", self.run) } else { id.to_owned() }
    }

    /// Tells the operator; the model hears of it through the answer only.
    fn report(&self, text: &str) {
        warn(self.prompt.style, "note:", text);
    }

    fn person(&self, asked: &Asked<'_>) -> Chosen<'_> {
        let prompt = || self.may_prompt.load(Ordering::Relaxed) && is_attended();
        if let (Some(clients), None | Some(ApprovalMode::Prompt)) = (self.clients.get(), self.mode) {
            if clients.can_ask(asked.request.call_id) {
                return Chosen { who: clients, is_here: false };
            }
            clients.tell_waiting(asked);
            return Chosen { who: &self.queue, is_here: false };
        }
        match self.mode {
            Some(ApprovalMode::Queue) => Chosen { who: &self.queue, is_here: false },
            None | Some(ApprovalMode::Prompt) if prompt() => Chosen { who: &self.prompt, is_here: true },
            None | Some(ApprovalMode::Prompt | ApprovalMode::Deny) => Chosen { who: &Nobody, is_here: false },
        }
    }
}

fn whole(error: &ToolError) -> String {
    let cause = error.operator.as_ref().map(|cause| format!(" ({cause})")).unwrap_or_default();
    format!("{error}{cause}")
}

struct Chosen<'a> {
    who: &'a dyn Person,
    is_here: bool,
}

/// Whether an entry of the allowlist is this command and nothing beside it. An entry is read as a grant
/// without an end that does not look into scripts: whoever can edit the file could edit those too. It speaks of no
/// place that a link leads to and that would be asked about by itself.
fn allows(command: &str, asked: &Asked<'_>) -> bool {
    let entry = Grant {
        id: String::new(),
        created_ms: 0,
        created_by: String::new(),
        tool: asked.request.tool.to_owned(),
        permission: None,
        pattern: Pattern::Command(command.to_owned()),
        files: asked.files.iter().filter(|file| !file.is_led_astray()).cloned().collect(),
        scope: Scope::Always,
        actor: None,
        uses_left: None,
        uses: 0,
        expires_ms: None,
        reason: String::new(),
        revoked_ms: None,
        last_used_ms: None,
    };
    entry.covers(&asked.facts(0))
}
