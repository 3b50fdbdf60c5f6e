//! From flags and the fields of a case to a stage.

use std::path::{Path, PathBuf};

use hermes_host::Env;
use hermes_policy::paths::Places;
use serde_json::{Map, Value};

use super::args::PathArgs;
use super::files::{Files, Source};
use super::limits::{Limits, Policy};
use super::stage::Stage;
use super::tree::{Tree, TreeFile};
use crate::commands::explain::rows::{roots, text};
use crate::failure::Failure;

/// Where an imagined tree stands.
const NOWHERE: &str = "/stage";
/// The folders of the tree of the security cases.
const LAYOUT: [(&str, &str); 3] = [("W", "workspace"), ("T", "tmp"), ("O", "outside")];

/// What the flags say, for every case alike.
pub(super) struct Setup {
    home: Option<PathBuf>,
    cwd: Option<PathBuf>,
    roots: Vec<PathBuf>,
    tree: Option<TreeFile>,
    env: Env,
    here: PathBuf,
}

impl Setup {
    pub(super) fn new(args: &PathArgs) -> Result<Self, Failure> {
        let env = Env::of_process();
        let here = std::env::current_dir().map_err(Failure::io("the working folder"))?;
        let tree = match &args.tree {
            None => None,
            Some(file) => {
                let name = file.display().to_string();
                let text = std::fs::read_to_string(file).map_err(Failure::io(&name))?;
                Some(
                    serde_json::from_str(&text)
                        .map_err(|error| Failure::usage(format!("{name}: {error}")))?,
                )
            }
        };
        // Elsewhere --home is Hermes's own folder, and HERMES_HOME stands in for it.
        let own = env.get("HERMES_HOME").map(PathBuf::from);
        let home = args.stage.home.clone().filter(|home| Some(home) != own.as_ref());
        let absolute = |path: &PathBuf| here.join(path);
        Ok(Setup {
            home: home.as_ref().map(absolute),
            cwd: args.stage.cwd.as_ref().map(absolute),
            roots: args.stage.roots.iter().map(absolute).collect(),
            tree,
            env,
            here,
        })
    }

    /// The stage of one case, whose own fields come before the flags.
    pub(super) fn stage(&self, row: &Map<String, Value>) -> Result<Stage, String> {
        let path = |name: &str| Ok::<_, String>(text(row, name)?.map(|text| self.here.join(text)));
        let given_home = path("home")?.or_else(|| self.home.clone());
        let given_cwd = path("cwd")?.or_else(|| self.cwd.clone());
        let roots = roots(row)?.map_or_else(
            || self.roots.clone(),
            |texts| texts.iter().map(|text| self.here.join(text)).collect(),
        );
        let policy: Option<Policy> = match row.get("policy") {
            Some(policy) => Some(serde_json::from_value(policy.clone()).map_err(|error| error.to_string())?),
            None => None,
        };
        let cwd = given_cwd.clone().unwrap_or_else(|| self.here.clone());
        let home = given_home
            .clone()
            .or_else(|| self.env.get("HOME").map(PathBuf::from))
            .unwrap_or_else(|| "/".into());
        let mut scene =
            Scene { home, cwd, marks: Vec::new(), source: Source::Disk, policy, roots: Vec::new() };
        if let Some(tree) = &self.tree {
            scene.play_tree(tree, &roots, given_cwd);
        } else if let Some(base) = security_tree(&roots, &scene.cwd) {
            scene.play_layout(&base, given_cwd);
        } else if let Some(machine) = machine(&roots, &scene.home, given_home.as_deref()) {
            scene.play_machine(machine);
        } else if !roots.is_empty() {
            let below_home = given_home.is_some_and(|home| roots.iter().all(|root| root.starts_with(&home)));
            if !below_home && scene.policy.is_none() {
                scene.policy = Some(Policy::only(&roots));
            }
            scene.roots = roots;
        }
        scene.stage(&self.env, row)
    }
}

/// The folder that stands for the root of a whole machine: a root that has the home in it, or the part of a
/// home that was made in a temporary folder.
fn machine(roots: &[PathBuf], home: &Path, given_home: Option<&Path>) -> Option<PathBuf> {
    let has_home = |root: &&PathBuf| {
        let from_inside =
            home.strip_prefix("/").is_ok_and(|inside| given_home.is_some() && root.join(inside).is_dir());
        home != root.as_path() && (home.starts_with(root) || from_inside)
    };
    if let Some(root) = roots.iter().find(has_home) {
        return Some(root.clone());
    }
    let home = given_home?;
    let above = home.parent()?;
    let base = match (above.file_name()?.to_str()?, home.file_name()?.to_str()?) {
        ("home" | "Users", _) => above.parent()?,
        (_, "root") => above,
        _ => return None,
    };
    Places::new("/", "/", []).temp.iter().any(|temp| base.starts_with(temp)).then(|| base.to_owned())
}

