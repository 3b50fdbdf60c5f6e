//! Runs the command.

use hermes_core::text::visible;
use hermes_policy::urls::{Blocked, Host, UrlPolicy, UrlVerdict, check_hops};
use serde_json::{Map, Value, json};

use super::answer::{Found, answer};
use super::args::UrlArgs;
use super::dns::Dns;
use crate::commands::explain::rows::{each, roots, text};
use crate::failure::{Failure, exit};
use crate::render::{print_json, print_text};

pub(crate) fn run(args: UrlArgs, json: bool) -> Result<u8, Failure> {
    // They are read by nothing else: the same flags as for commands and paths, for programs that ask about all.
    if args
        .stage
        .home
        .iter()
        .chain(&args.stage.cwd)
        .chain(&args.stage.roots)
        .any(|folder| folder.as_os_str().is_empty())
    {
        return Err(Failure::usage("a folder of the case has a name"));
    }
    let policy = UrlPolicy { allow_private: args.allow_private, ..UrlPolicy::default() };
    if args.jsonl {
        each(|row| answer(row, &judge(row, &policy)))?;
        return Ok(exit::OK);
    }
    let url =
        args.url.ok_or_else(|| Failure::usage("give a URL, such as: hermes explain url http://127.1/"))?;
    let row = json!({ "url": url }).as_object().cloned().unwrap_or_default();
    let found = judge(&row, &policy);
    if json {
        print_json(&answer(&row, &found))?;
    } else {
        let word = if found.verdict.is_allowed() { "allow" } else { "deny" };
        let category = found.category().map(|category| format!(" ({category})")).unwrap_or_default();
        let mut text = format!("{word}{category}: {}\n", visible(&url));
        for reason in found.reasons() {
            text.push_str(&format!("  {}\n", visible(&reason)));
        }
        print_text(&text)?;
    }
    Ok(exit::OK)
}

fn judge(row: &Map<String, Value>, policy: &UrlPolicy) -> Found {
    let refused = |category, reason: &str| Found {
        verdict: UrlVerdict::Block(Blocked { category, reason: reason.to_owned() }),
        looked_up: false,
    };
    if let Err(problem) = text(row, "home").and(text(row, "cwd")).map(drop).and(roots(row).map(drop)) {
        return refused("bad_case", &problem);
    }
    let Some(url) = row.get("url").and_then(Value::as_str) else {
        return refused("no_url", "the case has no 'url'");
    };
    let mut dns = match Dns::of(row.get("dns")) {
        Ok(dns) => dns,
        Err(problem) => return refused("bad_case", &problem),
    };
    let redirects = row.get("redirects").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let locations: Vec<String> =
        redirects.iter().map(|to| to.as_str().unwrap_or_default().to_owned()).collect();
    let verdict = check_hops(url, &locations, &mut |name| dns.resolve(name), policy);
    let is_name = matches!(&verdict, UrlVerdict::Allow { host: Host::Name(_), .. });
    // The connection would go to the checked address only, but a name that turns is an attack all the same.
    if let (true, Some(name)) = (verdict.is_allowed(), dns.turning()) {
        return refused(
            "dns_rebinding",
            &format!("{name} answers with a public address first and another one later"),
        );
    }
    Found { verdict, looked_up: !(is_name && dns.is_unknown()) }
}
