//! Names that ask for too much, and verbs of those who change things.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// Names of parameters that ask for what is none of a tool's business.
pub(super) static GREEDY_NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"^(?:(?:full|entire|whole|previous|prior|complete|all|raw)_?)*(?:conversation|chat|message|dialog(?:ue)?|prompt)s?_?(?:history|log|context|transcript|so_far)$|^(?:the_)?system_?(?:prompt|message|instructions)$|^(?:previous|prior|all|past)_?(?:messages|turns|tool_(?:calls|results))$|^(?:model|llm|assistant|agent)_?(?:context|memory|instructions|reasoning|thoughts)$|^(?:llm|assistant)_?(?:name|version)$|^(?:chain_of_thought|reasoning_trace|thinking|scratchpad|tools?_list|available_tools|tool_definitions)$|^(?:ssh|private)_?keys?_?(?:contents?|file)?$|^(?:env|environment)_?(?:vars|variables|file|dump)$|^(?:contents?|text|dump|values?)_(?:of_)?(?:the_)?(?:env|environment|ssh|secrets?|credentials?|private)_?\w*$|^(?:side_?note|hidden_\w+|do_not_\w+)$";
    compile(pattern)
});

/// Numbers of accounts, wallets and telephones, in small letters.
pub(super) static ACCOUNTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern =
        r"\b[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){3,}|\b0x[0-9a-f]{16,}|\bbc1[a-z0-9]{20,}|\+\d{1,3}[ \d]{8,}";
    compile(pattern)
});

/// What a tool that only reads does not do.
pub(super) static CHANGING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"\b(?:drops?|deletes?|removes?|erases?|wipes?|truncates?|overwrites?|writes?|creates?|updates?|modif(?:y|ies)|inserts?|sends?|transfers?|pays?|purchases?|publishes|deploys?|kills?|terminates?|resets?|revokes?|executes?|formats?|destroys?|purges?|uploads?|merges?|posts?)\b";
    compile(pattern)
});

/// The ends of words that are written in Latin letters are found, and the pattern made, in much less time.
fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&pattern.replace(r"\b", r"(?-u:\b)")).case_insensitive(true).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert!(GREEDY_NAMES.is_some() && ACCOUNTS.is_some() && CHANGING.is_some());
    }
}
