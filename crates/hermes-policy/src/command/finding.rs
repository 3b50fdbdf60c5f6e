//! `find` and `fd`: what they match becomes the target of what they run.

use std::collections::HashSet;

use super::access::write;
use super::args::Arg;
use super::call::judge_words;
use super::deletion::{self, is_build_name};
use super::holding::seeks_keys;
use super::model::EffectKind;
use super::options::{Shape, parse};
use super::place::{Kind, locate};
use super::scene::Scene;
use super::trial::Trial;

/// More examples of what is found are not looked at.
const MANY: usize = 64;

/// A call of `find`, as far as it matters here.
struct Search {
    starts: Vec<Arg>,
    /// Patterns of `-name` and `-path`.
    names: Vec<String>,
    /// Something narrows it: a name, an age, an owner, a size.
    narrowed: bool,
    empty: bool,
    /// A part of the expression acts on what it has not named.
    loose: bool,
}

fn search(args: &[Arg]) -> Search {
    let begins = |arg: &&Arg| {
        arg.text.starts_with('-') && arg.text != "-" || arg.text == "(" || arg.text == "!" || arg.text == ")"
    };
    let globals = args
        .iter()
        .take_while(|arg| {
            matches!(arg.text.as_str(), "-H" | "-L" | "-P" | "-E" | "-X" | "-O3" | "-O2" | "-O1" | "-d")
        })
        .count();
    let rest = args.get(globals..).unwrap_or_default();
    let mut starts: Vec<Arg> = rest.iter().take_while(|arg| !begins(arg)).cloned().collect();
    if starts.is_empty() {
        starts.push(Arg::certain("."));
    }
    let after = |names: &[&str]| {
        let pairs = args.iter().zip(args.iter().skip(1));
        pairs
            .filter(|(name, _)| names.contains(&name.text.as_str()))
            .map(|(_, value)| value.text.clone())
            .collect::<Vec<_>>()
    };
    let negated: HashSet<&str> = args
        .windows(3)
        .filter_map(|three| match three {
            [not, _, given] if not.text == "!" || not.text == "-not" => Some(given.text.as_str()),
            _ => None,
        })
        .collect();
    let mut names = after(&["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"]);
    // A name that every file has names nothing.
    names.retain(|name| {
        !negated.contains(name.as_str())
            && !name.trim_start_matches("./").chars().all(|c| matches!(c, '*' | '/'))
    });
    let narrowing = [
        "-mtime",
        "-mmin",
        "-atime",
        "-ctime",
        "-newer",
        "-user",
        "-group",
        "-size",
        "-perm",
        "-inum",
        "-samefile",
        "-links",
        "-lname",
    ];
    let narrowed = !names.is_empty() || args.iter().any(|arg| narrowing.contains(&arg.text.as_str()));
    let has = |name: &str| args.iter().any(|arg| arg.text == name);
    let empty = has("-empty");
    let loose = loose_branch(args);
    Search { starts, names, narrowed, empty, loose }
}

/// With `-o`, a part that acts on files it has not named.
fn loose_branch(args: &[Arg]) -> bool {
    let branches: Vec<&[Arg]> = args.split(|arg| matches!(arg.text.as_str(), "-o" | "-or" | ",")).collect();
    let named = |branch: &[Arg]| {
        branch
            .iter()
            .any(|arg| matches!(arg.text.as_str(), "-name" | "-iname" | "-path" | "-regex" | "-wholename"))
    };
    branches.len() > 1 && !branches.iter().all(|branch| named(branch))
}

impl Search {
    /// Examples of what the search finds: names below each start, or everything below it, and a key where keys are
    /// looked for outside the workspace.
    fn found(&self, trial: &Trial<'_>) -> Vec<Arg> {
        let far = |start: &Arg| {
            start.text.starts_with(['/', '~']) && !locate(start, None, trial.stage).is_writable()
        };
        let keys = self.starts.iter().any(far) && self.names.iter().any(|name| seeks_keys(name));
        let key = keys.then(|| Arg::certain(format!("{}/.ssh/id_rsa", trial.stage.home)));
        let below = |start: &Arg, name: &str| {
            let name = name.rsplit('/').find(|part| !part.is_empty() && *part != "*").unwrap_or(name);
            let text = format!("{}/{name}", start.text.trim_end_matches('/'));
            Arg { text, pattern: true, hints: start.hints.clone() }
        };
        // Some of what is there, where something but a name narrows it: not all of it, but nobody knows which.
        let all = if self.narrowed { "some-*" } else { "*" };
        let names: Vec<&str> = match self.names.is_empty() {
            true => vec![all],
            false => self.names.iter().map(String::as_str).collect(),
        };
        let found = self.starts.iter().flat_map(|start| names.iter().map(move |name| below(start, name)));
        key.into_iter().chain(found).take(MANY).collect()
    }

    fn is_regenerable(&self, trial: &Trial<'_>) -> bool {
        let good = |name: &String| {
            let last = name.trim_end_matches('*').trim_end_matches('/').rsplit('/').next().unwrap_or("");
            let ending = |text: &str| {
                trial.rules.lists.throwaway_endings.iter().any(|end| text.ends_with(end.as_str()))
            };
            is_build_name(trial, name)
                || is_build_name(trial, last)
                || ending(name)
                || name == "*.py[co]"
                || name == "*.py[cod]"
        };
        if self.loose {
            return false;
        }
        (!self.names.is_empty() && self.names.iter().all(good)) || (self.empty && self.names.is_empty())
    }
}