/// The folder in which the tree of the security cases was made, if it was.
fn security_tree(roots: &[PathBuf], cwd: &Path) -> Option<PathBuf> {
    let near = roots.iter().map(PathBuf::as_path).chain([cwd]);
    let mut bases = near.flat_map(|path| [Some(path), path.parent()]).flatten();
    bases.find(|base| LAYOUT.iter().all(|(_, folder)| base.join(folder).is_dir())).map(Path::to_owned)
}

/// A stage in the making.
struct Scene {
    home: PathBuf,
    cwd: PathBuf,
    marks: Vec<(String, PathBuf)>,
    source: Source,
    policy: Option<Policy>,
    roots: Vec<PathBuf>,
}

impl Scene {
    fn play_tree(&mut self, file: &TreeFile, roots: &[PathBuf], cwd: Option<PathBuf>) {
        let base = roots.first().cloned().unwrap_or_else(|| NOWHERE.into());
        self.marks = file.roots.iter().map(|(mark, folder)| (mark.clone(), base.join(folder))).collect();
        let is_made = !roots.is_empty() && self.marks.iter().all(|(_, folder)| folder.is_dir());
        if !is_made {
            let marks = self.marks.clone();
            self.source = Source::Imagined(Tree::at(&base, file, |text| expand(text, &marks)));
        }
        self.policy = self.policy.take().or_else(|| file.policy.clone());
        let workspace = self.marks.iter().find(|(mark, _)| mark == "W").map(|(_, folder)| folder.clone());
        let settled = self
            .policy
            .as_ref()
            .and_then(|policy| policy.cwd.as_ref())
            .map(|text| PathBuf::from(expand(text, &self.marks)));
        self.cwd = cwd.or(settled).or(workspace).unwrap_or(base);
    }

    fn play_layout(&mut self, base: &Path, cwd: Option<PathBuf>) {
        self.marks = LAYOUT.iter().map(|(mark, folder)| ((*mark).to_owned(), base.join(folder))).collect();
        self.policy = self.policy.take().or_else(|| Some(Policy::of_the_security_cases()));
        self.cwd = cwd.unwrap_or_else(|| base.join("workspace"));
    }

    /// Everything is named as it would be on that machine.
    fn play_machine(&mut self, root: PathBuf) {
        let seen = |path: &Path| {
            path.strip_prefix(&root).map_or_else(|_| path.to_owned(), |inside| Path::new("/").join(inside))
        };
        (self.home, self.cwd) = (seen(&self.home), seen(&self.cwd));
        self.source = Source::Below(root);
    }

    fn stage(mut self, env: &Env, row: &Map<String, Value>) -> Result<Stage, String> {
        let hermes_home = env.get("HERMES_HOME").map_or_else(|| self.home.join(".hermes"), PathBuf::from);
        if self.marks.is_empty() {
            let beside = |name: &str| self.cwd.parent().unwrap_or(&self.cwd).join(name);
            self.marks = vec![
                ("W".into(), self.cwd.clone()),
                ("T".into(), beside("tmp")),
                ("O".into(), beside("outside")),
            ];
        }
        self.marks.push(("CONF".into(), hermes_home.clone()));
        let links = row.get("links").and_then(Value::as_object).into_iter().flatten();
        let links = links.filter_map(|(name, target)| {
            Some((
                self.cwd.join(expand(name, &self.marks)),
                PathBuf::from(expand(target.as_str()?, &self.marks)),
            ))
        });
        let files = Files { links: links.collect(), source: self.source };
        let place = |text: &str| self.cwd.join(expand(text, &self.marks)).display().to_string();
        let limits = self.policy.as_ref().map(|policy| Limits::of(policy, place)).transpose()?;
        let mut places =
            Places::new(&self.home, hermes_home, self.roots.into_iter().chain([self.cwd.clone()]));
        if let Some(limits) = &limits {
            places.roots = limits.roots();
            places.temp.clear();
        } else {
            places.temp.extend(env.get("TMPDIR").map(PathBuf::from));
        }
        Ok(Stage::new(places, self.home, self.cwd, files, limits, self.marks))
    }
}

/// Paths in place of `{W}` and its like.
pub(super) fn expand(text: &str, marks: &[(String, PathBuf)]) -> String {
    marks.iter().fold(text.to_owned(), |text, (mark, path)| {
        text.replace(&format!("{{{mark}}}"), &path.display().to_string())
    })
}
