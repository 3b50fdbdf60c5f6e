//! The approver that the configuration asks for.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hermes_core::ports::SessionState;
use hermes_host::state::{GrantLedger, PendingApprovals, StateOptions};
use hermes_runtime::Runtime;

use super::allowlist::Allowlist;
use super::asked::Gatherer;
use super::hooks::ApprovalHooks;
use super::judge::Judge;
use super::ledger::LedgerApprover;
use super::prompt::Prompt;
use super::queue::Queue;
use super::smart::{self, Smart};
use super::smart_model::Model;
use super::smart_program::Reviewer;
use crate::app::hooks::ProgramHook;
use crate::app::policy::{dangerous_commands, ground_of};
use crate::app::settings::durability;
use crate::app::surroundings::Surroundings;
use crate::app::trust::TrustStore;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style};

pub(crate) fn approver(
    surroundings: &Surroundings,
    runtime: &Arc<Runtime>,
    session_state: Option<Arc<dyn SessionState>>,
    hooks: Vec<ProgramHook>,
) -> Result<LedgerApprover, Failure> {
    let config = &surroundings.config().approvals;
    let home = surroundings.home.clone();
    let options = StateOptions { durability: durability(surroundings.config()), ..StateOptions::default() };
    let timeout = Duration::from_secs(config.timeout_seconds);
    let user_home = surroundings.host.env.get("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let style = Style::for_stderr(ColorChoice::Auto);
    let smart = smart(surroundings)?;
    let questions = (home.clone(), options.clone());
    let (tools, registry) = (Arc::clone(runtime), Arc::clone(runtime));
    let judge = Judge::new(ground_of(surroundings), dangerous_commands(surroundings)?);
    Ok(LedgerApprover {
        gatherer: Gatherer { session_state, judge, redactor: runtime.redactor().clone(), user_home },
        open: Arc::new(move || GrantLedger::open(&home, &options)),
        ledger: OnceLock::new(),
        allowlist: Allowlist::of(surroundings),
        smart,
        hooks: ApprovalHooks { hooks, tools: Some(registry) },
        mode: config.mode,
        may_prompt: AtomicBool::new(true),
        prompt: Prompt { timeout, style },
        queue: Queue {
            open: Arc::new(move || PendingApprovals::open(&questions.0, &questions.1)),
            timeout,
            style,
            redactor: runtime.redactor().clone(),
            secret_arguments: Arc::new(move |tool| {
                let snapshot = tools.registry().snapshot();
                snapshot.get(tool).map(|entry| entry.info().secret_arguments.clone()).unwrap_or_default()
            }),
        },
        clients: OnceLock::new(),
        turn: tokio::sync::Mutex::new(()),
        run: run_name(),
    })
}

/// Different for every run on this machine: the process and the moment it started.
fn run_name() -> String {
    let now = hermes_host::Clock::system().now_ms();
    format!("{}-{now:x}", std::process::id())
}

/// Whoever is configured to answer where little is at stake.
fn smart(surroundings: &Surroundings) -> Result<Option<Smart>, Failure> {
    let config = surroundings.config().approvals.smart.clone();
    let timeout = Duration::from_secs(config.timeout_seconds);
    let host = &surroundings.host;
    let judge = match (&config.model, config.command.is_empty()) {
        (None, true) => return Ok(None),
        (Some(_), false) => {
            let both = "approvals.smart names a program and a model; one of them can answer";
            return Err(
                Failure::usage(both).with_hint("Remove approvals.smart.command or approvals.smart.model.")
            );
        }
        (Some(model), true) => smart::Judge::Model(Model {
            config: model.clone(),
            timeout,
            http: host.http.clone(),
            keys: host.keys.clone(),
        }),
        (None, false) => smart::Judge::Program(Reviewer {
            command: config.command.clone(),
            timeout,
            env: host.env.clone(),
            trusted: TrustStore::of(&surroundings.home).digests()?.into_iter().collect(),
        }),
    };
    Ok(Some(Smart { config, judge }))
}
