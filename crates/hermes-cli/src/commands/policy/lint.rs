//! `hermes policy lint`.

use std::path::Path;

use hermes_policy::profile::{Problem, Severity, lint};
use serde_json::{Value, json};

use crate::app::{PolicyMaker, PolicyText};
use crate::commands::run::read_text;
use crate::failure::{Failure, exit};
use crate::render::{Style, print_json, print_text};

pub(super) fn run(file: Option<&Path>, maker: &PolicyMaker, json: bool, style: Style) -> Result<u8, Failure> {
    let texts = match file {
        Some(file) => vec![PolicyText { path: file.to_owned(), text: read_text(file)? }],
        None => maker.texts()?,
    };
    let problems = problems(&texts, file.is_none(), maker);
    if json {
        let rows: Vec<Value> = problems
            .iter()
            .map(|problem| {
                json!({
                    "file": problem.place.file, "line": problem.place.line, "column": problem.place.column,
                    "severity": problem.severity, "message": problem.message, "hint": problem.hint,
                })
            })
            .collect();
        print_json(&json!({"ok": rows.is_empty(), "problems": rows}))?;
    } else if problems.is_empty() {
        let what: Vec<String> = texts.iter().map(|text| text.path.display().to_string()).collect();
        let what = if what.is_empty() { "the built-in profiles".to_owned() } else { what.join(", ") };
        print_text(&format!("{} {what}\n", style.good("clean")))?;
    } else {
        for problem in &problems {
            let label = match problem.severity {
                Severity::Error => style.bad("error"),
                Severity::Warning => style.warning("warning"),
            };
            print_text(&format!("{label} {problem}\n"))?;
        }
    }
    Ok(if problems.is_empty() { exit::OK } else { exit::TOOL_FAILED })
}

fn problems(texts: &[PolicyText], in_force: bool, maker: &PolicyMaker) -> Vec<Problem> {
    let files = match maker.read(texts) {
        Ok(files) => files,
        Err(problems) => return problems,
    };
    let mut found: Vec<Problem> =
        files.iter().flat_map(|file| lint(file, &files, maker.ground(), maker.known())).collect();
    // Every profile must stand on profiles that exist, not only the one in force.
    let names = files.iter().flat_map(|file| &file.profiles).map(|profile| profile.name.as_str());
    let names: Vec<Option<&str>> = names.map(Some).chain(in_force.then_some(None)).collect();
    for name in names {
        let broken = maker.build(texts, name).err().unwrap_or_default();
        found.extend(broken.into_iter().filter(|problem| !found.contains(problem)).collect::<Vec<_>>());
    }
    found
}
