//! What only matters together: a connection and a shell, a secret and a sender.

use crate::command::scene::Scene;
use crate::command::tokens::Token;
use crate::command::trial::Trial;

use super::swarms;

/// Libraries that do nothing but talk to other machines.
const CLIENTS: &[&str] = &[
    "requests",
    "urllib",
    "httpx",
    "aiohttp",
    "http.client",
    "axios",
    "undici",
    "open-uri",
    "Net::HTTP",
    "LWP",
    "HTTP::Tiny",
    "curl_",
    "socket",
];

/// What stood in the code, for what only matters together.
#[derive(Default)]
pub(super) struct Seen<'a> {
    pub text: &'a str,
    /// The words of `run_if` that stand in it.
    pub imports: Vec<String>,
    /// Nothing in the code gives the words for starting programs their meaning.
    pub cannot_run: bool,
    pub runs: bool,
    /// A program is started that stands somewhere else in the code.
    pub blind: bool,
    /// From how many places the code starts a copy of itself.
    pub forks: u32,
    pub evals: bool,
    pub fetches: bool,
    pub connects: bool,
    pub sends: bool,
    pub reads: bool,
    pub secret: bool,
    pub duplicates: bool,
    /// The environment as a whole, secrets and all.
    pub environment: bool,
    /// A program is started and not waited for.
    pub leaves: bool,
    /// Something is deleted whose name stands somewhere else in the code.
    pub loses: bool,
    /// A host that hands out the machine's credentials is named.
    pub metadata: bool,
}

pub(super) fn together(trial: &mut Trial<'_>, scene: &Scene<'_>, tokens: &[Token<'_>], seen: &Seen<'_>) {
    let swarm =
        (seen.leaves && swarms::loops_for_ever(tokens)) || (seen.forks > 0 && swarms::calls_itself(tokens));
    if swarms::forks_in_a_loop(tokens, seen.forks) || swarm {
        return scene.deny(
            trial,
            "fork-bomb",
            "resource_exhaustion",
            "the code starts copies of itself in a loop",
        );
    }
    let reaches = || CLIENTS.iter().any(|client| seen.text.contains(client));
    if seen.metadata && (seen.fetches || seen.connects || seen.sends || seen.reads || reaches()) {
        let reason = "the code asks a host that hands out the machine's credentials";
        scene.ask(trial, "metadata", "credential_access", reason);
    }
    if allocates_without_end(tokens) {
        scene.ask(trial, "huge-value", "resource_exhaustion", "the code fills the memory");
    }
    if seen.evals {
        let (rule, category) = if seen.fetches || seen.connects {
            ("run-download", "remote_exec")
        } else {
            ("code-eval", "obfuscated_exec")
        };
        scene.ask(trial, rule, category, "the code runs other code that only running would tell");
    }
    if seen.fetches && seen.runs && seen.text.contains("://") {
        let reason = "the code gets something over the network and starts a program";
        scene.ask(trial, "run-download", "remote_exec", reason);
    }
    if seen.connects && (seen.duplicates || seen.runs) {
        scene.ask(trial, "code-shell", "reverse_shell", "the code connects a program to another machine");
    }
    if seen.sends && (seen.reads || seen.secret || seen.environment) {
        scene.ask(trial, "code-send", "exfiltration", "the code sends local data to another machine");
    }
}

/// `'a' * 10**12`, `[0] * 10**11`.
fn allocates_without_end(tokens: &[Token<'_>]) -> bool {
    tokens.windows(6).any(|six| match six {
        [
            Token::Text(_) | Token::Mark(']'),
            Token::Mark('*'),
            Token::Number("10"),
            Token::Mark('*'),
            Token::Mark('*'),
            Token::Number(power),
        ] => power.parse::<u32>().is_ok_and(|power| power >= 10),
        _ => false,
    })
}
