//! Files that this very script wrote or got, and that a program obeys: sources, recipes, scripts of a package.

use super::args::Arg;
use super::code;
use super::hidden::{self, run_file};
use super::literals;
use super::place::is_below;
use super::reading;
use super::ruleset::Language;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::{Content, Trial};

/// Programs that build or run the sources of the folder.
const BUILDS: &[&str] = &[
    "make", "gmake", "ninja", "cargo", "npm", "yarn", "pnpm", "bun", "go", "node", "python", "python3",
    "pytest", "gradle", "gradlew", "mvn", "cmake", "just", "task", "rake", "bundle", "dotnet", "swift",
    "sbt", "mix", "tox",
];
/// Programs that run what is in a folder they are given.
const INSTALLS: &[&str] = &["pip", "pip3", "pipx", "uv", "poetry", "gem"];

/// Builds obey the files of the folder they run in: what was just written, downloaded or cloned is run.
pub(crate) fn run_build_file(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let builds = BUILDS.contains(&name);
    if trial.patched && builds {
        let reason = "it builds or runs sources that were just changed over the network";
        scene.ask(trial, "run-download", "remote_exec", reason);
    }
    let compiles = (matches!(name, "go" | "zig" | "dart" | "crystal" | "v" | "nim")
        && args.first().is_some_and(|first| matches!(first.text.as_str(), "run" | "r")))
        || matches!(name, "java" | "rust-script" | "tcc" | "kotlin");
    if compiles && let Some(language) = trial.rules.language(COMPILED) {
        compiled(trial, scene, language, args);
    }
    if !trial.cloned.is_empty() && (builds || INSTALLS.contains(&name)) {
        in_clone(trial, scene, name, args);
    }
    let files: &[&str] = match name {
        _ if trial.files.is_empty() => return,
        "make" | "gmake" => &["Makefile", "makefile", "GNUmakefile"],
        "npm" | "yarn" | "pnpm" | "bun" => &["package.json"],
        "cargo" => &["build.rs", "Cargo.toml"],
        "pip" | "pip3" | "poetry" | "uv" => &["setup.py", "pyproject.toml"],
        "just" => &["justfile", "Justfile"],
        "task" => &["Taskfile.yml", "Taskfile.yaml"],
        "rake" => &["Rakefile"],
        "gradle" | "gradlew" => &["build.gradle", "build.gradle.kts"],
        "cmake" => &["CMakeLists.txt"],
        "tox" | "pytest" | "nox" => &["conftest.py", "noxfile.py", "tox.ini"],
        _ => return,
    };
    for file in files {
        let Some(path) = scene.locate(trial, &Arg::certain(*file)).path else { continue };
        match trial.files.get(&path).cloned() {
            Some(content @ (Content::Download | Content::Decoded)) => {
                run_file(trial, scene, (&Arg::certain(path), &[]), &content)
            }
            Some(Content::Text(text)) if trial.enter_code() => {
                recipes(trial, scene, file, &text);
                trial.leave();
            }
            _ => {}
        }
    }
}

/// What the table of languages calls the sources of all that is compiled first.
const COMPILED: &str = "source-of-a-compiler";

/// `go run main.go`, where this very script wrote the source.
fn compiled(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, args: &[Arg]) {
    for file in args.iter().take(8) {
        let inner = file.hints.iter().find_map(|hint| reading::inside(hint)).map(str::to_owned);
        let text = match inner {
            Some(inner) => reading::output(&reading::read(trial, scene, &inner)),
            None => match scene.locate(trial, file).path.and_then(|path| trial.files.get(&path)) {
                Some(Content::Text(text)) => Some(text.clone()),
                _ => None,
            },
        };
        if let Some(text) = text {
            judge_code(trial, scene, language, &text);
        }
    }
}

/// `cd clone && make`, `make -C clone`, `pip install ./clone`.
fn in_clone(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let here = Arg::certain(".");
    let looked = |arg: &&Arg| !arg.text.starts_with('-') && !arg.has_hole();
    let named = args.iter().take(16).filter(looked).filter(|arg| name != "go" || arg.text.starts_with('.'));
    let places = std::iter::once(&here).filter(|_| BUILDS.contains(&name)).chain(named);
    let found = places
        .filter_map(|place| scene.locate(trial, place).path)
        .find(|path| trial.cloned.iter().any(|folder| folder == path || is_below(path, folder)));
    if let Some(path) = found {
        hidden::cloned(trial, scene, &path);
    }
}

/// The commands of a build file, as the shell gets them.
fn recipes(trial: &mut Trial<'_>, scene: &Scene<'_>, file: &str, text: &str) {
    if !file.to_lowercase().ends_with("makefile") {
        return literals::judge_code(trial, scene, text);
    }
    for line in text.lines().filter_map(|line| line.strip_prefix('\t')).take(64) {
        let command = line.trim_start_matches(['@', '-', '+']).replace("$$", "$");
        run_text(trial, scene, &Arg::certain(command), &[], scene.frame.clone());
    }
}

/// The language that the first line of a script names, if it is no shell.
pub(crate) fn language_of<'t>(trial: &Trial<'t>, text: &str) -> Option<&'t Language> {
    let first = text.lines().next()?.strip_prefix("#!")?;
    let mut words = first.split_whitespace().map(super::args::base_name);
    let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
    trial.rules.language(program)
}

/// A script of a language, as its interpreter gets it.
pub(crate) fn judge_code(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str) {
    trial.changes();
    if !trial.enter_code() {
        let reason = "it runs more scripts that were just written than anybody would read";
        return scene.ask(trial, "too-long", "limit", reason);
    }
    code::judge(trial, scene, language, text);
    trial.leave();
}
