//! From texts to a policy in force: which levels there are, and in which order.

use std::sync::Arc;

use hermes_core::names::nearest;

use super::answer::LevelKind;
use super::engine::Engine;
use super::ground::Ground;
use super::judged_paths::JudgedPaths;
use super::level::Level;
use super::model::{Body, PolicyFile, Profile};
use super::rate::RateLedger;
use super::shipped::{SHIPPED, read_shipped};
use crate::command::UserRules;
use hermes_core::yaml::{Place, Problem};

/// The built-in profile that is in force where nobody names one.
pub const DEFAULT_PROFILE: &str = "default";

/// What a policy is made of.
pub struct Plan<'a> {
    /// The profile in force, and where its name was given.
    pub profile: &'a str,
    pub chosen_at: Place,
    /// Texts in order of strength: of two profiles with one name the first counts. All their `global` and
    /// `tools` levels hold.
    pub files: &'a [PolicyFile],
    /// One more level, below all others.
    pub config: Option<Arc<Body>>,
    pub ground: &'a Ground,
    /// Commands that the user wants asked about or denied.
    pub commands: UserRules,
    /// Counts calls; without it, calls that a limit speaks of are denied.
    pub ledger: Option<Arc<dyn RateLedger>>,
}

impl Engine {
    /// Puts the levels together, or says why they do not fit.
    pub fn build(plan: &Plan<'_>) -> Result<Engine, Vec<Problem>> {
        let profiles = lineage(plan)?;
        let mut levels = Vec::new();
        for global in plan.files.iter().filter_map(|file| file.global.as_ref()) {
            levels.push(Level::new(LevelKind::Global, "global", global));
        }
        for profile in &profiles {
            let mut level = Level::new(LevelKind::Session, &profile.name, &profile.body);
            // An empty profile allows nothing; one that extends others only takes away.
            level.closed |= profile.extends.is_empty();
            level.at = Some(profile.at.clone());
            levels.push(level);
        }
        let of_files = plan.files.iter().flat_map(|file| &file.tools);
        for tool in of_files.chain(profiles.iter().flat_map(|profile| &profile.tools)) {
            let mut level = Level::new(LevelKind::Tool, &tool.tool.value, &tool.body);
            level.tool = Some(tool.tool.value.clone());
            level.at = Some(tool.tool.at.clone());
            levels.push(level);
        }
        levels.extend(plan.config.as_ref().map(|body| Level::new(LevelKind::Config, "config", body)));
        let unattended = profiles
            .iter()
            .find(|profile| profile.unattended)
            .map(|profile| Arc::from(profile.name.as_str()));
        Ok(Engine {
            profile: Arc::from(plan.profile),
            levels,
            unattended,
            ground: plan.ground.clone(),
            commands: plan.commands.clone(),
            ledger: plan.ledger.clone(),
            judged: JudgedPaths::default(),
        })
    }
}

/// The profile with all that it extends, those first.
pub(super) fn lineage(plan: &Plan<'_>) -> Result<Vec<Arc<Profile>>, Vec<Problem>> {
    let mut walk = Walk::new(plan);
    walk.visit(plan.profile, &plan.chosen_at);
    let mut problems = walk.problems;
    problems.append(&mut walk.circles);
    problems
        .extend(circles(plan).into_iter().filter(|circle| !problems.contains(circle)).collect::<Vec<_>>());
    if problems.is_empty() { Ok(walk.done) } else { Err(problems) }
}

/// Circles anywhere, also among profiles that are not in force: nobody can say what they mean.
fn circles(plan: &Plan<'_>) -> Vec<Problem> {
    let mut found: Vec<Problem> = Vec::new();
    for profile in plan.files.iter().flat_map(|file| &file.profiles) {
        // Each circle is reported where its first profile in the text closes it.
        if found.iter().any(|circle| circle.message.split(" extends ").any(|name| name == profile.name)) {
            continue;
        }
        let mut walk = Walk::new(plan);
        walk.visit(&profile.name, &profile.at);
        found.append(&mut walk.circles);
    }
    found
}

struct Walk<'a> {
    plan: &'a Plan<'a>,
    done: Vec<Arc<Profile>>,
    open: Vec<String>,
    problems: Vec<Problem>,
    circles: Vec<Problem>,
}

impl<'a> Walk<'a> {
    fn new(plan: &'a Plan<'a>) -> Self {
        Walk { plan, done: Vec::new(), open: Vec::new(), problems: Vec::new(), circles: Vec::new() }
    }

    fn visit(&mut self, name: &str, at: &Place) {
        if self.done.iter().any(|profile| profile.name == name) {
            return;
        }
        if self.open.iter().any(|open| open == name) {
            let circle = self.open.join(" extends ");
            self.circles.push(Problem::error(
                at.clone(),
                format!("{circle} extends {name}: profiles go in a circle"),
            ));
            return;
        }
        let profile = match self.find(name) {
            Ok(Some(profile)) => profile,
            Ok(None) => return self.problems.push(unknown(name, at, self.plan.files)),
            Err(problems) => return self.problems.extend(problems),
        };
        self.open.push(name.to_owned());
        for parent in &profile.extends {
            self.visit(&parent.value, &parent.at);
        }
        self.open.pop();
        self.done.push(profile);
    }

    fn find(&self, name: &str) -> Result<Option<Arc<Profile>>, Vec<Problem>> {
        let own = self.plan.files.iter().flat_map(|file| &file.profiles).find(|profile| profile.name == name);
        match own {
            Some(profile) => Ok(Some(Arc::clone(profile))),
            None => read_shipped(name, self.plan.ground),
        }
    }
}

fn unknown(name: &str, at: &Place, files: &[PolicyFile]) -> Problem {
    let own = files.iter().flat_map(|file| &file.profiles).map(|profile| profile.name.as_str());
    let names: Vec<&str> = own.chain(SHIPPED.iter().map(|shipped| shipped.name)).collect();
    let hint = match nearest(name, names.iter().copied(), 1).first() {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are {}", names.join(", ")),
    };
    Problem::error(at.clone(), format!("there is no profile {}", hermes_core::yaml::quote(name)))
        .with_hint(hint)
}
