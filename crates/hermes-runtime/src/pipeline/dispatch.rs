//! The steps in order. A failure at any step is an outcome, never a panic and never a missing answer.

use std::sync::Arc;
use std::time::Duration;

use hermes_core::{
    Access, CallContext, Effect, ErrorCode, Parallel, Permission, Permit, Prepared, Target, ToolCall,
    ToolError, ToolOutcome,
};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::arguments::{coerce_and_validate, with_example};
use super::authorise::{permit, prepare};
use super::close::close;
use super::footprint::Footprint;
use super::gate::Passage;
use super::guards::ask_guards;
use super::handles::{Resolved, resolve};
use super::lookup::lookup;
use super::own_session::OwnSession;
use super::record::{Named, Record};
use super::run::run;
use super::several::{call_several, several};
use super::unwrap::{unwrap, unwrap_owned};
use crate::catalog::{Catalog, Listed};
use crate::hooks::{HookCall, ask_transformer, tell_observer};
use crate::lifecycle;
use crate::session::Session;

/// A call on its way: what is known of it so far.
pub(super) struct Progress {
    call_id: String,
    tool: String,
    notes: Vec<String>,
    record: Option<Record>,
    /// How much of the result the model may see.
    pub(super) limit: usize,
    /// When the handler was entered, if it was.
    started: Option<Instant>,
}

/// A call that may run.
struct Admitted<'a> {
    listed: &'a Listed,
    prepared: Box<dyn Prepared>,
    arguments: Arc<Value>,
    access: Vec<Access>,
    permit: Permit,
}

/// Takes one call through the whole pipeline. Its place at the gate is where it was kept, or else behind all
/// who are there when it is known what the call touches.
pub(crate) async fn dispatch(
    session: &Session,
    call: ToolCall,
    mut place: Option<Passage>,
    cancel: &CancellationToken,
) -> ToolOutcome {
    if let Some(inner) = several(&call, session.runtime().redactor()) {
        // Those inside line up by themselves; they must not wait for the one around them.
        drop(place);
        return call_several(session, call, inner, cancel).await;
    }
    let catalog = session.catalog().await;
    let ToolCall { id, name, arguments } = call;
    let mut progress = Progress {
        call_id: id,
        tool: name,
        notes: Vec::new(),
        record: None,
        limit: session.runtime().settings().result_chars,
        started: None,
    };
    let admitted = tokio::select! {
        biased;
        admitted = admit(session, &catalog, arguments, &mut place, &mut progress) => admitted,
        // A guard or an approver may take its time; the caller need not.
        () = cancel.cancelled() => Err(ToolError::new(ErrorCode::Cancelled, "cancelled before it ran")),
    };
    let result = match admitted {
        Ok(admitted) => execute(session, admitted, place, cancel, &mut progress).await,
        Err(error) => {
            drop(place);
            Err(error)
        }
    };
    close(session, progress, result).await
}

/// Everything before the handler: find, repair, validate, guard, judge.
async fn admit<'a>(
    session: &Session,
    catalog: &'a Catalog,
    arguments: Value,
    place: &mut Option<Passage>,
    progress: &mut Progress,
) -> Result<Admitted<'a>, ToolError> {
    let redactor = session.runtime().redactor();
    let unwrapped = unwrap_owned(&mut progress.tool, arguments, redactor)?;
    progress.notes = unwrapped.notes;
    let found = lookup(catalog, &progress.tool, redactor)?;
    let (listed, info) = (found.listed, found.listed.entry.info());
    progress.tool.clone_from(&info.name);
    progress.notes.extend(found.note);
    progress.limit = session.runtime().result_limit(info);

    let mut arguments = unwrapped.arguments;
    let mut handles = Resolved::default();
    if !info.raw_handles {
        handles = resolve(session, &mut arguments).await?;
        progress.notes.append(&mut handles.notes);
    }
    let repaired = coerce_and_validate(&listed.entry, &mut arguments, redactor);
    progress.notes.extend(repaired.map_err(|error| handles.point_to_parts(error))?);
    let guarded = ask_guards(session, listed, &progress.call_id, &mut arguments).await?;
    progress.notes.extend(guarded.notes);
    if let Some(answer) = session.repeats().answer(&info.name, &arguments) {
        return Err(answer);
    }

    let ready = prepare(session, listed, &arguments).await;
    let ready = ready.map_err(|error| with_example(error, &listed.entry, &arguments))?;
    if let Some(place) = place {
        // Before anybody is asked: only those who touch the same wait for the answer.
        place.tell(Footprint::of(info.parallel, &ready.access));
    }
    let touched = (ready.access.as_slice(), ready.shell.as_deref());
    let asked = permit(session, listed, &progress.call_id, &arguments, touched, guarded.ask).await;
    if session.runtime().journal().is_some() {
        let decision = match &asked {
            Ok(permit) => permit.decision().clone(),
            Err(refusal) => refusal.decision.clone(),
        };
        let named = Named { name: &info.name, secret_arguments: &info.secret_arguments };
        let record = Record::new(session, &progress.call_id, named, &arguments, &ready.access, decision);
        progress.record = Some(record);
    }
    let permit = asked.map_err(|refusal| refusal.error)?;
    let arguments = Arc::new(arguments);
    Ok(Admitted { listed, prepared: ready.prepared, arguments, access: ready.access, permit })
}

