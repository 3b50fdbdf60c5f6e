//! `hermes sandbox`: what holds commands on this machine, proven by trying to get out.

use hermes_host::process::Bounds;
use hermes_host::proof::{Proof, prove};
use serde_json::json;

use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(crate) async fn test(surroundings: &Surroundings, json: bool, style: Style) -> Result<u8, Failure> {
    let proven = prove(surroundings.home.root(), &surroundings.host.env).await.map_err(Failure::usage)?;
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
        let held = proven.proofs.iter().filter(|proof| proof.held).count();
        let mut summary =
            format!("{}: {held} of {} attempts failed", proven.level.as_str(), proven.proofs.len());
        if let Some(lacking) = &proven.lacking {
            summary.push_str(&format!(" (no namespaces here: {lacking})"));
        }
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

fn word(proof: &Proof) -> &'static str {
    match (proof.held, proof.beyond) {
        (true, _) => "held",
        (false, true) => "not promised here",
        (false, false) => "open",
    }
}