pub(crate) fn find(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let search = search(args);
    let mut deleted = false;
    let mut skip = 0;
    for (place, arg) in args.iter().enumerate() {
        if place < skip {
            continue;
        }
        match arg.text.as_str() {
            "-delete" if !deleted => {
                deleted = true;
                delete(trial, scene, &search);
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let rest = args.get(place + 1..).unwrap_or_default();
                let end =
                    rest.iter().position(|arg| arg.text == ";" || arg.text == "+").unwrap_or(rest.len());
                skip = place + 1 + end;
                run(trial, scene, &search, rest.get(..end).unwrap_or_default());
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = args.get(place + 1) {
                    write(trial, scene, file);
                }
            }
            _ => {}
        }
    }
}

fn delete(trial: &mut Trial<'_>, scene: &Scene<'_>, search: &Search) {
    deletes(trial, scene, &search.found(trial));
    if search.is_regenerable(trial)
        && search.starts.iter().all(|start| scene.locate(trial, start).is_writable())
    {
        return trial.changes();
    }
    for start in &search.starts {
        let place = scene.locate(trial, start);
        if place.is_vital() && !search.narrowed {
            deletion::delete(trial, scene, start, true);
        } else if place.kind == Kind::Temp
            || deletion::is_regenerable(trial, start, &place) && place.is_writable()
        {
            trial.changes();
        } else {
            let reason = format!("it deletes what it finds below {}", start.shown());
            scene.ask(trial, "find-delete", "destructive_delete", reason);
        }
    }
}

/// `{}` stands for what was found.
fn run(trial: &mut Trial<'_>, scene: &Scene<'_>, search: &Search, command: &[Arg]) {
    if search.is_regenerable(trial)
        && is_removal(command)
        && search.starts.iter().all(|start| scene.locate(trial, start).is_writable())
    {
        deletes(trial, scene, &search.found(trial));
        return trial.changes();
    }
    // Inside another launcher one example must do: examples of examples would never end.
    let most = if trial.is_nested() { 1 } else { 8 };
    for found in search.found(trial).into_iter().take(most) {
        let inner: Vec<Arg> = command.iter().map(|arg| fill(arg, &found)).collect();
        judge_words(trial, scene, &inner);
    }
}

/// What would be gone, as far as its names are known.
pub(crate) fn deletes(trial: &mut Trial<'_>, scene: &Scene<'_>, found: &[Arg]) {
    for target in found {
        let shown = scene.locate(trial, target).path.unwrap_or_else(|| target.shown());
        trial.effect(EffectKind::Deletes, shown);
    }
}

fn is_removal(command: &[Arg]) -> bool {
    command
        .first()
        .is_some_and(|program| matches!(super::args::base_name(&program.text), "rm" | "rmdir" | "unlink"))
        && command.iter().skip(1).all(|arg| arg.text.starts_with('-') || arg.text == "{}")
}

fn fill(arg: &Arg, found: &Arg) -> Arg {
    if !arg.text.contains("{}") {
        return arg.clone();
    }
    let mut filled = arg.clone();
    // Inside a text for a shell a name is a name, not a pattern.
    let whole = arg.text == "{}";
    filled.text = arg.text.replace("{}", &found.text);
    filled.pattern |= whole && found.pattern;
    filled.hints.extend(found.hints.iter().cloned());
    filled
}

/// What a search in front of `xargs` puts out.
pub(crate) fn listed(trial: &Trial<'_>, args: &[Arg]) -> (Vec<Arg>, bool) {
    let search = search(args);
    (search.found(trial), search.is_regenerable(trial))
}

/// Options of `fd` that take a value.
const FAST_VALUES: &[&str] = &[
    "-t",
    "--type",
    "-d",
    "--max-depth",
    "-E",
    "--exclude",
    "-S",
    "--size",
    "-j",
    "--threads",
    "-e",
    "--extension",
];

/// `fd`: `-x` runs a command for each match, `-X` one for all.
pub(crate) fn fast(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let Some(place) =
        args.iter().position(|arg| matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))
    else {
        return;
    };
    let rest = args.get(place + 1..).unwrap_or_default();
    let end = rest.iter().position(|arg| arg.text == ";").unwrap_or(rest.len());
    let command = rest.get(..end).unwrap_or_default();
    let before = args.get(..place).unwrap_or_default();
    let parsed = parse(before, Shape { values: FAST_VALUES, ..Shape::default() });
    let mut names: Vec<String> =
        parsed.operands.iter().map(|arg| arg.text.trim_matches(['^', '$']).to_owned()).collect();
    names.retain(|name| name != ".");
    if let Some(ending) = parsed.value(&["-e", "--extension"]) {
        names = vec![format!("*.{}", ending.text)];
    }
    names.truncate(1);
    let mut starts: Vec<Arg> = parsed.operands.iter().skip(1).cloned().collect();
    if starts.is_empty() {
        starts.push(Arg::certain("."));
    }
    let search = Search { starts, narrowed: !names.is_empty(), names, empty: false, loose: false };
    let mut command = command.to_vec();
    if !command.iter().any(|arg| arg.text.contains("{}")) {
        command.push(Arg::certain("{}"));
    }
    run(trial, scene, &search, &command);
}
