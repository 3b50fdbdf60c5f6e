//! Policies from text and calls to hold against them.

use std::path::Path;
use std::sync::Arc;

use hermes_core::{Access, AccessRequest, Decision, Owner, Permission, Policy, Target, Verdict};
use hermes_policy::profile::{Engine, Ground, Known, Place, Plan, Problem, read_policy};
use serde_json::{Value, json};

pub(crate) const FILE: &str = "hermes_permissions.yaml";

/// A developer's machine.
pub(crate) fn ground() -> Ground {
    Ground {
        home: "/home/ada".into(),
        hermes_home: "/home/ada/.hermes".into(),
        cwd: "/workspace".into(),
        temp: vec!["/tmp".into()],
        ..Ground::default()
    }
}

pub(crate) fn place() -> Place {
    Place { file: Arc::from("config.yaml"), line: 1, column: 1 }
}

pub(crate) fn build(text: &str, profile: &str, ground: &Ground) -> Result<Engine, Vec<Problem>> {
    let known = Known::default();
    let file = read_policy(FILE, text, ground, &known)?;
    let plan = Plan {
        profile,
        chosen_at: place(),
        files: &[file],
        config: None,
        ground,
        commands: Default::default(),
        ledger: None,
    };
    Engine::build(&plan)
}

#[track_caller]
pub(crate) fn engine(text: &str, profile: &str) -> Engine {
    build(text, profile, &ground()).unwrap_or_else(|problems| panic!("{}", lines(&problems)))
}

/// A built-in profile.
#[track_caller]
pub(crate) fn shipped(profile: &str) -> Engine {
    let ground = ground();
    let plan = Plan {
        profile,
        chosen_at: place(),
        files: &[],
        config: None,
        ground: &ground,
        commands: Default::default(),
        ledger: None,
    };
    Engine::build(&plan).unwrap_or_else(|problems| panic!("{}", lines(&problems)))
}

pub(crate) fn lines(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A call with everything a rule can look at.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) toolset: String,
    pub(crate) owner: Owner,
    pub(crate) actor: String,
    pub(crate) access: Vec<Access>,
    pub(crate) arguments: Value,
}

impl Call {
    pub(crate) fn new(access: impl IntoIterator<Item = Access>) -> Self {
        Call {
            tool: "some_tool".into(),
            toolset: "some".into(),
            owner: Owner::BuiltIn,
            actor: "user".into(),
            access: access.into_iter().collect(),
            arguments: json!({}),
        }
    }

    pub(crate) fn tool(mut self, tool: &str) -> Self {
        self.tool = tool.into();
        self
    }

    pub(crate) fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    pub(crate) fn request(&self) -> AccessRequest<'_> {
        AccessRequest {
            call_id: "c1",
            tool: &self.tool,
            toolset: &self.toolset,
            owner: &self.owner,
            session: "s1",
            actor: &self.actor,
            cwd: Path::new("/workspace"),
            shell: None,
            access: &self.access,
            arguments: &self.arguments,
            effects: &[],
        }
    }

    pub(crate) fn decide(&self, policy: &dyn Policy) -> Decision {
        policy.decide(&self.request())
    }
}

/// A permission on nothing in particular.
pub(crate) fn any(permission: &str) -> Access {
    Access::any(Permission::named(permission))
}

pub(crate) fn on_path(permission: &str, path: &str) -> Access {
    Access::new(Permission::named(permission), Target::Resolved(path.into()))
}

pub(crate) fn on_host(host: &str) -> Access {
    Access::new(Permission::NETWORK_FETCH, Target::Host(host.into()))
}

pub(crate) fn command(text: &str) -> Access {
    Access::new(Permission::TERMINAL_EXECUTE, Target::Command(text.into()))
}

#[track_caller]
pub(crate) fn check(policy: &dyn Policy, access: Access, expected: Verdict) -> Decision {
    let shown = access.to_string();
    let decision = Call::new([access]).decide(policy);
    assert_eq!(decision.verdict, expected, "{shown}: {decision:?}");
    decision
}
