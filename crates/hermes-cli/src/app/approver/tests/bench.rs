//! An approver in a folder of its own.

use crate::app::approver::allowlist::Allowlist;
use crate::app::approver::asked::Gatherer;
use crate::app::approver::effects::effects;
use crate::app::approver::hooks::ApprovalHooks;
use crate::app::approver::judge::Judge;
use crate::app::approver::ledger::LedgerApprover;
use crate::app::approver::prompt::Prompt;
use crate::app::approver::queue::Queue;
use crate::app::approver::smart::{self, Smart};
use crate::app::approver::smart_program::{EVENT, Reviewer};
use crate::app::approver::view::{Page, page};
use crate::app::hooks::program_digest;
use crate::render::{ColorChoice, Style};
use hermes_core::grant::{NamedFile, NewGrant, Pattern, Scope};
use hermes_core::redact::Redactor;
use hermes_core::{Access, AccessRequest, Approval, Approver, Decision, Owner, Permission, Target, Verdict};
use hermes_host::Env;
use hermes_host::home::Home;
use hermes_host::state::{GrantLedger, PendingApprovals, StateOptions};
use hermes_policy::command::{Class, Effect, EffectKind, Finding, Judgement, Stage, UserRules};
use hermes_runtime::config::{ApprovalMode, SmartApproval};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

/// Deletes ask, formatting disks is never done, everything else is safe.
fn judge(text: &str, _: &[Stage]) -> Judgement {
    let found = |word: &str, class: Class, category: &str| {
        text.find(word).map(|at| Finding {
            class,
            rule: category.into(),
            category: category.into(),
            reason: format!("it runs {word}"),
            span: (at, at + word.len()),
        })
    };
    let findings: Vec<Finding> = [
        found("rm -rf", Class::Ask, "recursive_delete"),
        found("--force", Class::Ask, "force_push"),
        found("mkfs", Class::Deny, "format"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let effects = match text.split_once("rm -rf ") {
        Some((_, target)) => vec![Effect { kind: EffectKind::Deletes, target: target.to_owned() }],
        None => Vec::new(),
    };
    let class = findings.iter().map(|finding| finding.class).max().unwrap_or(Class::Safe);
    Judgement { class, category: None, effects, findings }
}

pub(super) struct Bench {
    folder: TempDir,
    home: Home,
    judge: Judge,
}

impl Bench {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("home"));
        Bench { folder, home, judge: Judge::with(judge) }
    }

    pub(super) fn with_shipped_rules() -> Self {
        Bench { judge: Judge::new(Judge::ground_of_tests(), UserRules::default()), ..Bench::new() }
    }

    pub(super) fn cwd(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn ledger(&self) -> GrantLedger {
        GrantLedger::open(&self.home, &StateOptions::default()).unwrap()
    }

    pub(super) fn questions(&self) -> PendingApprovals {
        PendingApprovals::open(&self.home, &StateOptions::default()).unwrap()
    }

    /// Somebody who may judge recursive deletes.
    pub(super) fn smart(judge: smart::Judge) -> Smart {
        let config =
            SmartApproval { categories: vec!["recursive_delete".into()], ..SmartApproval::default() };
        Smart { config, judge }
    }

    pub(super) fn approver(&self, mode: ApprovalMode, smart: Option<&str>) -> LedgerApprover {
        let (one, other) = (self.home.clone(), self.home.clone());
        let env: Env = [("PATH".to_owned(), std::env::var("PATH").unwrap())].into_iter().collect();
        let smart = smart.map(|script| {
            let command: Vec<String> = ["sh", "-c", script].map(str::to_owned).to_vec();
            let trusted = BTreeSet::from([program_digest(EVENT, &command, &env)]);
            let timeout = Duration::from_secs(1);
            Self::smart(smart::Judge::Program(Reviewer { command, timeout, env: env.clone(), trusted }))
        });
        let (timeout, style) = (Duration::from_millis(800), Style::for_stderr(ColorChoice::Never));
        LedgerApprover {
            gatherer: Gatherer {
                session_state: None,
                judge: self.judge.clone(),
                redactor: Redactor::none(),
                user_home: "/home/u".into(),
            },
            open: Arc::new(move || GrantLedger::open(&one, &StateOptions::default())),
            ledger: OnceLock::new(),
            allowlist: Allowlist::of_commands(&self.home, &["make lint"]),
            smart,
            hooks: ApprovalHooks::default(),
            mode: Some(mode),
            may_prompt: AtomicBool::new(false),
            prompt: Prompt { timeout, style },
            queue: Queue {
                open: Arc::new(move || PendingApprovals::open(&other, &StateOptions::default())),
                timeout,
                style,
                redactor: Redactor::none(),
                secret_arguments: Arc::new(|_| vec!["password".into()]),
            },
            clients: std::sync::OnceLock::new(),
            turn: tokio::sync::Mutex::new(()),
            run: "run".into(),
        }
    }

    pub(super) fn grant(&self, pattern: Pattern) {
        self.grant_with(pattern, Vec::new());
    }

    pub(super) fn grant_with(&self, pattern: Pattern, files: Vec<NamedFile>) {
        let new = NewGrant {
            created_by: "ann".into(),
            tool: "terminal".into(),
            permission: None,
            pattern,
            files,
            scope: Scope::Always,
            actor: None,
            uses: None,
            lifetime_ms: None,
            reason: String::new(),
        };
        self.ledger().add(&new).unwrap();
    }

    pub(super) async fn ask(&self, approver: &LedgerApprover, command: &str) -> Approval {
        let call = Call::new(command);
        approver
            .ask(&call.request(self.cwd()), &Decision::new(Verdict::Ask, "test: command analysis", "it asks"))
            .await
    }

    /// The question as the person at the terminal sees it.
    pub(super) async fn page(&self, command: &str, warning: Option<&str>) -> Page {
        self.render(command, Path::new("/w"), warning).await
    }

    pub(super) async fn page_in(&self, command: &str, cwd: &Path) -> Page {
        self.render(command, cwd, None).await
    }

    async fn render(&self, command: &str, cwd: &Path, warning: Option<&str>) -> Page {
        let (call, decision) = (Call::new(command), Decision::new(Verdict::Ask, "test", "it asks"));
        let (approver, request) = (self.approver(ApprovalMode::Deny, None), call.request(cwd));
        let mut asked = approver.gatherer.gather(&request, &decision, "s".into()).await.unwrap();
        asked.effects = effects(asked.judgement.as_ref(), request.access, request.cwd);
        asked.warning = warning.map(str::to_owned);
        page(&asked, false, Style::for_stderr(ColorChoice::Never))
    }
}

struct Call {
    arguments: Value,
    access: [Access; 1],
}

impl Call {
    fn new(command: &str) -> Self {
        let access = [Access::new(Permission::TERMINAL_EXECUTE, Target::Command(command.into()))];
        Call { arguments: json!({"command": command, "password": null}), access }
    }

    fn request<'a>(&'a self, cwd: &'a Path) -> AccessRequest<'a> {
        AccessRequest {
            call_id: "c",
            tool: "terminal",
            toolset: "terminal",
            owner: &Owner::BuiltIn,
            session: "cli",
            actor: "user",
            cwd,
            shell: None,
            access: &self.access,
            arguments: &self.arguments,
            effects: &[],
        }
    }
}

pub(super) fn granted_by(approval: &Approval) -> Option<&str> {
    if let Approval::Granted { by } = approval { Some(by) } else { None }
}
