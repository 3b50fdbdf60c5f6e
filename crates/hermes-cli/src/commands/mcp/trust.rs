//! `hermes mcp trust`: what waits for the user's word, and the word.

use hermes_mcp::{Change, ManifestStore};

use super::args::TrustArgs;
use crate::app::Surroundings;
use crate::failure::Failure;
use crate::render::{Style, print_json, print_text};

pub(super) fn run(
    args: &TrustArgs,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<(), Failure> {
    let store = ManifestStore::of(&surroundings.home);
    let unreadable = Failure::io("what is known of the server");
    let record = store.load(&args.name).map_err(unreadable)?.ok_or_else(|| {
        Failure::usage(format!("nothing is known of an MCP server '{}'", args.name))
            .with_hint(format!("'hermes mcp test {}' asks it.", args.name))
    })?;
    let changes: Vec<Change> = record.changes();
    let chosen: Vec<&Change> =
        changes.iter().filter(|change| args.tools.is_empty() || args.tools.contains(&change.tool)).collect();
    if let Some(unknown) = args.tools.iter().find(|tool| !changes.iter().any(|change| change.tool == **tool))
    {
        return Err(Failure::usage(format!("'{unknown}' does not wait for anybody's word")));
    }
    if json {
        print_json(&chosen)?;
    } else {
        for change in &chosen {
            show(change, style)?;
        }
        if chosen.is_empty() {
            print_text("Nothing waits for your word.\n")?;
        }
    }
    if args.show || chosen.is_empty() {
        return Ok(());
    }
    store.accept(&args.name, &args.tools).map_err(Failure::io("what is known of the server"))?;
    if json { Ok(()) } else { print_text(&format!("{} as shown\n", style.good("accepted"))) }
}

fn show(change: &Change, style: Style) -> Result<(), Failure> {
    let tool = hermes_core::text::visible(&change.tool);
    print_text(&format!("{} {}\n", style.accent(&tool), style.warning(change.verdict.reason())))?;
    for line in change.lines() {
        print_text(&format!("  {line}\n"))?;
    }
    for finding in &change.findings {
        print_text(&format!("  {} {}: {}\n", style.warning("!"), finding.place, finding.what))?;
    }
    Ok(())
}
