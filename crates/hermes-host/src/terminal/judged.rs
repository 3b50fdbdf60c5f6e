//! Whether a command may run where and as it really would, and behind which walls.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hermes_core::{Access, CallContext, Permission, Target, ToolError, Verdict};

use super::door::Inner;
use super::job::Command;
use super::state::ShellState;
use super::walls::{Ground, Walls, walls};
use super::{environment, quote};
use crate::places::Vacant;

/// How long the rules are taken as read: asking them about every entry of the home folder takes longer than most
/// commands.
const WALLS_STAND: Duration = Duration::from_secs(1);

/// The walls around commands, and since when they are known.
pub(super) type Remembered = (Instant, Option<Walls>);

impl Inner {
    /// The call was judged as if its command ran where the shell stood then, with nothing exported. Where that is
    /// not so, the command is judged again as what it really is. Where somebody was asked about it, this time or that,
    /// and agreed, returns what it was seen to do then: what its names lead to by now may be something else.
    pub(super) async fn judge_in_place(
        &self,
        command: &Command,
        state: &ShellState,
        cwd: &Path,
        cx: &CallContext,
    ) -> Result<Option<Vec<Access>>, ToolError> {
        let is_approved = cx.permit().is_approved();
        let cwd = &*self.seen_from_here(cwd, cx);
        let mut before = Vec::new();
        let rules = cx.conversation()?;
        let changed = state.changed.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        // What the shell exported was judged when it was; what comes with this command never was.
        let given: Vec<String> = command.env.iter().map(assignment).collect();
        let given_matters = !given.is_empty() && rules.verdict(&running(given.join("; "))) != Verdict::Allow;
        let is_given = |name: &str| given_matters && command.env.contains_key(name);
        let told = changed.chain(&command.env);
        let told = told.filter(|(name, _)| is_given(name) || environment::mentions(&command.line, name));
        before.extend(told.map(assignment));
        let shell = cx.permit().shell().unwrap_or(cx.cwd());
        let judged = command.workdir.as_ref().map_or(shell.to_owned(), |own| shell.join(self.expanded(own)));
        let is_known = cwd == judged || judged.canonicalize().is_ok_and(|judged| judged == cwd);
        let was_judged = before.is_empty() && is_known;
        if cwd != cx.cwd() {
            before.push(format!("cd {}", quote::quoted_text(&cwd.display().to_string())));
        }
        before.push(command.line.clone());
        let line = before.join("; ");
        let agreed = || cx.permit().effects().to_vec();
        if was_judged {
            return Ok(is_approved.then(agreed));
        }
        // Before it is judged: what nobody looked at stays shut.
        let effects = if is_approved { rules.effects(&line) } else { Vec::new() };
        let access = running(line);
        if rules.verdict(&access) != Verdict::Allow {
            let permit = rules.authorise(vec![access]).await?;
            if permit.is_approved() {
                return Ok(Some(permit.effects().to_vec()));
            }
        }
        let agreed = agreed();
        let is_open = |effect: &Access| agreed.contains(effect) || rules.verdict(effect) == Verdict::Allow;
        Ok(is_approved.then(|| effects.into_iter().filter(is_open).collect()))
    }

    /// The walls around a command; `agreed` is what one does that somebody was asked about.
    pub(super) fn walls(
        &self,
        agreed: Option<&[Access]>,
        cx: &CallContext,
    ) -> Result<Option<Walls>, ToolError> {
        if self.is_local() { self.walls_here(agreed, cx) } else { Ok(None) }
    }

    /// The same on this machine, wherever commands run.
    pub(super) fn walls_here(
        &self,
        agreed: Option<&[Access]>,
        cx: &CallContext,
    ) -> Result<Option<Walls>, ToolError> {
        let rules = &**cx.conversation()?;
        let ground = Ground {
            workspace: cx.cwd(),
            user_home: &self.user_home,
            hermes_home: &self.hermes_home,
            tmpdir: self.env.get("TMPDIR"),
            attended: cx.session().actor == "user",
        };
        if agreed.is_some() {
            let walls = walls(&ground, &self.settings.sandbox, rules, agreed);
            return Ok(walls);
        }
        let key = (cx.session().id.clone(), cx.session().actor.clone());
        // What has come to be there since is protected like what was there before.
        let known_vacant =
            |walls: &Option<Walls>| walls.as_ref()?.confinement.vacant.as_ref().map(Vacant::newcomers);
        if let Some(walls) = self.remembered(&key)
            && known_vacant(&walls).is_none_or(|new| new.is_empty())
        {
            return Ok(walls);
        }
        let walls = walls(&ground, &self.settings.sandbox, rules, None);
        self.known_walls().insert(key, (Instant::now(), walls.clone()));
        Ok(walls)
    }

    fn remembered(&self, key: &(String, String)) -> Option<Option<Walls>> {
        let mut known = self.known_walls();
        known.retain(|_, (made, _)| made.elapsed() < WALLS_STAND);
        known.get(key).map(|(_, walls)| walls.clone())
    }

    /// Nobody asks the rules or the disk meanwhile: the other sessions wait.
    fn known_walls(&self) -> MutexGuard<'_, HashMap<(String, String), Remembered>> {
        self.known_walls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn assignment((name, value): (&String, &String)) -> String {
    format!("{name}={}", quote::quoted_text(value))
}

fn running(line: String) -> Access {
    Access::new(Permission::TERMINAL_EXECUTE, Target::Command(line))
}
