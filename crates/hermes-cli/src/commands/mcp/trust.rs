//! `hermes mcp trust`: what waits for the user's word, and the word.

use hermes_mcp::{Agreed, Change, ManifestStore, OtherServer, Verdict};

use super::args::TrustArgs;
use super::dispatch::unknown;
use crate::app::Surroundings;
use crate::commands::reach::reach;
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
        if !surroundings.config().mcp_servers.contains_key(&args.name) {
            return unknown(surroundings, &args.name);
        }
        Failure::usage(format!("nothing is known of an MCP server '{}'", args.name))
            .with_hint(format!("'hermes mcp test {}' asks it.", args.name))
    })?;
    let (changes, other) = (record.changes(), record.other_server());
    let is_chosen = |tool: &String| args.tools.is_empty() || args.tools.contains(tool);
    let chosen: Vec<&Change> = changes.iter().filter(|change| is_chosen(&change.tool)).collect();
    if let Some(unknown) = args.tools.iter().find(|tool| !changes.iter().any(|change| change.tool == **tool))
    {
        return Err(Failure::usage(format!("'{unknown}' does not wait for anybody's word")));
    }
    if json {
        let server = other.iter().filter_map(|other| serde_json::to_value(other).ok());
        let tools = chosen.iter().filter_map(|change| serde_json::to_value(change).ok());
        print_json(&server.chain(tools).collect::<Vec<_>>())?;
    } else {
        // Who it is that says all this.
        let server = surroundings.config().mcp_servers.get(&args.name);
        if let Some(server) = server.filter(|_| !chosen.is_empty() || other.is_some()) {
            print_text(&format!("{} {}\n", style.accent(&args.name), reach(server)))?;
        }
        print_text(&shown(&args.name, other.as_ref(), &chosen, style))?;
    }
    if args.show || (chosen.is_empty() && other.is_none()) {
        return Ok(());
    }
    if other.is_some() && !args.tools.is_empty() {
        return Err(Failure::answer_is_no(
            "nothing was accepted: the server says it is another one than before",
        )
        .with_hint(format!("'hermes mcp trust {}' shows and accepts all of it.", args.name)));
    }
    // What the server shows by now may be something else than the user has just read.
    let agreed = Agreed::to(chosen.iter().copied(), other.as_ref());
    let accepted = store.accept(&args.name, &agreed).map_err(Failure::io("what is known of the server"))?;
    let waiting = accepted.map(|record| (record.changes(), record.other_server())).unwrap_or_default();
    let mut left: Vec<&str> = Vec::new();
    left.extend(waiting.1.is_some().then_some("the server itself"));
    left.extend(
        waiting.0.iter().map(|change| &change.tool).filter(|tool| is_chosen(tool)).map(String::as_str),
    );
    if !left.is_empty() {
        let left = hermes_core::text::visible(&left.join(", "));
        return Err(Failure::answer_is_no(format!("changed meanwhile and not accepted: {left}"))
            .with_hint(format!("'hermes mcp trust {}' shows what it is now.", args.name)));
    }
    if json { Ok(()) } else { print_text(&format!("{} as shown\n", style.good("accepted"))) }
}

/// Everything that waits, each with its difference and with what is odd about it.
fn shown(server: &str, other: Option<&OtherServer>, changes: &[&Change], style: Style) -> String {
    let mut text = String::new();
    let head = |text: &mut String, name: &str, verdict: Verdict, lines: Vec<String>| {
        let name = hermes_core::text::visible(name);
        text.push_str(&format!("{} {}\n", style.accent(&name), style.warning(verdict.reason())));
        lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    };
    if let Some(other) = other {
        head(&mut text, server, other.verdict, other.lines());
    }
    for change in changes {
        head(&mut text, &change.tool, change.verdict, change.lines());
        for finding in &change.findings {
            text.push_str(&format!("  {} {}: {}\n", style.warning("!"), finding.place, finding.what));
        }
    }
    if text.is_empty() { "Nothing waits for your word.\n".to_owned() } else { text }
}
