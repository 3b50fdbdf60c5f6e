//! The judgement of a case: the policy in force decides, as it would for the terminal tool, and the analysis of
//! commands says what the command would do.

use std::path::Path;
use std::sync::Arc;

use hermes_core::ports::PathResolver;
use hermes_core::{Access, AccessRequest, Decision, Owner, Permission, Target, Verdict};
use hermes_policy::command::{Class, Finding, Judgement, UserRules, judge_on};
use hermes_policy::profile::{Engine, Ground};
use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::Toolsets;
use serde_json::json;

use super::setup::Scene;
use crate::app::{PolicyMaker, Surroundings, dangerous_commands, registry, toolsets};
use crate::failure::Failure;

/// The policy where the program was started, for cases that may play elsewhere.
pub(super) struct Judge {
    surroundings: Surroundings,
    registered: Arc<Snapshot>,
    toolsets: Toolsets,
    rules: UserRules,
    /// The engine of the last case, and where it stands; most cases of a file stand on the same ground.
    last: Option<(String, Engine)>,
}

impl Judge {
    pub(super) async fn new(surroundings: Surroundings) -> Result<Self, Failure> {
        let registered = registry(&surroundings).await?.0.snapshot();
        let toolsets = toolsets(surroundings.config())?;
        let rules = dangerous_commands(&surroundings)?;
        Ok(Judge { surroundings, registered, toolsets, rules, last: None })
    }

    pub(super) fn links(&self) -> Arc<dyn PathResolver> {
        Arc::new(self.surroundings.host.workspace.clone())
    }

    pub(super) fn judge(&mut self, command: &str, scene: &Scene) -> Result<Judgement, Failure> {
        let judgement = judge_on(command, &scene.stages(), &self.rules);
        let decision = decided(self.engine(scene)?, command, scene);
        Ok(settled(judgement, &decision, command))
    }

    fn engine(&mut self, scene: &Scene) -> Result<&Engine, Failure> {
        let key = format!("{scene:?}");
        let engine = match self.last.take().filter(|(known, _)| *known == key) {
            Some((_, engine)) => engine,
            None => self.build(scene)?,
        };
        Ok(&self.last.insert((key, engine)).1)
    }

    fn build(&self, scene: &Scene) -> Result<Engine, Failure> {
        // A session works in one folder; others that may be written are as good as scratch.
        let others = scene.roots.iter().skip(1).cloned();
        let temp = scene.ground.temp.iter().cloned().chain(others).collect();
        let ground = Ground { temp, ..scene.ground.clone() };
        let maker = PolicyMaker::on(ground, &self.surroundings, &self.registered, &self.toolsets)?;
        maker.build(&maker.texts()?, None).map_err(|problems| Failure::policy(&problems))
    }
}

fn decided(engine: &Engine, command: &str, scene: &Scene) -> Decision {
    let access = [Access::new(Permission::TERMINAL_EXECUTE, Target::Command(command.to_owned()))];
    let root = scene.roots.first().map_or(scene.cwd.as_path(), |root| root.as_path());
    let shell: Option<&Path> = (root != scene.cwd).then_some(scene.cwd.as_path());
    let request = AccessRequest {
        call_id: "",
        tool: "terminal",
        toolset: "terminal",
        owner: &Owner::BuiltIn,
        session: "",
        actor: "user",
        cwd: root,
        shell,
        access: &access,
        arguments: &json!({"command": command}),
        effects: &[],
    };
    engine.explain(&request).decision
}

/// The judgement with the verdict of the policy; what the analysis did not see is one more finding.
fn settled(mut judgement: Judgement, decision: &Decision, command: &str) -> Judgement {
    let class = match decision.verdict {
        Verdict::Allow => judgement.class.min(Class::Safe),
        Verdict::Ask => Class::Ask,
        Verdict::Deny => Class::Deny,
    };
    if class > judgement.class {
        let category = decision.rule.rsplit_once("path analysis ").map_or("policy", |(_, category)| category);
        judgement.category = Some(category.to_owned());
        let finding = Finding {
            class,
            rule: decision.rule.clone(),
            category: category.to_owned(),
            reason: decision.reason.clone(),
            span: (0, command.len()),
        };
        judgement.findings.insert(0, finding);
    }
    judgement.class = class;
    judgement
}