/// Waits for its turn, records the decision where an effect may follow, and runs the handler.
async fn execute(
    session: &Session,
    admitted: Admitted<'_>,
    place: Option<Passage>,
    cancel: &CancellationToken,
    progress: &mut Progress,
) -> Result<Value, ToolError> {
    let Admitted { listed, prepared, arguments, access, permit } = admitted;
    let info = listed.entry.info();
    let runtime = session.runtime();
    let waiting = async {
        let arrive = || session.gate().arrive(Footprint::of(info.parallel, &access));
        let mut passage = place.unwrap_or_else(arrive);
        passage.turn().await;
        // Looked at again: the same call may have failed while this one waited.
        let attempt = match may_fail_alike(&access) {
            true => session.repeats().attempt(&info.name, &arguments).await?,
            false => session.repeats().answer(&info.name, &arguments).map_or(Ok(None), Err)?,
        };
        let place = runtime.admission().enter(session.id()).await?;
        let stay = lifecycle::enter(&listed.entry).await?;
        Ok((passage, place, stay, attempt))
    };
    // Most calls need not wait; only the others listen for a cancellation meanwhile.
    let held = match cancel.is_cancelled() {
        true => None,
        false => tokio::select! {
            biased;
            held = waiting => Some(held?),
            () = cancel.cancelled() => None,
        },
    };
    let Some(_held) = held else {
        let text = format!("'{}' was cancelled before it ran", info.name);
        return Err(ToolError::new(ErrorCode::Cancelled, text));
    };
    if let (Some(journal), Some(record)) = (runtime.journal(), &mut progress.record)
        && info.effect >= Effect::Session
    {
        record.decide(&**journal).await?;
    }

    let time = runtime.timeout_of(info);
    let cx = CallContext::new(
        Arc::from(progress.call_id.as_str()),
        Arc::clone(session.identity()),
        permit,
        cancel.child_token(),
        Arc::clone(&session.options().ports),
    )
    .in_turn(session.turn())
    .bounded(runtime.result_limit(info))
    .limited(time)
    .within(Arc::new(OwnSession::of(session, listed, &progress.call_id, &arguments)));
    progress.started = Some(Instant::now());
    let result = run(prepared, cx, info, time).await;
    let result = result.map_err(|error| with_example(error, &listed.entry, &arguments));
    session.repeats().observe(&info.name, info.effect, &arguments, result.as_ref().err());
    if result.is_ok() {
        runtime.search().used(session.id(), info);
    }
    if runtime.hooks().is_empty() {
        return result;
    }
    after_hooks(session, listed, &arguments, result, progress).await
}

/// Calls that touch the same files fail by the same cause. What others do, such as a server, may take its time side by
/// side, and code may call the very tool it runs in, and would wait for itself.
fn may_fail_alike(access: &[Access]) -> bool {
    let is_file = |access: &Access| matches!(access.target, Target::Resolved(_) | Target::Path(_));
    !access.is_empty() && access.iter().all(is_file) && !runs_code(access)
}

fn runs_code(access: &[Access]) -> bool {
    access.iter().any(|access| access.permission == Permission::CODE_EXECUTE)
}

/// Tells observers what happened, then lets transformers replace what the model sees of it.
async fn after_hooks(
    session: &Session,
    listed: &Listed,
    arguments: &Value,
    result: Result<Value, ToolError>,
    progress: &Progress,
) -> Result<Value, ToolError> {
    let info = listed.entry.info();
    let call = HookCall {
        call_id: &progress.call_id,
        tool: &info.name,
        toolset: &info.toolset,
        arguments,
        session: session.id(),
        cwd: &session.identity().cwd,
    };
    let mut outcome = progress.snapshot(result);
    for hook in session.runtime().hooks().matching(info) {
        tell_observer(&**hook, &call, &outcome).await?;
        if let Ok(value) = &outcome.result
            && let Some(replacement) = ask_transformer(&**hook, &call, value).await?
        {
            outcome.result = Ok(replacement);
        }
    }
    outcome.result
}

impl Progress {
    /// The outcome as it stands, for hooks to look at.
    fn snapshot(&self, result: Result<Value, ToolError>) -> ToolOutcome {
        ToolOutcome {
            call_id: self.call_id.clone(),
            tool: self.tool.clone(),
            result,
            notes: self.notes.clone(),
            duration: self.duration(),
            ran: self.started.is_some(),
            inner: Vec::new(),
        }
    }

    pub(super) fn finish(self, result: Result<Value, ToolError>) -> (ToolOutcome, Option<Record>) {
        let (duration, ran) = (self.duration(), self.started.is_some());
        let Progress { call_id, tool, notes, record, .. } = self;
        (ToolOutcome { call_id, tool, result, notes, duration, ran, inner: Vec::new() }, record)
    }

    fn duration(&self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }
}

/// What a call would occupy, without running it or asking anyone; `None` if it would not get that far.
pub(crate) async fn peek(session: &Session, catalog: &Catalog, call: &ToolCall) -> Option<Footprint> {
    let redactor = session.runtime().redactor();
    let (name, unwrapped) = unwrap(call, redactor).ok()?;
    let listed = lookup(catalog, &name, redactor).ok()?.listed;
    let (mut arguments, info) = (unwrapped.arguments, listed.entry.info());
    if !info.raw_handles {
        resolve(session, &mut arguments).await.ok()?;
    }
    coerce_and_validate(&listed.entry, &mut arguments, redactor).ok()?;
    let ready = prepare(session, listed, &arguments).await.ok()?;
    let parallel = info.parallel;
    // Nobody knows beforehand what code or another program will touch, so its neighbours in a batch keep their order.
    if runs_code(&ready.access) || parallel == Parallel::Queued {
        return Some(Footprint::Exclusive);
    }
    let guarded = session.runtime().hooks().matching(info).any(|hook| hook.is_guard());
    Some(match Footprint::of(parallel, &ready.access) {
        Footprint::Shared { .. } if guarded => Footprint::Guarded,
        footprint => footprint,
    })
}
