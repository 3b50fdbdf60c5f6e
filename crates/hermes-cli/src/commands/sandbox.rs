//! `hermes sandbox`: what holds commands on this machine, proven by trying to get out.

use hermes_host::process::Bounds;
use hermes_host::proof::{Proof, Proven, prove};
use serde_json::json;

use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) async fn test(surroundings: &Surroundings, json: bool, style: Style) -> Result<u8, Failure> {
    let proven = prove(surroundings.home.root(), &surroundings.host.env).await.map_err(none_here)?;
    let broken = proven.proofs.iter().filter(|proof| !proof.held && !proof.beyond).count();
    if json {
        let proofs: Vec<_> = proven
            .proofs
            .iter()
            .map(|proof| json!({"wall": proof.wall, "result": word(proof), "said": proof.said}))
            .collect();
        let level = proven.level.as_str();
        let bounds = proven.bounds.as_str();
        print_json(
            &json!({"level": level, "lacking": proven.lacking, "bounds": bounds, "attempts": proofs}),
        )?;
    } else {
        let mut table = Table::new(&["ATTEMPT", "RESULT"]);
        for proof in &proven.proofs {
            let word = match word(proof) {
                held @ "held" => style.good(held),
                open @ "open" => style.bad(open),
                other => style.warning(other),
            };
            table.row(vec![proof.wall.to_owned(), word]);
        }
        print_text(&table.render(style))?;
        let summary = summary(&proven, broken);
        let bounds = match proven.bounds {
            Bounds::Tree => {
                "memory and processes: bounded for a command and all it starts, by control groups"
            }
            Bounds::EachProcess => {
                "memory and processes: bounded for each process by itself (no control group can be made here)"
            }
        };
        print_text(&format!("{bounds}\n{summary}\n"))?;
    }
    Ok(if broken == 0 { exit::OK } else { exit::TOOL_FAILED })
}

/// What got through and should not have comes last, where everybody reads it.
fn summary(proven: &Proven, broken: usize) -> String {
    let count = |is: fn(&Proof) -> bool| proven.proofs.iter().filter(|proof| is(proof)).count();
    let (held, beyond) = (count(|proof| proof.held), count(|proof| !proof.held && proof.beyond));
    let mut text = format!("{}: {held} of {} attempts failed", proven.level.as_str(), proven.proofs.len());
    if beyond > 0 && broken == 0 {
        let are = if beyond == 1 { "is" } else { "are" };
        text.push_str(&format!("; the {beyond} that got through {are} not promised here"));
    }
    if let Some(lacking) = &proven.lacking {
        text.push_str(&format!(" (lacking here: {lacking})"));
    }
    if broken > 0 {
        text.push_str(&format!("; {broken} got through that should not"));
    }
    text
}

/// Without any walls there is nothing to prove, and the answer is no.
fn none_here(reason: String) -> Failure {
    if !reason.contains("sandbox") {
        return Failure::usage(reason);
    }
    Failure::answer_is_no(format!("commands cannot be held here: {reason}")).with_hint(
        "No command runs then, unless terminal.sandbox.mode is off; docs/sandbox.md says what each level is made of.",
    )
}

fn word(proof: &Proof) -> &'static str {
    match (proof.held, proof.beyond) {
        (true, _) => "held",
        (false, true) => "not promised here",
        (false, false) => "open",
    }
}
